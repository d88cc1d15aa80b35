/** SQL of the request log: rows come in batches, and a store's log never holds more than its limits. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { containing, isId, onPage, type Page } from '../../db/list.ts';
import type { RequestLogTable } from '../../db/schema/requests.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { MASK } from '../../domain/logged-body.ts';

/** Bodies are JSON texts. */
export type NewRequest = Omit<Insertable<RequestLogTable>, 'workspaceId' | 'testMode'>;

/** Rows that are deleted at once. */
const ROWS_PER_DELETE = 1000;

export interface LogLimits {
  rowsMax: number;
  bytesMax: number;
}

/** Adds to a store's log and takes the oldest away beyond its limits; of two processes one waits for the other. */
export async function appendRequests(
  tx: Tx,
  scope: Scope,
  { requests, limits }: { requests: readonly NewRequest[]; limits: LogLimits },
): Promise<void> {
  const bytes = requests.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const [size] = await Promise.all([
    grow(tx, scope, { rows: requests.length, bytes }),
    insertion(tx, { ...scope, requests: `[${requests.map(toJsonRow).join(',')}]` }),
  ]);
  let { rows, bytes: held } = size;
  while (rows > limits.rowsMax || held > limits.bytesMax) {
    const excess = rows - limits.rowsMax;
    const limit = excess > 0 ? Math.min(excess, ROWS_PER_DELETE) : ROWS_PER_DELETE;
    const gone = await deleteOldest(tx, scope, { limit, beforeMs: null });
    if (gone.rows === 0) return;
    ({ rows, bytes: held } = await grow(tx, scope, { rows: -gone.rows, bytes: -gone.bytes }));
  }
}

/** One value for any number of rows, so that the statement is the same for all of them. */
const insertion = keepQuery((db, { workspaceId, testMode, requests }: Scope & { requests: string }) => {
  const query = sql`
    insert into request_log (workspace_id, test_mode, id, actor, key_id, with_secret, method, path, operation, status,
      code, address, duration_ms, query, request_body, response_body, size_bytes, created_at)
    select ${workspaceId}::uuid, ${testMode}::boolean, r.*
    from json_to_recordset(${requests}::json) as r (id uuid, actor text, key_id uuid, with_secret boolean, method text,
      path text, operation text, status integer, code text, address text, duration_ms integer, query jsonb,
      request_body jsonb, response_body jsonb, size_bytes integer, created_at bigint)`;
  return { compile: () => query.compile(db) };
});

/** Bodies are JSON already, and go into it as they are. */
function toJsonRow({ query, requestBody, responseBody, ...row }: NewRequest): string {
  const { keyId, withSecret, durationMs, sizeBytes, createdAt, ...rest } = row;
  const named = { ...rest, key_id: keyId, with_secret: withSecret, duration_ms: durationMs };
  const head = JSON.stringify({ ...named, size_bytes: sizeBytes, created_at: createdAt });
  const bodies = `"query":${query ?? 'null'},"request_body":${requestBody ?? 'null'}`;
  return `${head.slice(0, -1)},${bodies},"response_body":${responseBody ?? 'null'}}`;
}

interface LogSize {
  rows: number;
  bytes: number;
}

async function grow(tx: Tx, scope: Scope, { rows, bytes }: LogSize): Promise<LogSize> {
  return tx
    .insertInto('requestLogSizes')
    .values({ ...scopeColumns(scope), rows, bytes })
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode']).doUpdateSet((eb) => ({
        rows: sql<number>`${eb.ref('requestLogSizes.rows')} + ${eb.ref('excluded.rows')}`,
        bytes: sql<number>`${eb.ref('requestLogSizes.bytes')} + ${eb.ref('excluded.bytes')}`,
      })),
    )
    .returning(['rows', 'bytes'])
    .executeTakeFirstOrThrow();
}

async function deleteOldest(
  tx: Tx,
  scope: Scope,
  { limit, beforeMs }: { limit: number; beforeMs: number | null },
): Promise<LogSize> {
  const oldest = tx
    .selectFrom('requestLog')
    .select('id')
    .where(inScope(scope))
    .where((eb) => (beforeMs === null ? eb.val(true) : eb('createdAt', '<', beforeMs)))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit);
  const gone = await tx
    .deleteFrom('requestLog')
    .where(inScope(scope))
    .where('id', 'in', oldest)
    .returning('sizeBytes')
    .execute();
  return { rows: gone.length, bytes: gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** Stores of these workspaces whose log holds something. */
export async function listLoggedStores(db: Db, workspaceIds: readonly string[]): Promise<Scope[]> {
  return db
    .selectFrom('requestLogSizes')
    .select(['workspaceId', 'testMode'])
    .where('workspaceId', '=', sql<string>`any(${workspaceIds}::uuid[])`)
    .where('rows', '>', 0)
    .execute();
}

/** Deletes at most `limit` rows of before `beforeMs` (real time); answers how many. */
export async function deleteOldRequests(
  tx: Tx,
  scope: Scope,
  { limit, beforeMs }: { limit: number; beforeMs: number },
): Promise<number> {
  const gone = await deleteOldest(tx, scope, { limit, beforeMs });
  if (gone.rows > 0) await grow(tx, scope, { rows: -gone.rows, bytes: -gone.bytes });
  return gone.rows;
}

export interface RequestFilter {
  method?: string;
  /** A status, or a class of statuses by its hundred: 4 = 400 to 499. */
  status?: number;
  keyId?: string;
  requestId?: string;
  /** Part of the path or the operation's name, or the whole id. */
  term?: string;
  createdFrom?: number;
  createdTo?: number;
}

/** Newest first. */
export async function listRequests(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: RequestFilter; page: Page },
): Promise<Array<Row<'requestLog'>>> {
  return onPage(filtered(db, scope, filter).selectAll(), page).execute();
}

export async function countRequests(db: Db, scope: Scope, filter: RequestFilter): Promise<number> {
  const { count } = await filtered(db, scope, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function filtered(db: Db, scope: Scope, filter: RequestFilter) {
  const { method, status, keyId, requestId, term, createdFrom, createdTo } = filter;
  let query = db.selectFrom('requestLog').where(inScope(scope));
  if (method !== undefined) query = query.where('method', '=', method);
  if (status !== undefined)
    query = query.where(
      status < 10
        ? sql<SqlBool>`status between ${status * 100} and ${status * 100 + 99}`
        : sql<SqlBool>`status = ${status}`,
    );
  if (keyId !== undefined) query = query.where('keyId', '=', keyId);
  if (requestId !== undefined) query = query.where('id', '=', requestId);
  if (term) {
    query = query.where((eb) =>
      eb.or([
        ...(['path', 'operation'] as const).map((column) => eb(column, 'ilike', containing(term))),
        ...(isId(term) ? [eb('id', '=', term)] : []),
      ]),
    );
  }
  if (createdFrom !== undefined) query = query.where('createdAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('createdAt', '<=', createdTo);
  return query;
}

/** Rows of one statement that blanks. */
const BLANKED_MAX = 500;

/**
 * A page of the requests of the last days after `after`: those that held one of these words keep that they were made, and
 * the rest nothing of these masked addresses. Answers where to go on; null at the end.
 */
export async function blankRequests(
  tx: Tx,
  scope: Scope,
  { after, words, masked }: { after: string; words: string[]; masked: string[] },
): Promise<string | null> {
  const inBodies = (parts: string[]) => {
    const patterns = sql`${parts.map(containing)}::text[]`;
    return sql`(r.query::text ilike any(${patterns}) or r.request_body::text ilike any(${patterns})
      or r.response_body::text ilike any(${patterns}))`;
  };
  const either = masked.map((address) => address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const written = `(${either})(?![[:alnum:]-]|\\.[[:alnum:]])`;
  const without = (column: string) => sql`case when p.is_told then null
    else regexp_replace(r.${sql.ref(column)}::text, ${written}::text, ${MASK}::text, 'gi')::jsonb end`;
  const { rows } = await sql<{ id: string; rows: number }>`
    with page as (
      select r.id, coalesce(${inBodies(words)}, false) as is_told, coalesce(${inBodies(masked)}, false) as is_masked
      from request_log r
      where ${inScope(scope, 'r')} and r.id > ${after}::uuid order by r.id limit ${BLANKED_MAX}
    ), blanked as (
      update request_log r set query = ${without('query')}, request_body = ${without('request_body')},
        response_body = ${without('response_body')}
      from page p
      where ${inScope(scope, 'r')} and r.id = p.id and (p.is_told or p.is_masked)
    )
    select p.id, count(*) over ()::int as rows from page p order by p.id desc limit 1`.execute(tx);
  const [last] = rows;
  return last === undefined || last.rows < BLANKED_MAX ? null : last.id;
}

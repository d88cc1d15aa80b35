/**
 * What was done in a workspace, of all sources together: its stores, itself, the accounts that are its members, and the
 * installation that it is of.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { containing, onPage, type Page } from '../../db/list.ts';

export interface AuditRow {
  id: string;
  /** Null = the workspace as a whole. */
  testMode: boolean | null;
  actor: string;
  operation: string;
  objectId: string | null;
  before: unknown;
  after: unknown;
  requestId: string | null;
  createdAt: number;
  client: string | null;
}

export interface AuditFilter {
  actor?: string;
  operation?: string;
  objectId?: string;
  requestId?: string;
  /** Part of the operation's name; or an object's, a request's or a doer's id. */
  term?: string;
  createdFrom?: number;
  createdTo?: number;
}

interface Asked {
  workspaceId: string;
  filter: AuditFilter;
}

/** The page's rows and one more, in its order: of each source as many as the page could need. */
export async function listAuditEntries(
  db: Db,
  { page, ...asked }: Asked & { page: Page },
): Promise<AuditRow[]> {
  const whole = { ...page, skip: 0, take: page.skip + page.take };
  const found: AuditRow[][] = [];
  for (const source of sources(db, asked)) found.push(await onPage(source, whole).execute());
  const sign = page.before === null ? -1 : 1;
  const inOrder = found.flat().sort((a, b) => sign * compare(a, b));
  return inOrder.slice(page.skip, page.skip + page.take + 1);
}

export async function countAuditEntries(db: Db, asked: Asked): Promise<number> {
  let total = 0;
  for (const source of sources(db, asked)) {
    const { count } = await db
      .selectFrom(source.as('found'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    total += count;
  }
  return total;
}

function compare(a: AuditRow, b: AuditRow): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function sources(db: Db, { workspaceId, filter }: Asked) {
  const ofStores = db
    .selectFrom('auditLog')
    .where('workspaceId', '=', workspaceId)
    // Both: the index of an object's rows names the mode before it.
    .where('testMode', 'in', [true, false])
    .select([
      'id',
      'testMode',
      'actor',
      'operation',
      'objectId',
      'before',
      'after',
      'requestId',
      'createdAt',
      'client',
    ]);
  const ofWorkspace = db
    .selectFrom('workspaceAudit')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'actor', 'operation', 'objectId', 'before', 'after', 'requestId', 'createdAt'])
    .select([sql<boolean | null>`null::boolean`.as('testMode'), sql<string | null>`null::text`.as('client')]);
  const members = db.selectFrom('memberships').select('accountId').where('workspaceId', '=', workspaceId);
  const ofAccounts = beyondWorkspaces(db, sql<SqlBool>`account_id in (${members})`);
  return [ofStores, ofWorkspace, ofAccounts, beyondWorkspaces(db, OF_ALL)].map((source) =>
    narrow(source as unknown as typeof ofAccounts, filter),
  );
}

/** What the operator did to the installation, and so to each of its workspaces. */
const OF_ALL = sql<SqlBool>`account_id is null and operation in ('holdInstallation', 'resumeInstallation')`;

function beyondWorkspaces(db: Db, isOne: RawBuilder<SqlBool>) {
  const told = db
    .selectFrom('accountAudit')
    .where(isOne)
    .select(['id', 'operation', 'requestId', 'createdAt', 'details as after'])
    .select([
      sql<boolean | null>`null::boolean`.as('testMode'),
      sql<string>`coalesce('account:' || account_id, 'operator')`.as('actor'),
      sql<string | null>`account_id::text`.as('objectId'),
      sql<unknown>`null::jsonb`.as('before'),
      sql<string | null>`null::text`.as('client'),
    ]);
  return db.selectFrom(told.as('told')).selectAll();
}

interface Narrowed<Q> {
  where(column: never, operator: never, value: never): Q;
  where(condition: never): Q;
}

function narrow<Q extends Narrowed<Q>>(
  source: Q,
  { createdFrom, createdTo, term, ...equal }: AuditFilter,
): Q {
  let query = source;
  const add = (column: string, operator: string, value: unknown) => {
    query = query.where(column as never, operator as never, value as never);
  };
  for (const [column, value] of Object.entries(equal)) if (value !== undefined) add(column, '=', value);
  if (createdFrom !== undefined) add('createdAt', '>=', createdFrom);
  if (createdTo !== undefined) add('createdAt', '<=', createdTo);
  return term ? query.where(isOf(term) as never) : query;
}

function isOf(term: string) {
  return sql<SqlBool>`(operation ilike ${containing(term)} or object_id = ${term} or request_id = ${term}
    or actor in (${term}, ${`account:${term}`}, ${`key:${term}`}))`;
}

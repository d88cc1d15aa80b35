/**
 * Lets go of what was kept for its time: the oldest first, by the real time that the database wrote into it, never by
 * an id's or the workspace's clock.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { allowChange } from '../../db/allow-change.ts';
import { askAllStores, askByTurns } from '../../db/by-turns.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import type { Kept } from '../../domain/retention.ts';
import { isHeld } from '../installation/held.sql.ts';
import { isOfSeen } from '../workspaces/restoring.sql.ts';
import { isAfter, type KeptPlace, type KeptRow, toCutMs } from './age.sql.ts';

type Sql = RawBuilder<unknown>;
/** The `where` of a table beside `r`, by its alias. */
type Within = (row: string) => Expression<SqlBool>;

interface Keeping {
  table: 'events' | 'webhook_attempts' | 'mails' | 'audit_log';
  /** When the row `r` was written. */
  at: Sql;
  /** Whether `r` is there to be let go at all; what is open is not. */
  isSpent: (beside: Within) => Sql;
  /** Whether `r` is to be looked at again: something about it is open. */
  isOpen: (beside: Within) => Sql;
  /** Lets go of the rows of `ids`. */
  letGo: (tx: Tx, scope: Scope, ids: readonly string[]) => Promise<void>;
}

export interface Cutting {
  kept: Kept;
  /** Rows that are as many days old, or older, are let go. */
  days: number;
}

const NEVER_BEFORE = 0;

const storeTime = (scope: Scope) =>
  sql`(select real_now_ms() + s.clock_offset_ms from stores s where ${inScope(scope, 's')})`;
const within =
  (scope: Scope): Within =>
  (row) =>
    inScope(scope, row);
const deliveriesOf = (beside: Within) => sql`from webhook_deliveries d
  where ${beside('d')} and d.event_id = r.id`;
const deliveries = (beside: Within) => sql`select ${deliveriesOf(beside)}`;
const ownDelivery = (beside: Within) => sql`select from webhook_deliveries d
  where ${beside('d')} and d.id = r.delivery_id`;
const writtenOr = sql`coalesce(r.written_real_ms, r.created_at)`;

/** Of events and audit rows without a time of writing nobody knows the age: they stay. */
const KEEPINGS: Readonly<Record<Kept, (cutMs: Sql) => Keeping>> = {
  event_bodies: () => ({
    table: 'events',
    at: sql`r.written_real_ms`,
    isSpent: (beside) =>
      sql`r.body is not null and not exists (${deliveries(beside)} and d.status = 'waiting')`,
    isOpen: () => sql`r.body is not null`,
    letGo: blankEvents,
  }),
  events: (cutMs) => {
    // One that was sent again lately goes with that delivery.
    const isInUse = (beside: Within) => sql`exists (${deliveries(beside)}
      and (d.status = 'waiting' or coalesce(d.written_real_ms, d.created_at) > ${cutMs}))`;
    return {
      table: 'events',
      at: sql`r.written_real_ms`,
      isSpent: (beside) => sql`not ${isInUse(beside)}`,
      isOpen: () => sql`true`,
      letGo: deleteEvents,
    };
  },
  webhook_attempts: () => {
    const isLast = (beside: Within) => sql`not exists (select from webhook_attempts l where ${beside('l')}
      and l.delivery_id = r.delivery_id and l.sequence > r.sequence)`;
    const isOpen = (beside: Within) => sql`exists (${ownDelivery(beside)} and d.status = 'waiting')`;
    return {
      table: 'webhook_attempts',
      at: writtenOr,
      isSpent: (beside) => sql`not ${isLast(beside)} and not ${isOpen(beside)}`,
      isOpen,
      letGo: (tx, scope, ids) => deleteRows(tx, scope, { table: 'webhook_attempts', ids }),
    };
  },
  mail_bodies: () => ({
    table: 'mails',
    at: writtenOr,
    isSpent: () =>
      sql`(r.letter is not null or r.html is not null or r.plain is not null) and r.status <> 'queued'`,
    isOpen: () => sql`r.status = 'queued'`,
    letGo: blankMails,
  }),
  mails: () => ({
    table: 'mails',
    at: writtenOr,
    isSpent: () => sql`r.status <> 'queued'`,
    isOpen: () => sql`r.status = 'queued'`,
    letGo: (tx, scope, ids) => deleteRows(tx, scope, { table: 'mails', ids }),
  }),
  audit_log: () => ({
    table: 'audit_log',
    at: sql`r.written_real_ms`,
    isSpent: () => sql`true`,
    isOpen: () => sql`false`,
    letGo: deleteAudit,
  }),
};

async function blankEvents(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await sql`update events set body = null, expired_at = ${storeTime(scope)}
    where ${inScope(scope)} and id = any(${ids}::uuid[])`.execute(tx);
}

async function blankMails(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await sql`update mails set letter = null, html = null, plain = null, expired_at = ${storeTime(scope)}
    where ${inScope(scope)} and id = any(${ids}::uuid[])`.execute(tx);
}

/** With their deliveries, whose attempts go with them. */
async function deleteEvents(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await sql`delete from webhook_deliveries where ${inScope(scope)} and event_id = any(${ids}::uuid[])`.execute(
    tx,
  );
  await deleteRows(tx, scope, { table: 'events', ids });
}

async function deleteAudit(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await allowChange(tx, 'retention', scope.workspaceId);
  await deleteRows(tx, scope, { table: 'audit_log', ids });
}

async function deleteRows(
  tx: Tx,
  scope: Scope,
  { table, ids }: { table: Keeping['table']; ids: readonly string[] },
): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${inScope(scope)} and id = any(${ids}::uuid[])`.execute(tx);
}

export interface BehindStore extends Scope {
  /** For how long the oldest row has been beyond its time (ms). */
  behindMs: number;
}

/**
 * Stores that hold what is beyond its time and was not looked at yet, or is open still; of one that may be a copy nothing
 * is let go. `byTurns`: where the store is spread, those whose turn it is.
 */
export async function listBehind(
  db: Db,
  { byTurns = false, ...asked }: Cutting & { limit: number; byTurns?: boolean },
): Promise<BehindStore[]> {
  if (!isSpread(db)) return selectBehind(db, asked);
  const ask = (one: Db, scope: Scope) => selectBehind(one, asked, scope);
  if (byTurns) return askByTurns(db, `behind with ${asked.kept}`, ask);
  return (await askAllStores(db, ask)).slice(0, asked.limit);
}

/** Stores that hold what should be gone: what is open is kept, and nobody is late with it. */
export async function listLate(db: Db, asked: Cutting & { limit: number }): Promise<BehindStore[]> {
  const late = { ...asked, isLate: true };
  if (!isSpread(db)) return selectBehind(db, late);
  return (await askAllStores(db, (one, scope) => selectBehind(one, late, scope))).slice(0, asked.limit);
}

/** `only` = of one store. */
async function selectBehind(
  db: Db,
  { kept, days, limit, isLate = false }: Cutting & { limit: number; isLate?: boolean },
  only?: Scope,
): Promise<BehindStore[]> {
  const cutMs = toCutMs(days);
  const { table, at, isSpent } = KEEPINGS[kept](cutMs);
  const isOnly = (row: string) => (only ? inScope(only, row) : sql`true`);
  const ofSame: Within = (row) => sql`(${sql.ref(`${row}.workspaceId`)} = r.workspace_id
    and ${sql.ref(`${row}.testMode`)} = r.test_mode and ${isOnly(row)})`;
  const { rows } = await sql<BehindStore>`
    select s.workspace_id, s.test_mode, ${cutMs} - oldest.at as behind_ms
    from stores s
    left join retention_marks m
      on m.workspace_id = s.workspace_id and m.test_mode = s.test_mode and m.kept = ${kept} and ${isOnly('m')}
    cross join lateral (
      select ${at} as at from ${sql.table(table)} r
      where r.workspace_id = s.workspace_id and r.test_mode = s.test_mode and ${isOnly('r')}
        and ${at} > coalesce(m.looked_real_ms, ${NEVER_BEFORE}) and ${at} <= ${cutMs}
        ${isLate ? sql`and ${isSpent(ofSame)}` : sql``}
      order by ${at} limit 1
    ) oldest
    where not ${isHeld('s')} and ${isOfSeen('s')} and ${isOnly('s')}
    limit ${limit}`.execute(db);
  return rows;
}

export interface Batch extends Cutting {
  /** Where the sweep of this store stands (real ms). */
  fromRealMs: number;
  limit: number;
  /** These alone, where others may not go yet; missing = all. */
  only?: readonly string[];
}

/** Lets go of the oldest rows, at most `limit`; answers how many, and where the next batch begins. */
export async function letGoOfOldest(
  tx: Tx,
  scope: Scope,
  { kept, days, fromRealMs, limit, only }: Batch,
): Promise<{ count: number; nextRealMs: number }> {
  const cutMs = toCutMs(days);
  const { table, at, isSpent, letGo } = KEEPINGS[kept](cutMs);
  const { rows } = await sql<{ id: string; at: number; createdAt: number }>`
    select r.id, ${at} as at, r.created_at from ${sql.table(table)} r
    where ${inScope(scope, 'r')} and ${at} > ${fromRealMs}::bigint and ${at} <= ${cutMs} and ${isSpent(within(scope))}
      ${only ? sql`and r.id = any(${only}::uuid[])` : sql``}
    order by ${at} limit ${limit} for update of r skip locked`.execute(tx);
  const last = rows.at(-1);
  if (last === undefined) return { count: 0, nextRealMs: fromRealMs };
  await letGo(
    tx,
    scope,
    rows.map(({ id }) => id),
  );
  const untilMs = Math.max(...rows.map(({ createdAt }) => createdAt));
  await sql`
    insert into retention_marks as m (workspace_id, test_mode, kept, until_ms, looked_real_ms)
    values (${scope.workspaceId}, ${scope.testMode}, ${kept}, ${untilMs}, ${NEVER_BEFORE})
    on conflict (workspace_id, test_mode, kept)
      do update set until_ms = greatest(m.until_ms, excluded.until_ms)`.execute(tx);
  // Others of the same millisecond may have had no room.
  return { count: rows.length, nextRealMs: last.at - 1 };
}

/** What would be let go, oldest first, as it is to be written down before; of an event with its deliveries. */
export async function listSpent(
  db: Db,
  scope: Scope,
  { kept, days, fromRealMs, after, limit }: Batch & { after: KeptPlace | null },
): Promise<KeptRow[]> {
  const cutMs = toCutMs(days);
  const { table, at, isSpent } = KEEPINGS[kept](cutMs);
  const beside =
    kept === 'events'
      ? sql`, 'webhook_deliveries', coalesce((select jsonb_agg(to_jsonb(d)) ${deliveriesOf(within(scope))}), '[]'),
          'webhook_attempts', coalesce((select jsonb_agg(to_jsonb(a)) from webhook_attempts a
            where ${inScope(scope, 'a')}
              and a.delivery_id in (select d.id ${deliveriesOf(within(scope))})), '[]')`
      : sql``;
  const { rows } = await sql<KeptRow>`
    select r.id, ${at} as at_ms,
      jsonb_build_object(${sql.lit(table)}, jsonb_build_array(to_jsonb(r)) ${beside})::text as line
    from ${sql.table(table)} r
    where ${inScope(scope, 'r')} and ${at} > ${fromRealMs}::bigint and ${at} <= ${cutMs} and ${isSpent(within(scope))}
      ${isAfter(at, after)}
    order by ${at}, r.id limit ${limit}`.execute(db);
  return rows;
}

/** Where the last sweep of the store ended (real ms). */
export async function findLooked(db: Db, scope: Scope, kept: Kept): Promise<number> {
  const row = await db
    .selectFrom('retentionMarks')
    .select('lookedRealMs')
    .where(inScope(scope))
    .where('kept', '=', kept)
    .executeTakeFirst();
  return row?.lookedRealMs ?? NEVER_BEFORE;
}

/** Notes that all up to now was looked at, but for what is open still. */
export async function noteLooked(tx: Tx, scope: Scope, { kept, days }: Cutting): Promise<void> {
  const cutMs = toCutMs(days);
  const { table, at, isOpen } = KEEPINGS[kept](cutMs);
  const fromMs = await findLooked(tx, scope, kept);
  await sql`
    insert into retention_marks as m (workspace_id, test_mode, kept, until_ms, looked_real_ms)
    select ${scope.workspaceId}, ${scope.testMode}, ${kept}, ${NEVER_BEFORE}, coalesce((
      select ${at} - 1 from ${sql.table(table)} r
      where ${inScope(scope, 'r')} and ${at} > ${fromMs}::bigint and ${at} <= ${cutMs} and ${isOpen(within(scope))}
      order by ${at} limit 1), ${cutMs})
    on conflict (workspace_id, test_mode, kept) do update set looked_real_ms = excluded.looked_real_ms`.execute(
    tx,
  );
}

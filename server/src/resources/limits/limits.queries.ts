/** All SQL of the counters of limits. Times are the database's real time, so that all processes agree. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { LimitTerms } from '../../domain/limits.ts';

/** A limit of somebody's: `subject` tells whose without saying who it is. */
export interface Counter extends LimitTerms {
  kind: string;
  subject: string;
}

/** What was counted later than now was counted before a clock was put back, and counts no more. */
const AHEAD_MS = 10_000;
/** By then a processor that is being asked has mostly answered. */
const ASKING_MS = 10_000;

/** How long until every one of the counters takes one more, in ms; 0 = they do now. */
export async function findWaitMs(db: Db, counters: readonly Counter[]): Promise<number> {
  // The one that has to leave the window first is the `max`-th from the end.
  const { rows } = await sql<{ waitMs: number | null }>`
    with asked as (${toAsked(counters)})
    select max(c.counted_at[cardinality(c.counted_at) - a.max + 1] + a.window_ms - a.now_ms) as wait_ms
    from asked a join limit_counters c on c.kind = a.kind and c.subject = a.subject
    where cardinality(c.counted_at) >= a.max
      and c.counted_at[cardinality(c.counted_at)] <= a.now_ms + ${AHEAD_MS}`.execute(db);
  return Math.max(0, rows[0]?.waitMs ?? 0);
}

interface Opener {
  /** As `orders.opened_by` names them. */
  openedBy: string;
  userId: string;
  /** The order that is tried again, which counts for nothing. */
  exceptOrderId: string | null;
  /** What was declined, of the opener's address and of the user: charges that are being asked for count as declined. */
  ofOpener: Counter;
  ofUser: Counter;
  /** Others that are asked as they stand. */
  others: readonly Counter[];
}

/** What is under way by somebody, and how long until a charge of theirs may be declined, in ms; 0 = it may now. */
export interface Underway {
  /**
   * Orders that hold something and wait for their payment, but for those that a slow method is paying. What the buyer has
   * to send by hand waits for them.
   */
  openByOpener: number;
  openByUser: number;
  waitMs: number;
}

/** What decides whether an order may be opened, or tried again, in one read. */
export async function findUnderway(tx: Tx, scope: Scope, opener: Opener): Promise<Underway> {
  const { openedBy, userId, exceptOrderId, ofOpener, ofUser, others } = opener;
  const asked = (counter: Counter, asking: RawBuilder<unknown>) =>
    sql`select a.*, (select ${asking} from underway u) as asking from (${toAsked([counter])}) a`;
  const { rows } = await sql<Underway>`
    with underway as (
      select count(*) filter (where is_openers and is_open) as open_by_opener,
        count(*) filter (where is_users and is_open) as open_by_user,
        count(*) filter (where is_openers and is_asked) as asked_by_opener,
        count(*) filter (where is_users and is_asked) as asked_by_user
      from (
        select o.opened_by = ${openedBy} as is_openers, o.user_id = ${userId} as is_users,
          o.holds = 'held' and (c.id is null or c.action_path is not null or c.payment_method is null
            or c.processor = 'manual') as is_open,
          c.id is not null and c.action_path is null and c.payment_method is null as is_asked
        from orders o
        left join charges c on ${inScope(scope, 'c')}
          and c.payment_id = o.last_payment_id and c.status = 'pending'
        where ${inScope(scope, 'o')} and o.opened_by is not null and o.status = 'PENDING'
          and (o.opened_by = ${openedBy} or o.user_id = ${userId}) and o.id is distinct from ${exceptOrderId}::uuid
      ) waiting
    ), asked as (
      ${asked(ofOpener, sql`asked_by_opener`)} union all ${asked(ofUser, sql`asked_by_user`)}
      union all select a.*, 0 from (${toAsked(others)}) a
    )
    select open_by_opener::int, open_by_user::int, coalesce((
      select max(case when a.asking >= a.max then ${ASKING_MS}::bigint
        else c.counted_at[cardinality(c.counted_at) - (a.max - a.asking) + 1] + a.window_ms - a.now_ms end)
      from asked a left join limit_counters c on c.kind = a.kind and c.subject = a.subject
        and c.counted_at[cardinality(c.counted_at)] <= a.now_ms + ${AHEAD_MS}
      where coalesce(cardinality(c.counted_at), 0) + a.asking >= a.max
    ), 0)::bigint as wait_ms
    from underway`.execute(tx);
  const { openByOpener, openByUser, waitMs } = rows[0] ?? { openByOpener: 0, openByUser: 0, waitMs: 0 };
  return { openByOpener, openByUser, waitMs: Math.max(0, waitMs) };
}

/**
 * Counts once for each counter, in one statement; what a counter has no room for is not counted. Answers how many
 * were. Rows are taken in one order, so that two who count the same do not wait for each other in a circle.
 */
export async function countOnce(db: Db, counters: readonly Counter[]): Promise<number> {
  const { rows } = await sql`
    with asked as (${toAsked(counters)})
    insert into limit_counters as c (kind, subject, counted_at, ends_at)
    select kind, subject, array[now_ms], now_ms + window_ms from asked order by kind, subject
    on conflict (kind, subject) do update set
      counted_at = coalesce((select array_agg(moment order by moment) ${ofWindow()}), '{}') || excluded.counted_at,
      ends_at = excluded.ends_at
    where (select count(*) ${ofWindow()})
      < (select a.max from asked a where a.kind = excluded.kind and a.subject = excluded.subject)
    returning 1`.execute(db);
  return rows.length;
}

/** Takes the last that was counted out of each counter, in the same order. */
export async function uncountOnce(db: Db, counters: readonly Counter[]): Promise<void> {
  await sql`
    with asked as (${toAsked(counters)}), held as (
      select c.kind, c.subject from limit_counters c join asked a on a.kind = c.kind and a.subject = c.subject
      order by c.kind, c.subject for update of c
    )
    update limit_counters c set counted_at = trim_array(c.counted_at, 1)
    from held h where c.kind = h.kind and c.subject = h.subject and cardinality(c.counted_at) > 0`.execute(
    db,
  );
}

/** The moments of the standing row that lie within the window which ends now. */
function ofWindow(): RawBuilder<unknown> {
  const now = sql`excluded.counted_at[1]`;
  return sql`from unnest(c.counted_at) as moment
        where moment > ${now} - (excluded.ends_at - ${now}) and moment <= ${now} + ${AHEAD_MS}`;
}

function toAsked(counters: readonly Counter[]): RawBuilder<unknown> {
  const values = counters.map(
    ({ kind, subject, max, windowMs }) =>
      sql`(${kind}::text, ${subject}::text, ${max}::int, ${windowMs}::bigint)`,
  );
  return sql`select a.*, n.now_ms from (values ${sql.join(values)}) as a (kind, subject, max, window_ms)
    cross join (select real_now_ms() as now_ms) n`;
}

/** Deletes up to `limit` counters whose window is over; answers how many. Skips those that are being counted on. */
export async function deleteOldCounters(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as (
      select kind, subject from limit_counters where ends_at <= real_now_ms()
      order by ends_at limit ${limit}::int for update skip locked
    )
    delete from limit_counters c using ended e where c.kind = e.kind and c.subject = e.subject`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** All SQL of the counters of limits. Times are the database's real time, so that all processes agree. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { LimitTerms } from '../../domain/limits.ts';

/** A limit of somebody's: `subject` tells whose without saying who it is. */
export interface Counter extends LimitTerms {
  kind: string;
  subject: string;
}

/** What was counted later than now was counted before a clock was put back, and counts no more. */
const AHEAD_MS = 10_000;

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
      select kind, subject from limit_counters where ends_at <= (select real_now_ms())
      order by ends_at limit ${limit}::int for update skip locked
    )
    delete from limit_counters c using ended e where c.kind = e.kind and c.subject = e.subject`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

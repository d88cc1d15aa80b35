/** Failed tries in a row, counted before each try is looked at, so that of many at once none is free. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

const WINDOW_MS = 15 * 60_000;
/** After so many the next try waits: 4 s, then twice as long each time. */
const FREE_TRIES = 5;
const WAIT_MS = 4_000;
const WAIT_MAX_MS = 900_000;

const ADDRESS_WINDOW_MS = 10 * 60_000;
export const ADDRESS_TRIES = 100;

export interface Try {
  /** A hash of what it is counted for. */
  subject: string;
  nowMs: number;
}

/** Counts a try; answers how many there were without a success, or null where the next one must wait. */
export async function countTry(db: Db, { subject, nowMs }: Try): Promise<number | null> {
  const failures = sql`case when t.ends_at <= ${nowMs} then 1 else t.failures + 1 end`;
  const waitMs = sql`case when t.ends_at <= ${nowMs} or t.failures + 1 < ${FREE_TRIES}::int then 0
    else least(${WAIT_MAX_MS}::bigint, ${WAIT_MS}::bigint * (1 << least(t.failures + 1 - ${FREE_TRIES}::int, 10))) end`;
  const { rows } = await sql<{ failures: number }>`
    insert into account_throttles as t (subject, failures, free_at, ends_at)
    values (${subject}, 1, ${nowMs}, ${nowMs}::bigint + ${WINDOW_MS}::bigint)
    on conflict (subject) do update set failures = ${failures}, free_at = ${nowMs}::bigint + ${waitMs},
      ends_at = ${nowMs}::bigint + ${waitMs} + ${WINDOW_MS}::bigint
      where t.free_at <= ${nowMs} or t.ends_at <= ${nowMs}
    returning failures`.execute(db);
  return rows[0]?.failures ?? null;
}

/** Counts a try of an address, of which there may be so many within a window; null where there were. */
export async function countAddressTry(db: Db, { subject, nowMs }: Try): Promise<number | null> {
  const endsAt = sql`${nowMs}::bigint + ${ADDRESS_WINDOW_MS}::bigint`;
  const { rows } = await sql<{ failures: number }>`
    insert into account_throttles as t (subject, failures, free_at, ends_at)
    values (${subject}, 1, ${nowMs}, ${endsAt})
    on conflict (subject) do update set
      failures = case when t.ends_at <= ${nowMs} then 1 else t.failures + 1 end,
      ends_at = case when t.ends_at <= ${nowMs} then ${endsAt} else t.ends_at end
      where t.failures < ${ADDRESS_TRIES}::int or t.ends_at <= ${nowMs}
    returning failures`.execute(db);
  return rows[0]?.failures ?? null;
}

/** How long the next try must wait, in ms. */
export async function findTryWaitMs(db: Db, subjects: readonly string[], nowMs: number): Promise<number> {
  const rows = await db
    .selectFrom('accountThrottles')
    .select(['freeAt', 'endsAt', 'failures'])
    .where('subject', 'in', subjects)
    .execute();
  const freeAt = rows.map((row) =>
    row.failures >= ADDRESS_TRIES && row.freeAt <= nowMs ? row.endsAt : row.freeAt,
  );
  return Math.max(0, ...freeAt.map((at) => at - nowMs));
}

/** A try that was right, of which more follow: it counts for nothing, and what was counted before stays. */
export async function releaseTries(
  db: Db,
  { subjects, nowMs }: { subjects: string[]; nowMs: number },
): Promise<void> {
  await sql`update account_throttles set failures = greatest(0, failures - 1), free_at = ${nowMs}
    where subject = any(${subjects}::text[])`.execute(db);
}

export async function deleteTries(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('accountThrottles').where('subject', '=', subject).execute();
}

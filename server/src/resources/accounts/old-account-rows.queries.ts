/** What of accounts is over: swept by the store's own real time. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { SESSION_IDLE_MS } from '../../domain/accounts/session-life.ts';

const DAY_MS = 24 * 3_600_000;
/** So long it can be seen still from where somebody had signed in. */
const SESSIONS_KEPT_MS = 7 * DAY_MS;
const IDLE_SESSIONS_KEPT_MS = SESSION_IDLE_MS + SESSIONS_KEPT_MS;
const MAILS_KEPT_MS = 7 * DAY_MS;
const FAILURES_KEPT_MS = 90 * DAY_MS;

/** At most `limit` rows of each table; answers how many in all. */
export async function deleteOldAccountRows(db: Db, limit: number): Promise<number> {
  const now = sql`real_now_ms()`;
  let count = 0;
  const sweeps = [
    sql`delete from account_sessions where id in (
      select id from account_sessions where ends_at <= ${now} - ${SESSIONS_KEPT_MS}::bigint
        or used_at <= ${now} - ${IDLE_SESSIONS_KEPT_MS}::bigint limit ${limit})`,
    sql`delete from account_tokens where id in (
      select id from account_tokens where ends_at <= ${now} limit ${limit})`,
    sql`delete from account_throttles where subject in (
      select subject from account_throttles where ends_at <= ${now} limit ${limit})`,
    sql`delete from account_mails where id in (
      select id from account_mails where created_at <= ${now} - ${MAILS_KEPT_MS}::bigint limit ${limit})`,
    sql`delete from account_audit where id in (
      select id from account_audit where created_at <= ${now} - ${FAILURES_KEPT_MS}::bigint
        and operation in ('signInFailed', 'signInThrottled') limit ${limit})`,
    // Of nobody's account; what the operator did is of none either, and is kept as other audit rows are.
    sql`delete from account_audit where id in (
      select id from account_audit where created_at <= ${now} - ${DAY_MS}::bigint and account_id is null
        and operation in ('signInFailed', 'signInThrottled') limit ${limit})`,
  ];
  for (const sweep of sweeps) {
    const { numAffectedRows } = await sweep.execute(db);
    count = Math.max(count, Number(numAffectedRows ?? 0n));
  }
  return count;
}

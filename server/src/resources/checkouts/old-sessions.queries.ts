/** Sessions of the checkout that came to nothing. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * Deletes up to `limit` sessions of all stores that made no order, 7 days of real time after their end; answers how
 * many. On a moved clock a session may have ended long before its time: it is kept for as long as without the move.
 */
export async function deleteOldSessions(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as (
      select c.workspace_id, c.test_mode, c.id from checkout_sessions c
      where c.order_id is null
        and coalesce(c.written_real_ms, c.created_at) <= (select real_now_ms()) - ${KEPT_MS}::bigint
        and coalesce(c.written_real_ms, c.created_at) + c.expires_at - c.created_at
          <= (select real_now_ms()) - ${KEPT_MS}::bigint
      order by coalesce(c.written_real_ms, c.created_at) limit ${limit}::int for update of c skip locked
    )
    delete from checkout_sessions c using ended e
    where c.workspace_id = e.workspace_id and c.test_mode = e.test_mode and c.id = e.id and c.order_id is null`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

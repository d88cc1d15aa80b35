/** Sessions of the checkout that came to nothing. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { DAY_MS } from '../../domain/figures/utc-days.ts';

const KEPT_MS = 7 * DAY_MS;

/**
 * Deletes up to `limit` sessions of all stores that made no order, 7 days of real time after their end; answers how
 * many. What their days count of them stays. On a moved clock a session may have ended long before its time: it is kept
 * for as long as without the move.
 */
export async function deleteOldSessions(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ended as (
      select c.workspace_id, c.test_mode, c.id from checkout_sessions c
      where c.order_id is null
        and coalesce(c.written_real_ms, c.created_at) <= (select real_now_ms()) - ${KEPT_MS}::bigint
        and coalesce(c.written_real_ms, c.created_at) + c.expires_at - c.created_at
          <= (select real_now_ms()) - ${KEPT_MS}::bigint
      order by coalesce(c.written_real_ms, c.created_at) limit ${limit}::int for update of c skip locked
    ), gone as (
      delete from checkout_sessions c using ended e
      where c.workspace_id = e.workspace_id and c.test_mode = e.test_mode and c.id = e.id and c.order_id is null
      returning c.workspace_id, c.test_mode, c.viewed_at, c.frame, c.element_id, c.offer_ids, c.started
    ), counted as (
      insert into checkout_days as d
        (workspace_id, test_mode, day, frame, cart, element_id, offer_ids, viewed, started)
      select workspace_id, test_mode, day, coalesce(frame, 'page'),
        coalesce(element_id::text, array_to_string(offer_ids, ',')), element_id, offer_ids,
        count(*), count(*) filter (where started)
      from (select *, viewed_at / ${DAY_MS}::bigint as day from gone where viewed_at is not null) g
      group by workspace_id, test_mode, day, frame, element_id, offer_ids
      order by 1, 2, 3, 4, 5
      on conflict (workspace_id, test_mode, day, frame, cart)
        do update set viewed = d.viewed + excluded.viewed, started = d.started + excluded.started
    )
    select count(*)::int as count from gone`.execute(db);
  return rows[0]?.count ?? 0;
}

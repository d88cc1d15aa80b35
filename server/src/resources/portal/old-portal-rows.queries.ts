/** What of the portals of all stores is over, deleted batch by batch. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** So long an ended session stays to be told of. */
const KEPT_MS = 24 * 3_600_000;

/** Deletes up to `limit` rows of each kind; answers how many. */
export async function deleteOldPortalRows(db: Db, limit: number): Promise<number> {
  let total = 0;
  for (const statement of [
    sql`delete from portal_sessions s using (
        select o.workspace_id, o.test_mode, o.id from portal_sessions o
        where o.ends_at <= (select real_now_ms()) - ${KEPT_MS}::bigint
        order by o.ends_at limit ${limit}::int for update skip locked) e
      where s.workspace_id = e.workspace_id and s.test_mode = e.test_mode and s.id = e.id`,
    // The mail with the code opens nothing any more: its words go first.
    sql`with ended as (
        select o.workspace_id, o.test_mode, o.id from portal_codes o
        where o.ends_at <= (select real_now_ms())
        order by o.ends_at limit ${limit}::int for update skip locked
      ), told as (
        update mails m set html = null, plain = null, params = '{}' from ended e
        where m.workspace_id = e.workspace_id and m.test_mode = e.test_mode and m.key = 'magic_link:' || e.id
      )
      delete from portal_codes c using ended e
      where c.workspace_id = e.workspace_id and c.test_mode = e.test_mode and c.id = e.id`,
    sql`delete from portal_failures f using (
        select o.workspace_id, o.test_mode, o.minute from portal_failures o
        where o.minute < (select real_now_ms()) / 60000 - 60
        order by o.minute limit ${limit}::int for update skip locked) e
      where f.workspace_id = e.workspace_id and f.test_mode = e.test_mode and f.minute = e.minute`,
    sql`update mails m set html = null, plain = null, params = '{}' from portal_email_changes e
      where e.code_ends_at <= (select real_now_ms()) and m.workspace_id = e.workspace_id and m.test_mode = e.test_mode
        and m.key = 'email_change_code:' || e.id and m.html is not null`,
    sql`with ended as (
        select o.workspace_id, o.test_mode, o.id from portal_email_changes o
        where o.ends_at <= (select real_now_ms())
        order by o.ends_at limit ${limit}::int for update skip locked
      ), told as (
        update mails m set html = null, plain = null, params = '{}' from ended e
        where m.workspace_id = e.workspace_id and m.test_mode = e.test_mode and m.key = 'email_change_note:' || e.id
      )
      delete from portal_email_changes c using ended e
      where c.workspace_id = e.workspace_id and c.test_mode = e.test_mode and c.id = e.id`,
    sql`delete from portal_exports where ends_at <= (select real_now_ms())`,
    sql`delete from portal_former_slugs where ends_at <= (select real_now_ms())`,
  ]) {
    const { numAffectedRows } = await statement.execute(db);
    total += Number(numAffectedRows ?? 0n);
  }
  return total;
}

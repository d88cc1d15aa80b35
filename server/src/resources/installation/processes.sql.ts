/** Which rows of `processes` are of processes that live. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isSpread } from '../../db/store-form.ts';

/** Without a word for so long it is gone. */
const GONE_AFTER_MS = 30_000;

const SPEAKS = sql<SqlBool>`seen_at >= (select real_now_ms()) - ${GONE_AFTER_MS}::bigint`;

/**
 * The one service of an embedded store says once that it is there, since what it said again and again would be archived:
 * it lives as long as it holds its lock (`db/embedded/lease.ts`).
 */
const HAS_STORE = sql<SqlBool>`
  (exists (select from pg_class where oid = to_regclass('processes') and relpersistence = 'u')
    and exists (select from pg_locks where locktype = 'advisory' and classid = 20303 and objid = 1 and granted)
    and id = (select newest.id from processes newest where newest.ended_at is null
      order by newest.started_at desc, newest.id desc limit 1))`;

/** Of a row of `processes`, under that name. */
export function isAlive(db: Db) {
  return isSpread(db)
    ? sql<SqlBool>`(ended_at is null and ${SPEAKS})`
    : sql<SqlBool>`(ended_at is null and (${SPEAKS} or ${HAS_STORE}))`;
}

/** Which rows of `processes` are of processes that live. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Without a word for so long it is gone. */
const GONE_AFTER_MS = 30_000;

const SPEAKS = sql<SqlBool>`seen_at >= (select real_now_ms()) - ${GONE_AFTER_MS}::bigint`;

const IS_NEWEST = sql<SqlBool>`
  id = (select newest.id from processes newest where newest.ended_at is null
    order by newest.started_at desc, newest.id desc limit 1)`;

/** Of a row of `processes`, under that name. `isServed` is what `isServedEmbedded` has answered. */
export function isAlive(isServed: boolean): RawBuilder<SqlBool> {
  const lives = isServed ? sql<SqlBool>`(${SPEAKS} or ${IS_NEWEST})` : SPEAKS;
  return sql<SqlBool>`(ended_at is null and ${lives})`;
}

/**
 * Whether this is an embedded store with its service on it. That one says once that it is there, since what it said again
 * and again would be archived: it lives as long as it holds its lock (`db/embedded/lease.ts`).
 */
export async function isServedEmbedded(db: Db): Promise<boolean> {
  const { rows } = await sql<{ served: boolean }>`
    select exists (select from pg_class where oid = to_regclass('processes') and relpersistence = 'u')
      and exists (select from pg_locks where locktype = 'advisory' and classid = 20303 and objid = 1 and granted)
      as served`.execute(db);
  return rows[0]?.served ?? false;
}

/** The processes over this store. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Without a word for so long it is gone. */
const GONE_AFTER_MS = 30_000;
/** Longer than anybody asks who it was. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

export interface LivingProcess {
  id: string;
  role: string;
  version: string;
  host: string;
  /** The connections to the store that it may open. */
  pool: number;
}

/** It lives; those that have long gone are forgotten. */
export async function noteProcess(db: Db, { id, role, version, host, pool }: LivingProcess): Promise<void> {
  await sql`
    with gone as (
      delete from processes where seen_at < (select real_now_ms()) - ${FORGOTTEN_AFTER_MS}::bigint)
    insert into processes (id, role, version, host, pool, started_at, seen_at)
    values (${id}::uuid, ${role}, ${version}, ${host}, ${pool}::int, real_now_ms(), real_now_ms())
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** It has stopped in good order. */
export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

export interface Processes {
  count: number;
  /** The connections to the store that all of them may open together. */
  pools: number;
}

export async function countProcesses(db: Db): Promise<Processes> {
  const { rows } = await sql<Processes>`
    select count(*)::int as count, coalesce(sum(pool), 0)::int as pools from processes
    where seen_at >= (select real_now_ms()) - ${GONE_AFTER_MS}::bigint`.execute(db);
  return rows[0] ?? { count: 0, pools: 0 };
}

/** How many connections the server lets in. */
export async function getConnectionsMax(db: Db): Promise<number> {
  const { rows } = await sql<{ max: number }>`
    select current_setting('max_connections')::int as max`.execute(db);
  return rows[0]?.max ?? 0;
}

/**
 * Who is there, and who does what for all, is worth no log of an embedded store: it is written every few seconds, and
 * again after every start. Nor may clearing up after it write: a store that rests archives nothing.
 */
export async function keepProcessesUnlogged(db: Db): Promise<void> {
  for (const table of ['processes', 'upkeep'] as const) {
    const { rows } = await sql<{ isLogged: boolean; isCleared: boolean }>`
      select relpersistence = 'p' as is_logged,
        not coalesce('autovacuum_enabled=false' = any(reloptions), false) as is_cleared
      from pg_class where oid = ${table}::regclass`.execute(db);
    if (rows[0]?.isLogged) await sql`alter table ${sql.table(table)} set unlogged`.execute(db);
    if (rows[0]?.isCleared)
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  }
}

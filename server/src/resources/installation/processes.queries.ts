/** The processes over this store. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { readTogether } from '../../db/transaction.ts';
import type { Beat } from '../../db/witness.ts';
import { isAlive, isServedEmbedded } from './processes.sql.ts';
import { TIMELINE } from './timeline.sql.ts';

const DAY_MS = 24 * 3_600_000;
/** So long a service may stand still and still remember. */
const BEATS_KEPT_MS = 30 * DAY_MS;

const BEAT = sql`p.id as process_id, p.beat as count, p.seen_at as at_ms`;

type WrittenBeat = Omit<Beat, 'timeline'>;

export interface LivingProcess {
  id: string;
  role: string;
  version: string;
  host: string;
  /** The connections to the store that it may open. */
  pool: number;
  /** Where it keeps files; null = in its own DATA_DIR. */
  filesUrl: string | null;
}

/** It lives: the first of its beats, or one that begins anew. Those that have long gone are forgotten. */
export async function noteProcess(db: Db, own: LivingProcess): Promise<Beat> {
  const { id, role, version, host, pool, filesUrl } = own;
  await sql`delete from processes where seen_at < real_now_ms() - ${BEATS_KEPT_MS}::bigint`.execute(db);
  const beat = await onOneServer(
    db,
    sql<WrittenBeat>`
    insert into processes as p (id, role, version, host, pool, files_url, started_at, seen_at, beat)
    values (${id}::uuid, ${role}, ${version}, ${host}, ${pool}::int, ${filesUrl}, real_now_ms(), real_now_ms(), 1)
    on conflict (id) do update set seen_at = excluded.seen_at, beat = p.beat + 1
    returning ${BEAT}`,
  );
  if (!beat) throw new Error('what is inserted or updated is answered');
  return beat;
}

/** One more; null = the store does not show the last. */
export async function writeBeat(db: Db, last: Beat): Promise<Beat | null> {
  return onOneServer(
    db,
    sql<WrittenBeat>`
    update processes p set beat = ${last.count + 1}::bigint, seen_at = real_now_ms()
    where p.id = ${last.processId}::uuid and p.beat >= ${last.count}::bigint
    returning ${BEAT}`,
  );
}

/** With the timeline of the server that was asked, wherever the row lies. */
async function onOneServer(db: Db, writing: RawBuilder<WrittenBeat>): Promise<Beat | null> {
  const [written, asked] = await readTogether(db, (one) =>
    Promise.all([
      writing.execute(one),
      sql<Pick<Beat, 'timeline'>>`select ${TIMELINE} as timeline`.execute(one),
    ]),
  );
  const [beat] = written.rows;
  const [server] = asked.rows;
  return beat && server ? { ...beat, ...server } : null;
}

/** Whether the store shows it, or a later one; null = it is so old that its row may be gone in good order. */
export async function hasBeat(db: Db, { processId, count, atMs }: Beat): Promise<boolean | null> {
  const { rows } = await sql<{ isThere: boolean; isOld: boolean }>`
    select exists (select from processes p where p.id = ${processId}::uuid and p.beat >= ${count}::bigint) as is_there,
      ${atMs}::bigint < real_now_ms() - ${BEATS_KEPT_MS - DAY_MS}::bigint as is_old`.execute(db);
  return rows[0]?.isThere ? true : rows[0]?.isOld ? null : false;
}

/** When somebody who remembers was last there (real ms); null = nobody is. */
export async function findLastBeat(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seenAt: number | null }>`
    select max(seen_at) as seen_at from processes where ended_at is null`.execute(db);
  return rows[0]?.seenAt ?? null;
}

/** It has stopped in good order. */
export async function endProcess(db: Db, id: string): Promise<void> {
  await sql`update processes set ended_at = real_now_ms() where id = ${id}::uuid`.execute(db);
}

export interface Processes {
  count: number;
  /** The connections to the store that all of them may open together. */
  pools: number;
}

export async function countProcesses(db: Db): Promise<Processes> {
  const isServed = await isServedEmbedded(db);
  const { rows } = await sql<Processes>`
    select count(*)::int as count, coalesce(sum(pool), 0)::int as pools from processes
    where ${isAlive(isServed)}`.execute(db);
  return rows[0] ?? { count: 0, pools: 0 };
}

export interface SeenProcess extends LivingProcess {
  /** Real time (ms), by the store's clock. */
  startedAt: number;
  seenAt: number;
}

/** Those that live, the oldest first. */
export async function listProcesses(db: Db): Promise<SeenProcess[]> {
  const isServed = await isServedEmbedded(db);
  const { rows } = await sql<SeenProcess>`
    select id, role, version, host, pool, files_url, started_at, seen_at from processes
    where ${isAlive(isServed)}
    order by started_at, id`.execute(db);
  return rows;
}

/** The machines whose processes keep files each in a DATA_DIR of its own: of two, each has what the other lacks. */
export async function listHostsApart(db: Db): Promise<string[]> {
  const isServed = await isServedEmbedded(db);
  const { rows } = await sql<{ host: string }>`
    select distinct host from processes
    where ${isAlive(isServed)} and files_url is null
    order by host`.execute(db);
  return rows.map(({ host }) => host);
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

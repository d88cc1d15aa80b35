/**
 * A standby that is read for what may be some seconds old, and looks at many rows. Whoever asks goes to the primary where
 * it does not answer, or is too far behind.
 */
import { sql } from 'kysely';
import { preferStandby } from '../domain/store-url.ts';
import { type Db, openDatabase } from './database.ts';

export interface ReportsStore {
  /** Null = the primary is to be asked. */
  find(): Promise<Standby | null>;
  close(): Promise<void>;
}

export interface Standby {
  db: Db;
  /** How old at most what it shows is, in seconds. */
  staleS: number;
}

const STALE_MAX_S = 10;
/** However many ask: it is looked at once in this time. */
const SHARED_MS = 1_000;

/** Few at a time, which may take a while. */
const LIMITS = { maxConnections: 4, acquireTimeoutMs: 2_000, statementTimeoutMs: 30_000 };

/** `url` null: there is none. */
export function openReports(url: string | null, limits: Partial<typeof LIMITS> = {}): ReportsStore {
  if (url === null) return { find: async () => null, close: async () => {} };
  const database = openDatabase({ connectionString: preferStandby(url), ...LIMITS, ...limits });
  let last: { atMs: number; found: Promise<Standby | null> } | null = null;
  const look = async (): Promise<Standby | null> => {
    const staleS = await readLag(database.db).catch(() => null);
    return staleS === null || staleS > STALE_MAX_S ? null : { db: database.db, staleS };
  };
  return {
    find() {
      const nowMs = performance.now();
      if (last === null || nowMs - last.atMs >= SHARED_MS) last = { atMs: nowMs, found: look() };
      return last.found;
    },
    close: () => database.close(),
  };
}

/**
 * Since the last transaction that it has replayed: processes say each second that they live, so that there always is
 * one. Null = it has replayed none yet; a primary is never behind.
 */
async function readLag(db: Db): Promise<number | null> {
  const { rows } = await sql<{ lag: number | null }>`
    select case when pg_is_in_recovery()
      then greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::float8
      else 0 end as lag`.execute(db);
  return rows[0]?.lag ?? null;
}

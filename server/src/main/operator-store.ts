/** The store as the operator's commands open it: the one at DATABASE_URL, or the embedded one beside its service. */
import { type Config, parseConfig } from '../config.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../db/database.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../db/embedded/store.ts';
import { readEnvironment } from './environment.ts';

export interface OperatorStore {
  connection: Pick<DatabaseOptions, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
  /** Of the embedded store; null = a PostgreSQL of the operator's own. */
  place: EmbeddedStore['place'] | null;
  /** Of the embedded store, where it is backed up. */
  backups: EmbeddedStore['backups'];
  stop(): Promise<void>;
}

async function openOperatorStore({ databaseUrl, dataDir, backups }: Config): Promise<OperatorStore> {
  if (databaseUrl !== null)
    return {
      connection: { connectionString: databaseUrl },
      place: null,
      backups: null,
      stop: async () => {},
    };
  const store = await openEmbeddedStore({ dataDir, backups, log: () => {}, purpose: 'attach' });
  return {
    connection: store.poolConfig,
    place: store.place,
    backups: store.backups,
    stop: () => store.stop(),
  };
}

/** Wrong arguments: told with the usage. */
export class UsageError extends Error {}

/** Refused: told with the reason. */
const REFUSED: ReadonlySet<string> = new Set(['RestoreError', 'AgeError']);

/** As all commands end: 2 = wrong arguments, 3 = refused, 1 = all else. */
export function toExitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof Error && REFUSED.has(error.name) ? 3 : 1;
}

/** Runs a command over the store. What it throws is told in one line, and the process ends with another code than 0. */
export async function runOnStore(
  run: (db: Db, config: Config, store: OperatorStore) => Promise<void>,
  { statementTimeoutMs = 30_000 }: { statementTimeoutMs?: number } = {},
): Promise<void> {
  try {
    const config = parseConfig(readEnvironment());
    const store = await openOperatorStore(config);
    const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs };
    const database = openDatabase({ ...store.connection, ...limits });
    try {
      await run(database.db, config, store);
    } finally {
      await database.close();
      await store.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = toExitCode(error);
  }
}

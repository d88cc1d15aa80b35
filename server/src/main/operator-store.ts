/** The store as the operator's commands open it: the one at DATABASE_URL, or the embedded one beside its service. */
import type { Config } from '../config.ts';
import type { DatabaseOptions } from '../db/database.ts';
import { openEmbeddedStore } from '../db/embedded/store.ts';

export interface OperatorStore {
  connection: Pick<DatabaseOptions, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
  stop(): Promise<void>;
}

export async function openOperatorStore({ databaseUrl, dataDir }: Config): Promise<OperatorStore> {
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, stop: async () => {} };
  const store = await openEmbeddedStore({ dataDir, log: () => {}, purpose: 'attach' });
  return { connection: store.poolConfig, stop: () => store.stop() };
}

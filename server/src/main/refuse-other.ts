/** Before anything is migrated: whether MIGRATE_DATABASE_URL reaches the store of DATABASE_URL, by what each has seen run. */
import type { Config } from '../config.ts';
import { createClient } from '../db/hosts/hosts-client.ts';
import { EXIT } from './exit-codes.ts';
import { overMigrateUrl, StartError } from './start-error.ts';

const OTHER =
  'MIGRATE_DATABASE_URL reaches another store than DATABASE_URL: name the same database at both, or leave it out';

/**
 * Of one store each look shows what the one before showed, and more where another process migrates meanwhile. Identifiers
 * would not do: a node of a cluster has its own, and is the same store.
 */
export async function refuseOther(config: Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl'>): Promise<void> {
  const { databaseUrl, migrateDatabaseUrl } = config;
  if (databaseUrl === null || migrateDatabaseUrl === null) return;
  const before = await readRun(databaseUrl);
  const there = await overMigrateUrl(config, () => readRun(migrateDatabaseUrl));
  const after = await readRun(databaseUrl);
  if (!isWithin(before, there) || !isWithin(there, after)) throw new StartError(OTHER, { exit: EXIT.usage });
}

const isWithin = (some: Set<string>, all: Set<string>) => [...some].every((name) => all.has(name));

/** The names of the migrations that have run; none in a store that has no data. */
async function readRun(connectionString: string): Promise<Set<string>> {
  const client = createClient({ connectionString, application_name: 'counterfoil' });
  // What breaks shows in what is asked.
  client.on('error', () => {});
  await client.connect();
  try {
    const found = await client.query<{ ours: boolean }>(
      `select to_regclass('schema_migrations') is not null as ours`,
    );
    if (!found.rows[0]?.ours) return new Set();
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    return new Set(rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

/** How the schema of the store and that of this version differ. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isOlder, MIGRATIONS, readMigrations } from '../../db/migrate.ts';
import { PRODUCT_VERSION } from '../../domain/version.ts';

export interface ComparedMigrations {
  /** Of this version, and not in the store. */
  pending: string[];
  /** In the store, and not of this version. */
  unknown: string[];
  /** The oldest version that may run over it, where this one is older; null = this one may. */
  neededVersion: string | null;
}

export async function compareMigrations(db: Db): Promise<ComparedMigrations> {
  const ours = (await readMigrations(MIGRATIONS)).map(({ name }) => name);
  const theirs = await listMigrations(db);
  return {
    pending: ours.filter((name) => !theirs.includes(name)),
    unknown: theirs.filter((name) => !ours.includes(name)),
    neededVersion: await readNeeded(db),
  };
}

async function readNeeded(db: Db): Promise<string | null> {
  const { rows: made } = await sql`select where to_regclass('schema_compat') is not null`.execute(db);
  if (made.length === 0) return null;
  const { rows } = await sql<{ version: string }>`
    select min_code_version as version from schema_compat`.execute(db);
  const oldest = rows[0]?.version ?? '0.0.0';
  return isOlder(PRODUCT_VERSION, oldest) ? oldest : null;
}

async function listMigrations(db: Db): Promise<string[]> {
  const { rows: made } = await sql`select where to_regclass('schema_migrations') is not null`.execute(db);
  if (made.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  return rows.map(({ name }) => name);
}

/** A table, a column or a function that a schema of before has not. */
const NOT_THERE: ReadonlySet<string> = new Set(['42P01', '42703', '42883']);

/** What is missing, where that is why something could not be asked for; null = it is another failure. */
export async function findMissing(db: Db, error: unknown): Promise<ComparedMigrations | null> {
  if (!(error instanceof Error) || !('code' in error) || !NOT_THERE.has(String(error.code))) return null;
  const compared = await compareMigrations(db);
  return compared.pending.length > 0 ? compared : null;
}

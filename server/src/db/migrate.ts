import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url));

/**
 * Brings the store to the newest schema: plain SQL files, in name order, each once. Safe to call from
 * several processes at once (the migrator holds a lock). Returns how many ran.
 */
export async function migrate(pool: pg.Pool): Promise<number> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: sharing(pool) }) });
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return results?.length ?? 0;
}

/** The caller's pool outlives this Kysely, so that ending the latter must not end the former. */
function sharing(pool: pg.Pool): Pick<pg.Pool, 'connect' | 'end' | 'options'> {
  return {
    options: pool.options,
    connect: pool.connect.bind(pool) as pg.Pool['connect'],
    end: async () => {},
  };
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const entries = await Promise.all(
    names.map(async (name): Promise<[string, Migration]> => {
      const text = await readFile(`${MIGRATIONS}${name}`, 'utf8');
      return [name.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }];
    }),
  );
  return Object.fromEntries(entries);
}

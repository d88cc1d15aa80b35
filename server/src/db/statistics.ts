/**
 * Keeps what PostgreSQL believes of our tables' sizes near the truth while a store grows. Its own look comes once a
 * minute, if it is switched on at all, and until then every plan is one for tables that are all but empty: it reads a
 * whole workspace through the wrong index, where a row's own would do.
 */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A table is looked at anew when it has grown to so many times the size that plans are made for. */
const GROWTH = 2;
/** Smaller ones are read in no time, whatever the plan (pages of 8 KiB). */
const PAGES_MIN = 16;

interface GrownTable {
  name: string;
}

/** Looks at the tables that have outgrown what is believed of them; answers their names. */
export async function refreshStatistics(db: Db): Promise<string[]> {
  const names = await listGrown(db);
  // Another process may be at it: skipped, since its result serves all.
  for (const name of names) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
  return names;
}

/** Tables that plans are made for as if they were much smaller. A question to the catalogue, which writes nothing. */
export async function listGrown(db: Db): Promise<string[]> {
  const { rows } = await sql<GrownTable>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and pg_relation_size(c.oid) / current_setting('block_size')::int
        > greatest(${PAGES_MIN}::int, ${GROWTH}::int * c.relpages)
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

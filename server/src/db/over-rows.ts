/**
 * Rows of many stores that are over: listed by the workspaces that they may be of, and deleted store by store, each
 * statement for the one node where the store lies.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from './database.ts';
import { inScope, type Scope } from './scope.ts';

export interface OverRows {
  table: string;
  /** What names a row in its store, and its types. */
  key: Readonly<Record<string, 'uuid' | 'text' | 'bigint'>>;
  /** Whether the row `r` is over: asked when it is listed, and again when it is deleted. */
  isOver: RawBuilder<SqlBool>;
  /** By which those that are over the longest come first. */
  since: RawBuilder<unknown>;
}

/** A row's store and the values of its key, in the order of its columns. */
export interface OverRow extends Scope {
  key: string[];
}

export interface ListingOver {
  workspaceIds: readonly string[];
  limit: number;
}

/** Up to `limit` rows that are over, of these workspaces. */
export async function listOver(
  db: Db,
  { table, key, isOver, since }: OverRows,
  { workspaceIds, limit }: ListingOver,
): Promise<OverRow[]> {
  const names = sql.join(Object.keys(key).map((name) => sql`${sql.ref(`r.${name}`)}::text`));
  const { rows } = await sql<OverRow>`
    select r.workspace_id, r.test_mode, array[${names}] as key from ${sql.table(table)} r
    where r.workspace_id = any(${workspaceIds}::uuid[]) and ${isOver}
    order by ${since} limit ${limit}::int`.execute(db);
  return rows;
}

/** Deletes those of a store that still are; answers how many. What others have in hand is left to them. */
export async function deleteOver(
  db: Db,
  scope: Scope,
  { of, rows }: { of: OverRows; rows: readonly OverRow[] },
): Promise<number> {
  const { table, key, isOver } = of;
  const names = Object.keys(key);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(
    Object.values(key).map((type, place) => sql`${rows.map((row) => row.key[place])}::${sql.raw(type)}[]`),
  );
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${inScope(scope)} and (${columns}) in (
      select ${sql.join(names.map((name) => sql.ref(`r.${name}`)))} from ${sql.table(table)} r
      where ${inScope(scope, 'r')} and (${columns}) in (select * from unnest(${values})) and ${isOver}
      for update of r skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

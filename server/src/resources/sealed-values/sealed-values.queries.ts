/**
 * Every value that the store keeps sealed, whatever it belongs to: which keys they need, and how they are sealed anew
 * or given up. A new column of such joins the list.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { LOST } from './lost.sql.ts';

interface SealedColumn {
  table: string;
  column: string;
  /** Identifies a row. */
  key: string;
  /** Columns that tell where the value belongs, the last of them the key. */
  parts: readonly string[];
  /** What else is true of the row once its value is given up. */
  whenLost: string | null;
  /** As an operator calls them, in the plural. */
  noun: string;
  /** What was sealed with it: where the value belongs. */
  toPlace: (parts: readonly string[]) => string[];
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'account_totp',
    column: 'secret',
    key: 'account_id',
    noun: 'authenticator apps',
    parts: ['account_id'],
    whenLost: null,
    toPlace: (parts) => ['account', ...parts, 'totp'],
  },
  {
    table: 'processors',
    column: 'credentials',
    key: 'id',
    noun: 'processors',
    parts: ['workspace_id', 'test_mode', 'id'],
    whenLost: `health = 'broken', health_reason = 'credentials_lost', health_since = real_now_ms()`,
    toPlace: (parts) => [...parts, 'credentials'],
  },
  {
    table: 'processor_endpoints',
    column: 'secret',
    key: 'id',
    noun: 'secrets of notifications',
    parts: ['workspace_id', 'test_mode', 'id'],
    whenLost: null,
    toPlace: (parts) => [...parts, 'notification'],
  },
];

/** How many values each key has sealed, by the key's id. */
export async function countByKey(db: Db, { table, column }: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ keyId: string; count: number }>`
    select split_part(${sql.ref(column)}, '.', 2) as "keyId", count(*)::int as count
    from ${sql.table(table)} where ${sql.ref(column)} like 'v1.%' group by 1`.execute(db);
  return new Map(rows.map(({ keyId, count }) => [keyId, count]));
}

export interface SealedValue {
  key: string;
  /** Of the row, as `toPlace` reads them. */
  parts: string[];
  value: string;
}

/** Values that other keys than these have sealed, in the order of their rows. */
export async function listSealedByOthers(
  db: Db,
  { table, column, key, parts }: SealedColumn,
  { keyIds, afterKey, limit }: { keyIds: readonly string[]; afterKey: string | null; limit: number },
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(key)}::text as key, ${sql.ref(column)} as value,
      array[${sql.join(parts.map((part) => sql`${sql.ref(part)}::text`))}] as parts from ${sql.table(table)}
    where ${sql.ref(column)} like 'v1.%' and split_part(${sql.ref(column)}, '.', 2) != all(${[...keyIds]}::text[])
      and (${afterKey}::uuid is null or ${sql.ref(key)} > ${afterKey}::uuid)
    order by ${sql.ref(key)} limit ${limit}`.execute(db);
  return rows;
}

/** Unless it was changed meanwhile; answers whether it was not. */
export async function replaceSealed(
  db: Db,
  { table, column, key: name, whenLost }: SealedColumn,
  { key, value, by }: SealedValue & { by: string },
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${by}
      ${by === LOST && whenLost !== null ? sql.raw(`, ${whenLost}`) : sql``}
    where ${sql.ref(name)} = ${key}::uuid and ${sql.ref(column)} = ${value}
    returning 1`.execute(db);
  return rows.length === 1;
}

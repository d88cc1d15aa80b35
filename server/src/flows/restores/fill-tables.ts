/**
 * Rows go into tables lot by lot, each table after those that its rows point to, and each lot is held to the text that it
 * came as in the transaction that stores it.
 */
import { createHash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { orderTables } from '../../domain/restores/order-tables.ts';
import {
  beginLot,
  insertLot,
  listTables,
  type RestoredTable,
} from '../../resources/restores/restores.queries.ts';
import { RestoreError } from './restore-error.ts';

/** Where the rows of a table come from, a text of JSON each. */
export interface RowSource {
  /** How many there are to be; null = nobody has counted them. */
  rows: number | null;
  /** From the beginning, each time. */
  read(): AsyncIterable<string[]>;
  /** Columns that the texts leave out. */
  leftOut: readonly string[];
  /** What a column is set to instead of what a text says. */
  instead: Readonly<Record<string, RawBuilder<unknown>>>;
}

/** Answers how many rows went in; `afterTable` is told of each that is full. Throws RestoreError. */
export async function fillTables(
  db: Db,
  sources: ReadonlyMap<string, RowSource>,
  afterTable: (name: string) => Promise<void> = async () => {},
): Promise<number> {
  const tables = new Map((await listTables(db, [...sources.keys()])).map((table) => [table.name, table]));
  const unknown = [...sources.keys()].find((name) => !tables.has(name));
  if (unknown !== undefined) throw new RestoreError(`There are rows of ${unknown}, which the store has not.`);
  const deferred = [...tables.values()].flatMap(({ name, deferred }) =>
    deferred.map((to) => `${name}>${to}`),
  );
  let rows = 0;
  for (const group of orderTables([...tables.values()], new Set(deferred))) {
    const filled = group.flatMap((name) => toFilling(tables.get(name), sources.get(name)));
    // A circle of tables is whole at the end of one transaction; of a single table each lot has its own.
    rows +=
      filled.length > 1
        ? await inTransaction(db, (tx) => fillAll(filled, (work) => work(tx)))
        : await fillAll(filled, (work) => inTransaction(db, work));
    for (const name of group) await afterTable(name);
  }
  return rows;
}

interface Filling {
  table: RestoredTable;
  source: RowSource;
}

const toFilling = (table?: RestoredTable, source?: RowSource): Filling[] =>
  table && source ? [{ table, source }] : [];

type Opening = (work: (tx: Tx) => Promise<number>) => Promise<number>;

async function fillAll(all: readonly Filling[], open: Opening): Promise<number> {
  let rows = 0;
  for (const filling of all) {
    const { table, source } = filling;
    const passes = table.ownReference === null ? [null] : [false, true];
    let filled = 0;
    for (const isPointing of passes) filled += await fill(filling, isPointing, open);
    if (source.rows !== null && filled !== source.rows)
      throw new RestoreError(`Of ${table.name} ${filled} rows went in of ${source.rows}.`);
    rows += filled;
  }
  return rows;
}

async function fill({ table, source }: Filling, isPointing: boolean | null, open: Opening): Promise<number> {
  const { instead, leftOut } = source;
  const isAsItWas = Object.keys(instead).length === 0 && isPointing === null;
  let rows = 0;
  for await (const lines of source.read()) {
    rows += await open(async (tx) => {
      await beginLot(tx);
      const stored = await insertLot(tx, { table, lines, leftOut, instead, isPointing });
      if (isAsItWas && (stored.rows !== lines.length || stored.sum !== sumOf(lines)))
        throw new RestoreError(`Rows of ${table.name} did not go in as they stand where they come from.`);
      return stored.rows;
    });
  }
  return rows;
}

/** As the store sums the same texts. */
function sumOf(lines: readonly string[]): string {
  let sum = 0n;
  for (const line of lines) sum += BigInt(`0x${createHash('md5').update(line).digest('hex').slice(0, 15)}`);
  return String(sum);
}

/**
 * The rows of an archive go in lot by lot, each table after those that its rows point to, and each lot is held to the
 * file's own text of it in the transaction that stores it. Nobody sees a workspace of which this is under way.
 */
import { createHash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { SECRET_COLUMNS } from '../../domain/exports/left-out.ts';
import { orderTables } from '../../domain/restores/order-tables.ts';
import {
  beginLot,
  insertLot,
  insertMissingStores,
  listTables,
  PARKED,
  type RestoredTable,
} from '../../resources/restores/restores.queries.ts';
import { type Archive, type ReadPart, readLots } from './read-archive.ts';
import { RestoreError } from './restore-error.ts';

const LOT = { rowsMax: 1_000, bytesMax: 4 * 1024 ** 2 };

/** What becomes of a column on its way: nobody sees the workspace, and nothing of it is due. */
const INSTEAD: Readonly<Record<string, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  workspaces: { state: sql`'restoring'` },
  due_work: { due_real_ms: PARKED, lease_until_ms: sql`null` },
};

export interface Restoring {
  archive: Archive;
  workspaceIds: readonly string[];
  /** Tables whose rows are not taken over. */
  leftOut: ReadonlySet<string>;
}

/** Answers how many rows went in. Throws RestoreError. */
export async function restoreRows(db: Db, { archive, workspaceIds, leftOut }: Restoring): Promise<number> {
  const parts = findTableParts(archive, leftOut);
  const tables = new Map((await listTables(db, [...parts.keys()])).map((table) => [table.name, table]));
  const unknown = [...parts.keys()].find((name) => !tables.has(name));
  if (unknown !== undefined)
    throw new RestoreError(`The file has rows of ${unknown}, which the store has not.`);
  const deferred = [...tables.values()].flatMap(({ name, deferred }) =>
    deferred.map((to) => `${name}>${to}`),
  );
  let rows = 0;
  for (const group of orderTables([...tables.values()], new Set(deferred))) {
    const filled = group.flatMap((name) => toFilling(archive, tables.get(name), parts.get(name)));
    // A circle of tables is whole at the end of one transaction; of a single table each lot has its own.
    rows +=
      filled.length > 1
        ? await inTransaction(db, (tx) => fillAll(filled, (work) => work(tx)))
        : await fillAll(filled, (work) => inTransaction(db, work));
    if (group.includes('stores')) await inTransaction(db, (tx) => insertMissingStores(tx, workspaceIds));
  }
  return rows;
}

function findTableParts({ parts }: Archive, leftOut: ReadonlySet<string>): Map<string, ReadPart> {
  const found = new Map<string, ReadPart>();
  for (const [name, part] of parts) {
    const table = /^rows\/([a-z0-9_]+)\.jsonl$/.exec(name)?.[1];
    if (table !== undefined && !leftOut.has(table)) found.set(table, part);
  }
  return found;
}

interface Filling {
  table: RestoredTable;
  part: ReadPart;
  secrets: readonly string[];
}

function toFilling({ header }: Archive, table?: RestoredTable, part?: ReadPart): Filling[] {
  if (!table || !part) return [];
  return [{ table, part, secrets: header.withSecrets ? [] : (SECRET_COLUMNS[table.name] ?? []) }];
}

type Opening = (work: (tx: Tx) => Promise<number>) => Promise<number>;

async function fillAll(all: readonly Filling[], open: Opening): Promise<number> {
  let rows = 0;
  for (const filling of all) {
    const passes = filling.table.ownReference === null ? [null] : [false, true];
    let filled = 0;
    for (const isPointing of passes) filled += await fill(filling, isPointing, open);
    if (filled !== filling.part.rows)
      throw new RestoreError(`Of ${filling.table.name} ${filled} rows went in of ${filling.part.rows}.`);
    rows += filled;
  }
  return rows;
}

async function fill(
  { table, part, secrets }: Filling,
  isPointing: boolean | null,
  open: Opening,
): Promise<number> {
  const instead = INSTEAD[table.name] ?? {};
  const isAsItWas = Object.keys(instead).length === 0 && isPointing === null;
  let rows = 0;
  for await (const lines of readLots(part, LOT)) {
    rows += await open(async (tx) => {
      await beginLot(tx);
      const stored = await insertLot(tx, { table, lines, leftOut: secrets, instead, isPointing });
      if (isAsItWas && (stored.rows !== lines.length || stored.sum !== sumOf(lines)))
        throw new RestoreError(`Rows of ${table.name} did not go in as they stand in the file.`);
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

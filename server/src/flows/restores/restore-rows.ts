/** The rows of an archive become those of workspaces that nobody sees until all of it has been proved. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { SECRET_COLUMNS } from '../../domain/exports/left-out.ts';
import { insertMissingStores, PARKED } from '../../resources/restores/restores.queries.ts';
import { fillTables, type RowSource } from './fill-tables.ts';
import { type Archive, readLots } from './read-archive.ts';

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
  return fillTables(db, toSources(archive, leftOut), async (name) => {
    if (name === 'stores') await inTransaction(db, (tx) => insertMissingStores(tx, workspaceIds));
  });
}

function toSources({ parts, header }: Archive, leftOut: ReadonlySet<string>): Map<string, RowSource> {
  const sources = new Map<string, RowSource>();
  for (const [name, part] of parts) {
    const table = /^rows\/([a-z0-9_]+)\.jsonl$/.exec(name)?.[1];
    if (table === undefined || leftOut.has(table)) continue;
    sources.set(table, {
      rows: part.rows,
      read: () => readLots(part, LOT),
      leftOut: header.withSecrets ? [] : (SECRET_COLUMNS[table] ?? []),
      instead: INSTEAD[table] ?? {},
    });
  }
  return sources;
}

/** All SQL of the ledger. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { LedgerEntriesTable } from '../../db/schema.ts';
import { type Scope, scopeColumns } from '../../db/scope.ts';

export type LedgerKind = LedgerEntriesTable['kind'];

interface NewEntry extends Omit<LedgerEntriesTable, 'workspaceId' | 'testMode' | 'account' | 'amount'> {
  rows: Array<Pick<LedgerEntriesTable, 'account' | 'amount'>>;
}

const insertion = keepQuery((db, { rows, ...entry }: Scope & NewEntry) =>
  db.insertInto('ledgerEntries').values(rows.map((row) => ({ ...entry, ...row }))),
);

/** One entry with its lines, which sum to 0. */
export async function insertEntry(tx: Tx, scope: Scope, entry: NewEntry): Promise<void> {
  await insertion(tx, { ...entry, ...scopeColumns(scope) });
}

/** Gapless document numbers. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

const nextNumber = keepQuery((db, row: Scope & { series: string; lastNumber: number }) =>
  db
    .insertInto('invoiceSeries')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'series'])
        .doUpdateSet((eb) => ({ lastNumber: eb('invoiceSeries.lastNumber', '+', 1) })),
    )
    .returning('lastNumber'),
);

/**
 * The next number of a series. Its row stays locked until the transaction ends, so that no number is lost
 * or given twice: take it last.
 */
export async function nextDocumentNumber(tx: Tx, scope: Scope, series: string): Promise<number> {
  const [row] = await nextNumber(tx, { ...scopeColumns(scope), series, lastNumber: 1 });
  assert(row, 'an upsert returns its row');
  return row.lastNumber;
}

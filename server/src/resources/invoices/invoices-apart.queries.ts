/** What `insertDocument` writes, by a statement for each table. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { type NewDocument, toCount, toDocument, toNumbered, toWritten } from './invoices.sql.ts';

const count = keepQuery((db, row: Scope & NewDocument) => toCount(db, row));

/** The series stands at this document's number until the transaction ends: nobody else counts meanwhile. */
const document = keepQuery((db, row: Scope & NewDocument) =>
  toDocument(
    db
      .with('next', (qb) =>
        qb
          .selectFrom('invoiceSeries')
          .select(['series', 'lastNumber', 'lastAt'])
          .where(inScope(row))
          .where('series', '=', row.series),
      )
      .with('numbered', (qb) => toNumbered(qb))
      .with('written', (qb) => toWritten(qb, row)),
    row,
  ),
);

const paid = keepQuery((db, row: Scope & Pick<NewDocument, 'id' | 'paymentId'>) =>
  db
    .updateTable('payments as p')
    .from('invoices as i')
    .set((eb) => ({ invoiceNumber: eb.ref('i.number') }))
    .where(inScope(row, 'p'))
    .where('p.id', '=', row.paymentId)
    .where(inScope(row, 'i'))
    .where('i.id', '=', row.id),
);

export async function insertDocumentApart(
  tx: Tx,
  scope: Scope,
  { isPaymentNumbered, ...row }: NewDocument,
): Promise<Array<{ number: string; finalisedAt: number }>> {
  const own = scopeColumns(scope);
  const { id, paymentId } = row;
  const [, written] = await Promise.all([
    count(tx, { ...row, ...own }),
    document(tx, { ...row, ...own }),
    isPaymentNumbered ? paid(tx, { ...own, id, paymentId }) : null,
  ]);
  return written;
}

/** What is written of a payment that money has paid: its charge, its row and its ledger entry, by one statement or apart. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import type { Entry, EntryLine, NewEntry, Paid } from './paid-payment.sql.ts';
import { writePaidApart } from './paid-payment-apart.queries.ts';

type PaidParts = Paid & { entry: Entry };

const writing = keepQuery((db, values: Scope & { rows: EntryLine[]; parts: PaidParts }) => {
  const { rows, parts, ...scope } = values;
  const { id: paymentId, ...paid } = parts.payment;
  const { id: chargeId, ...closed } = parts.charge;
  return db
    .with('closed', (qb) =>
      qb.updateTable('charges').set(closed).where(inScope(scope)).where('id', '=', chargeId).returning('id'),
    )
    .with('posted', (qb) =>
      qb
        .insertInto('ledgerEntries')
        .values(rows.map((row) => ({ ...scope, ...parts.entry, ...row })))
        .returning('entryId'),
    )
    .updateTable('payments')
    .set(paid)
    .where(inScope(scope))
    .where('id', '=', paymentId);
});

export async function writePaid(tx: Tx, scope: Scope, written: Paid & { entry: NewEntry }): Promise<void> {
  if (isSpread(tx)) return writePaidApart(tx, scope, written);
  const {
    payment,
    charge,
    entry: { rows, ...entry },
  } = written;
  await writing(tx, { ...scopeColumns(scope), rows, parts: { payment, charge, entry } });
}

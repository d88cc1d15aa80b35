/** What `writePaid` writes, by a statement for each table. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import type { NewEntry, Paid } from './paid-payment.sql.ts';

const charge = keepQuery((db, { parts, ...scope }: Scope & { parts: Pick<Paid, 'charge'> }) => {
  const { id, ...closed } = parts.charge;
  return db.updateTable('charges').set(closed).where(inScope(scope)).where('id', '=', id);
});

const entry = keepQuery(
  (
    db,
    { rows, parts, ...scope }: Scope & Pick<NewEntry, 'rows'> & { parts: { entry: Omit<NewEntry, 'rows'> } },
  ) => db.insertInto('ledgerEntries').values(rows.map((row) => ({ ...scope, ...parts.entry, ...row }))),
);

const payment = keepQuery((db, { parts, ...scope }: Scope & { parts: Pick<Paid, 'payment'> }) => {
  const { id, ...paid } = parts.payment;
  return db.updateTable('payments').set(paid).where(inScope(scope)).where('id', '=', id);
});

/** Asks for all of them at once. */
export async function writePaidApart(
  tx: Tx,
  scope: Scope,
  written: Paid & { entry: NewEntry },
): Promise<void> {
  const own = scopeColumns(scope);
  const { rows, ...posted } = written.entry;
  await Promise.all([
    charge(tx, { ...own, parts: { charge: written.charge } }),
    entry(tx, { ...own, rows, parts: { entry: posted } }),
    payment(tx, { ...own, parts: { payment: written.payment } }),
  ]);
}

/** What `later-payment.queries.ts` writes, by a statement for each table. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { paymentNumber } from '../../domain/numbers.ts';
import { type DueWork, toDueWorkInsertion } from '../due-work/due-work.sql.ts';
import type { ChargedMethod, NewLaterPayment, NewStoredCharge } from './later-payment.sql.ts';

type NewPayment = NewLaterPayment['payment'];

const number = keepQuery(
  (db, { id, lastPaymentId, ...scope }: Scope & { id: string; lastPaymentId: string }) =>
    db
      .updateTable('orders')
      .set((eb) => ({ paymentCounter: eb('paymentCounter', '+', 1), lastPaymentId }))
      .where(inScope(scope))
      .where('id', '=', id)
      .returning(['number', 'paymentCounter']),
);

const payment = keepQuery((db, values: Scope & NewPayment & { orderNumber: string; number: string }) =>
  db.insertInto('payments').values(values),
);

const lines = keepQuery((db, { rows, ...scope }: Scope & { rows: NewLaterPayment['lines'] }) =>
  db.insertInto('paymentLines').values(rows.map((row) => ({ ...scope, ...row }))),
);

const subscription = keepQuery(
  (db, { parts, ...scope }: Scope & { parts: Pick<NewLaterPayment, 'subscription'> }) => {
    const { id, ...changes } = parts.subscription;
    return db
      .updateTable('subscriptions')
      .set(changes)
      .where(inScope(scope))
      .where('id', '=', id)
      .returningAll();
  },
);

/** The number comes first: the order's row counts, and stays locked. */
export async function insertLaterPaymentApart(
  tx: Tx,
  scope: Scope,
  { lines: rows, ...later }: NewLaterPayment,
): Promise<Array<Row<'subscriptions'>>> {
  const own = scopeColumns(scope);
  const { orderId: id, id: lastPaymentId } = later.payment;
  const [order] = await number(tx, { ...own, id, lastPaymentId });
  assert(order, 'a later payment belongs to an order that exists');
  const numbers = { orderNumber: order.number, number: paymentNumber(order.number, order.paymentCounter) };
  const [, , changed] = await Promise.all([
    payment(tx, { ...later.payment, ...numbers, ...own }),
    rows.length > 0 ? lines(tx, { ...own, rows }) : null,
    subscription(tx, { ...own, parts: { subscription: later.subscription } }),
  ]);
  return changed;
}

const method = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db
    .selectFrom('paymentMethods')
    .select(['id', 'processor', 'connectionId', 'reference'])
    .where(inScope(scope))
    .where('id', '=', id)
    .where('endedAt', 'is', null),
);

type ChargeRow = Omit<NewStoredCharge, 'methodId' | 'noProcessor'> &
  Pick<Row<'charges'>, 'processor' | 'connectionId' | 'paymentMethodId'>;

const charge = keepQuery((db, row: Scope & ChargeRow) =>
  db.insertInto('charges').values({ ...row, status: 'pending', offSession: true }),
);

const watching = keepQuery((db, { rows, ...scope }: Scope & { rows: DueWork[] }) => {
  const query = toDueWorkInsertion(scope, rows);
  return { compile: () => query.compile(db) };
});

export async function insertStoredChargeApart(
  tx: Tx,
  scope: Scope,
  { watch, methodId, noProcessor, ...row }: NewStoredCharge & { watch: DueWork },
): Promise<ChargedMethod> {
  const own = scopeColumns(scope);
  const [stored] = methodId === null ? [] : await method(tx, { ...own, id: methodId });
  const {
    processor = noProcessor,
    connectionId = null,
    reference = null,
    id: paymentMethodId = null,
  } = stored ?? {};
  await Promise.all([
    charge(tx, { ...row, processor, connectionId, paymentMethodId, ...own }),
    watching(tx, { ...own, rows: [watch] }),
  ]);
  return { processor, connectionId, reference };
}

/** The rows of a later payment of a subscription, and of its charge: each written by one statement, or apart. */

import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import { assert } from '../../domain/assert.ts';
import { tellWorkPut } from '../../domain/trace-points.ts';
import { type DueWork, toDueWorkInsertion } from '../due-work/due-work.sql.ts';
import type { ChargedMethod, NewLaterPayment, NewStoredCharge } from './later-payment.sql.ts';
import { insertLaterPaymentApart, insertStoredChargeApart } from './later-payment-apart.queries.ts';

type LaterPaymentParts = Omit<NewLaterPayment, 'lines'>;

const insertion = keepQuery(
  (db, values: Scope & { rows: NewLaterPayment['lines']; parts: LaterPaymentParts }) => {
    const { rows, parts, ...scope } = values;
    const { id, ...changes } = parts.subscription;
    const { payment } = parts;
    const numbered = db.with('numbered', (qb) =>
      qb
        .updateTable('orders')
        .set((eb) => ({ paymentCounter: eb('paymentCounter', '+', 1), lastPaymentId: payment.id }))
        .where(inScope(scope))
        .where('id', '=', payment.orderId)
        .returning(['number', 'paymentCounter']),
    );
    const withPayment = numbered.with('newPayment', (qb) =>
      qb
        .insertInto('payments')
        .values({
          ...scope,
          ...payment,
          orderNumber: sql<string>`(select number from numbered)`,
          // As `paymentNumber` counts them.
          number: sql<string>`(select number || '-' || payment_counter from numbered)`,
        })
        .returning('id'),
    );
    const withLines = withPayment.with('newLines', (qb) =>
      qb
        .insertInto('paymentLines')
        .values(rows.map((row) => ({ ...scope, ...row })))
        .returning('id'),
    );
    return (rows.length > 0 ? withLines : withPayment)
      .updateTable('subscriptions')
      .set(changes)
      .where(inScope(scope))
      .where('id', '=', id)
      .returningAll();
  },
);

/**
 * Writes the payment with the next number of its order, whose last it becomes, and its lines. Answers the
 * subscription, which is locked with the order, as it is then.
 */
export async function insertLaterPayment(
  tx: Tx,
  scope: Scope,
  later: NewLaterPayment,
): Promise<Row<'subscriptions'>> {
  const { lines, ...parts } = later;
  const [row] = isSpread(tx)
    ? await insertLaterPaymentApart(tx, scope, later)
    : await insertion(tx, { ...scopeColumns(scope), rows: lines, parts });
  assert(row, 'a later payment belongs to a subscription that exists');
  return row;
}

const storedCharge = keepQuery(
  (
    db,
    { rows, parts: { charge }, ...scope }: Scope & { rows: DueWork[]; parts: { charge: NewStoredCharge } },
  ) => {
    const query = sql<ChargedMethod>`
      with method as (
        select id, processor, connection_id, reference from payment_methods
        where ${inScope(scope)} and id = ${charge.methodId}::uuid and ended_at is null
      ), charge as (
        insert into charges (workspace_id, test_mode, id, payment_id, status, amount, currency, processor,
          connection_id, off_session, payment_method_id, created_at)
        select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, ${charge.id}::uuid, ${charge.paymentId}::uuid,
          'pending', ${charge.amount}::numeric, ${charge.currency}::text,
          coalesce(m.processor, ${charge.noProcessor}::text), m.connection_id, true, m.id, ${charge.createdAt}::bigint
        from (select) one left join method m on true
        returning processor, connection_id
      ), watch as (${toDueWorkInsertion(scope, rows)})
      select c.processor, c.connection_id, (select reference from method) as reference from charge c`;
    return { compile: () => query.compile(db) };
  },
);

/** Writes the pending charge of a stored method, and the work that looks after it. */
export async function insertStoredCharge(
  tx: Tx,
  scope: Scope,
  stored: NewStoredCharge & { watch: DueWork },
): Promise<ChargedMethod> {
  const { watch, ...charge } = stored;
  tellWorkPut(() => [watch.refId]);
  if (isSpread(tx)) return insertStoredChargeApart(tx, scope, stored);
  const [row] = await storedCharge(tx, { ...scopeColumns(scope), rows: [watch], parts: { charge } });
  assert(row, 'an insert returns its row');
  return row;
}

/** All SQL of payments and their charges. */
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page } from '../../db/list.ts';
import type { ChargesTable, PaymentsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { filterSales, type SalesFilter, toSalesSort } from '../sales/sales-filter.sql.ts';

/**
 * Charges as they are shown, built by the store: one row a payment, whatever its attempts. A method that is taken for 0
 * is none.
 */
const toCharges = (scope: Scope): RawBuilder<unknown[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'object', 'charge', 'id', c.id, 'status', c.status, 'amount', c.amount, 'currency', c.currency,
    'createdAt', c.created_at, 'ipAddress', c.ip_address, 'paymentMethod', c.payment_method,
    'failure', case when c.status = 'failed' then jsonb_build_object('decline', coalesce(c.decline, 'technical'),
      'reason', coalesce(c.decline_reason, 'unknown'), 'message', coalesce(c.decline_message, '')) end,
    'hold', c.hold, 'taken', case when c.taken_amount is not null then jsonb_build_object(
      'amount', c.taken_amount, 'currency', c.taken_currency) end,
    'byHand', c.processor = 'manual' and c.connection_id is not null, 'expectedBy', c.expected_by,
    'reversedAt', c.reversed_at) order by c.created_at, c.id), '[]')
  from charges c
  where ${inScope(scope, 'c')} and c.payment_id = payments.id
    and c.amount > 0)`;

/** The secret of the invoice's link; null without an invoice. */
const toInvoiceToken = (scope: Scope): RawBuilder<string | null> => sql`(
  select i.token from invoices i
  where ${inScope(scope, 'i')}
    and i.payment_id = payments.id and i.kind = 'invoice')`;

/** What the buyer answered, which all items of an order have alike. */
const toFields = (scope: Scope): RawBuilder<Record<string, string> | null> => sql`(
  select i.custom_fields from order_items i
  where ${inScope(scope, 'i')}
    and i.order_id = payments.order_id
  order by i.position limit 1)`;

/** A payment with what is shown of its user, order and subscription. */
export function selectPayments(db: Db, scope: Scope) {
  return db
    .selectFrom('payments')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'payments.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'payments.testMode')
        .onRef('users.id', '=', 'payments.userId'),
    )
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'payments.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'payments.testMode')
        .onRef('orders.id', '=', 'payments.orderId'),
    )
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'payments.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'payments.testMode')
        .onRef('subscriptions.id', '=', 'payments.subscriptionId'),
    )
    .where(inScope(scope, 'payments'));
}

export const PAYMENT_COLUMNS = [
  'payments.id',
  'payments.type',
  'payments.number',
  'payments.status',
  'payments.value',
  'payments.tax',
  'payments.fee',
  'payments.refundedValue',
  'payments.currency',
  'payments.createdAt',
  'payments.userId',
  'payments.orderId',
  'payments.orderNumber',
  'payments.checkoutId',
  'payments.discount',
  'payments.invoiceNumber',
  'payments.paidElsewhere',
  'payments.payToken',
  'users.username',
  'orders.status as orderStatus',
  'orders.expiresAt as orderExpiresAt',
  'subscriptions.status as subscriptionStatus',
] as const;

const paymentById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  selectPayments(db, scope)
    .select(PAYMENT_COLUMNS)
    .select([toCharges(scope).as('charges'), toInvoiceToken(scope).as('invoiceToken')])
    .where('payments.id', '=', id),
);

export async function findPayment(db: Db, scope: Scope, id: string) {
  const [row] = await paymentById(db, { ...scope, id });
  return row;
}

export type PaymentRow = NonNullable<Awaited<ReturnType<typeof findPayment>>>;
export type ListedPaymentRow = PaymentRow & {
  userEmail: string | null;
  customFields: Record<string, string> | null;
};

/** The payment with this id or number. */
export async function findPaymentByNumber(
  db: Db,
  scope: Scope,
  number: string,
): Promise<PaymentRow | undefined> {
  return selectPayments(db, scope)
    .select(PAYMENT_COLUMNS)
    .select([toCharges(scope).as('charges'), toInvoiceToken(scope).as('invoiceToken')])
    .where('payments.number', '=', number)
    .executeTakeFirst();
}

export async function listPaymentsOfOrder(db: Db, scope: Scope, orderId: string): Promise<PaymentRow[]> {
  return selectPayments(db, scope)
    .select(PAYMENT_COLUMNS)
    .select([toCharges(scope).as('charges'), toInvoiceToken(scope).as('invoiceToken')])
    .where('payments.orderId', '=', orderId)
    .orderBy('payments.createdAt')
    .orderBy('payments.id')
    .execute();
}

export async function listPayments(
  db: Db,
  scope: Scope,
  filter: SalesFilter,
  page: Page,
): Promise<ListedPaymentRow[]> {
  const sort = toSalesSort('payments', filter);
  const ids = onPage(filterPayments(db, scope, filter), page, sort).select('payments.id');
  const shown = selectPayments(db, scope)
    .select(PAYMENT_COLUMNS)
    .select([
      'users.email as userEmail',
      toCharges(scope).as('charges'),
      toInvoiceToken(scope).as('invoiceToken'),
    ])
    .select(toFields(scope).as('customFields'))
    .where(isOnPage('payments.id', ids));
  return inPageOrder(shown, page, sort).execute();
}

function filterPayments(db: Db, scope: Scope, filter: SalesFilter) {
  const payments = db.selectFrom('payments').where(inScope(scope, 'payments'));
  return filterSales(payments, scope, { table: 'payments', filter });
}

export async function countPayments(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: SalesFilter; limit: number | null },
): Promise<number> {
  return countRows(filterPayments(db, scope, filter), db, limit);
}

type NewPayment = Omit<Insertable<PaymentsTable>, 'workspaceId' | 'testMode'>;
type NewCharge = Omit<Insertable<ChargesTable>, 'workspaceId' | 'testMode'>;

const insertion = keepQuery((db, row: Scope & NewPayment) => db.insertInto('payments').values(row));

export async function insertPayment(tx: Tx, scope: Scope, payment: NewPayment): Promise<void> {
  await insertion(tx, { ...scopeColumns(scope), ...payment });
}

type PaymentChanges = Updateable<PaymentsTable> & { id: string };

const update = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & PaymentChanges) =>
  db.updateTable('payments').set(changes).where(inScope({ workspaceId, testMode })).where('id', '=', id),
);

export async function updatePayment(tx: Tx, scope: Scope, changes: PaymentChanges): Promise<void> {
  await update(tx, { ...changes, ...scopeColumns(scope) });
}

const chargeInsertion = keepQuery((db, row: Scope & NewCharge) => db.insertInto('charges').values(row));

export async function insertCharge(tx: Tx, scope: Scope, charge: NewCharge): Promise<void> {
  await chargeInsertion(tx, { ...scopeColumns(scope), ...charge });
}

type ChargeChanges = Updateable<ChargesTable> & { id: string };

const chargeUpdate = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & ChargeChanges) =>
  db.updateTable('charges').set(changes).where(inScope({ workspaceId, testMode })).where('id', '=', id),
);

export async function updateCharge(tx: Tx, scope: Scope, changes: ChargeChanges): Promise<void> {
  await chargeUpdate(tx, { ...changes, ...scopeColumns(scope) });
}

/** The attempt that is under way for a payment, if any. */
export async function findPendingCharge(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<Row<'charges'> | undefined> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

/** The payment that a charge is for. */
export async function findPaymentOfCharge(
  db: Db,
  scope: Scope,
  chargeId: string,
): Promise<PaymentRow | undefined> {
  const charge = await findCharge(db, scope, chargeId);
  return charge && findPayment(db, scope, charge.paymentId);
}

export async function findCharge(db: Db, scope: Scope, id: string): Promise<Row<'charges'> | undefined> {
  return db.selectFrom('charges').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

/** The last attempt at a payment. */
export async function findNewestCharge(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<Row<'charges'> | undefined> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The attempt that is under way for an order, if any. */
export async function findPendingChargeOfOrder(
  db: Db,
  scope: Scope,
  orderId: string,
): Promise<Row<'charges'> | undefined> {
  return db
    .selectFrom('charges')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'charges.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'charges.testMode')
        .onRef('payments.id', '=', 'charges.paymentId'),
    )
    .selectAll('charges')
    .where(inScope(scope, 'charges'))
    .where('payments.orderId', '=', orderId)
    .where('charges.status', '=', 'pending')
    .executeTakeFirst();
}

/** The payment that carries an order. */
export async function findInitialPayment(db: Db, scope: Scope, orderId: string): Promise<Row<'payments'>> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('type', 'in', ['one_time', 'claim_free', 'subscription_initial'])
    .executeTakeFirstOrThrow();
}

export async function lockPayment(tx: Tx, scope: Scope, id: string): Promise<Row<'payments'>> {
  return tx
    .selectFrom('payments')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Whether the payment of a subscription's period is still to be decided. */
export async function isPeriodPending(
  db: Db,
  scope: Scope,
  { subscriptionId, periodStart }: { subscriptionId: string; periodStart: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('periodStart', '=', periodStart)
    .where('type', 'in', ['subscription_initial', 'subscription_interval'])
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  return row !== undefined;
}

/** How often a payment was tried. */
export async function countCharges(db: Db, scope: Scope, paymentId: string): Promise<number> {
  const { count } = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  return count;
}

/** How often a user's method was tried since a moment, and could not be for a technical error. */
export async function countTechnicalDeclines(
  db: Db,
  scope: Scope,
  { userId, methodId, sinceMs }: { userId: string; methodId: string; sinceMs: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('charges')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'charges.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'charges.testMode')
        .onRef('payments.id', '=', 'charges.paymentId'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inScope(scope, 'charges'))
    .where(inScope(scope, 'payments'))
    .where('payments.userId', '=', userId)
    .where('charges.paymentMethodId', '=', methodId)
    .where('charges.decline', '=', 'technical')
    .where('charges.settledAt', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return count;
}

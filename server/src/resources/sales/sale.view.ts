/** A sale as the API and its events show it: the order with everything around it, read in one place. */
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { readTogether } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { isLongerThan, lastCharacters } from '../../domain/characters.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import { findOrder, listItemsOfPayment, listOrderItems, type OrderRow } from '../orders/orders.queries.ts';
import { toItem, toOrder } from '../orders/orders.schema.ts';
import { findPaymentMethod } from '../payment-methods/payment-methods.queries.ts';
import { listPaymentLines, type PaymentLineRow } from '../payments/payment-lines.queries.ts';
import { toLineItem } from '../payments/payment-lines.schema.ts';
import { findPayment, type PaymentRow } from '../payments/payments.queries.ts';
import { toPayment } from '../payments/payments.schema.ts';
import { findSubscription, listSubscriptionItems } from '../subscriptions/subscriptions.queries.ts';
import { toSubscription } from '../subscriptions/subscriptions.schema.ts';
import { getUser } from '../users/users.queries.ts';
import { toUser } from '../users/users.schema.ts';

export type Sale = ReturnType<typeof toSale>;

export interface LoadingSale {
  orderId: string;
  paymentId: string;
  /** Where the buyer's pages are. */
  publicUrl: string;
  /** The order's subscription as it is, where the caller has it locked. */
  subscription?: Row<'subscriptions'> | undefined;
  /** What the caller knows of it, so that all is asked for at once. */
  known?: { paymentType: string; userId: string };
}

/** What a payment paid for: the order's items, or of a later payment of a subscription its own lines. */
export type SoldRows =
  | { kind: 'items'; rows: Awaited<ReturnType<typeof listOrderItems>> }
  | { kind: 'lines'; rows: PaymentLineRow[] };

export type SaleRows = Awaited<ReturnType<typeof loadSaleRows>>;

/** The order and payment must exist. */
export async function loadSale(db: Db, scope: Scope, loading: LoadingSale): Promise<Sale> {
  return toSale(await loadSaleRows(db, scope, loading));
}

/** The same by the payment alone. */
export async function loadSaleOfPayment(
  db: Db,
  scope: Scope,
  { paymentId, publicUrl }: { paymentId: string; publicUrl: string },
): Promise<Sale> {
  const payment = await findPayment(db, scope, paymentId);
  assert(payment, 'a payment is shown after it was written');
  return loadSale(db, scope, { orderId: payment.orderId, paymentId, publicUrl });
}

/** A sale as it is stored, but for its subscription. */
export async function loadSaleRows(
  db: Db,
  scope: Scope,
  { orderId, paymentId, publicUrl, subscription: locked, known }: LoadingSale,
) {
  const [order, payment, ...rest] = await Promise.all([
    findOrder(db, scope, orderId),
    findPayment(db, scope, paymentId),
    known ? loadItems(db, scope, { id: paymentId, type: known.paymentType, orderId }) : null,
    known ? getUser(db, scope, known.userId) : null,
  ]);
  assert(order && payment, 'a sale is loaded after its order and payment were written');
  const [items, user, subscription] = await Promise.all([
    rest[0] ?? loadItems(db, scope, payment),
    rest[1] ?? getUser(db, scope, order.userId),
    loadSubscriptionOf(db, scope, { order, locked }),
  ]);
  return { order, payment, items, user, subscription, publicUrl };
}

type PaidFor = Pick<PaymentRow, 'id' | 'type' | 'orderId'>;

/** What a payment paid for, as its events show it; keys are whole only for who holds the secret key. */
export async function loadPaymentItems(
  db: Db,
  scope: Scope,
  { payment, withKeys }: { payment: PaidFor; withKeys: boolean },
): Promise<Sale['items']> {
  return toItems(await loadItems(db, scope, payment), withKeys);
}

/** A payment with what it paid for; its order's items are asked for with it, since most payments carry one. */
export async function findPaymentWithItems(
  db: Db,
  scope: Scope,
  { paymentId, withKeys }: { paymentId: string; withKeys: boolean },
): Promise<{ payment: PaymentRow; items: Sale['items'] } | undefined> {
  const [payment, rows] = await readTogether(db, (one) =>
    Promise.all([findPayment(one, scope, paymentId), listItemsOfPayment(one, scope, paymentId)]),
  );
  if (!payment) return undefined;
  const items = isInitialPayment(payment.type)
    ? toItems({ kind: 'items', rows }, withKeys)
    : await loadPaymentItems(db, scope, { payment, withKeys });
  return { payment, items };
}

function toItems(items: SoldRows, withKeys: boolean) {
  return items.kind === 'items'
    ? items.rows.map((item) => toItem(item, { withKeys }))
    : items.rows.map(toLineItem);
}

export function toSale({ order, payment, items, user, subscription, publicUrl }: SaleRows) {
  return {
    order: toOrder(order),
    payment: toPayment(payment, publicUrl),
    items: toItems(items, true),
    user: toUser(user),
    subscription,
    lastPayment: subscription?.lastPayment ?? null,
  };
}

async function loadItems(db: Db, scope: Scope, { id, type, orderId }: PaidFor): Promise<SoldRows> {
  return isInitialPayment(type)
    ? { kind: 'items', rows: await listOrderItems(db, scope, orderId) }
    : { kind: 'lines', rows: await listPaymentLines(db, scope, id) };
}

async function loadSubscriptionOf(
  db: Db,
  scope: Scope,
  { order, locked }: { order: OrderRow; locked: Row<'subscriptions'> | undefined },
) {
  const { subscriptionId: id } = order;
  if (id === null) return null;
  // What is shown beside the row is the order's own, unless another payment is its last.
  if (locked?.id !== id || locked.lastPaymentId !== order.lastPaymentId)
    return loadSubscription(db, scope, id);
  const { username, imported, status: orderStatus, lastNumber, lastType, lastStatus, lastValue } = order;
  const [method, items] = await Promise.all([
    findPaymentMethod(db, scope, locked.paymentMethodId),
    listSubscriptionItems(db, scope, id),
  ]);
  const shown = { username, imported, orderStatus, lastNumber, lastType, lastStatus, lastValue };
  return toSubscription({ ...locked, ...shown, ...toMethodColumns(method) }, items);
}

function toMethodColumns(method: Row<'paymentMethods'> | null) {
  const { details = null, expMonth = null, expYear = null } = method ?? {};
  return { methodDetails: details, methodExpMonth: expMonth, methodExpYear: expYear };
}

export async function loadSubscription(db: Db, scope: Scope, id: string) {
  const row = await findSubscription(db, scope, id);
  assert(row, 'an order names a subscription that exists');
  return toSubscription(row, await listSubscriptionItems(db, scope, id));
}

/**
 * The `data` of an event about a payment: a snapshot of the moment. Of a key it tells only the id and the last 4, of
 * the user not how a processor knows them, and no link that pays: bodies are kept and read by many.
 */
export function toEventData(sale: Sale) {
  const { paymentData: _paymentData, ...user } = sale.user;
  const items = sale.items.map(({ keys, ...item }) => ({
    ...item,
    keys: keys.map(({ id, key }) => ({ id, last4: isLongerThan(key, 8) ? lastCharacters(key, 4) : null })),
  }));
  return {
    items,
    customFields: mergeCustomFields(items),
    order: sale.order,
    // Whoever reads an event must not be able to pay with what is in it, or to open what the link leads to.
    payment: { ...sale.payment, payUrl: null },
    customer: user,
    user,
    ...(sale.subscription ? { subscription: sale.subscription, lastPayment: sale.lastPayment } : {}),
  };
}

/** Of a subscription's own events the items are what it consists of, and not what its last payment paid for. */
export function toSubscriptionEventData(data: object): object {
  // Written by `toEventData`; a sample's data has the same form.
  const { subscription } = data as Partial<ReturnType<typeof toEventData>>;
  if (!subscription) return data;
  const { items } = subscription;
  return { ...data, items, customFields: mergeCustomFields(items) };
}

function mergeCustomFields(items: ReadonlyArray<{ customFields: Record<string, string> }>) {
  return Object.assign({}, ...items.map(({ customFields }) => customFields)) as Record<string, string>;
}

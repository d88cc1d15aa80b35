/** Orders: purchases, and what came of them. */
import { type Static, Type } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { readMoment } from '../db/transaction.ts';
import { notFound } from '../domain/errors.ts';
import { toDocumentUrl } from '../domain/invoicing/numbering.ts';
import { toMinor } from '../domain/money/money.ts';
import type { Correction } from '../domain/payments/correction.ts';
import type { OrderStatus } from '../domain/states/order.ts';
import { takeLimited } from '../flows/limits/count-limited.ts';
import { cancelOrder } from '../flows/orders/cancel-order.ts';
import { correctOrder } from '../flows/orders/correct-order.ts';
import { refundOrder } from '../flows/refunds/refund-order.ts';
import { flow, isLive, type Route, read, write } from '../http/route.ts';
import { listReceiptOffers } from '../resources/checkouts/checkouts.queries.ts';
import { countOrders, listOrders } from '../resources/orders/list-orders.queries.ts';
import { listOrderItems, type OrderItemRow, resetDownloads } from '../resources/orders/orders.queries.ts';
import {
  CorrectOrder,
  ListSales,
  OrderData,
  OrderItemOnly,
  OrderOnly,
  OrderParams,
  OrdersData,
  RefundData,
  RevealedKeysData,
  toListedOrder,
  toOrder,
  toOrderItem,
} from '../resources/orders/orders.schema.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import { listPaymentsOfOrder } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import { listRefundsOfOrder } from '../resources/refunds/refunds.queries.ts';
import { CreateRefund, REFUND_ERRORS, toRefund } from '../resources/refunds/refunds.schema.ts';
import { loadSubscription } from '../resources/sales/sale.view.ts';
import { Body, IdOrNumber, Uuid } from '../resources/shapes.ts';
import { getOrderNamed } from './find-order.ts';
import { toSalesFilter, toSortValue } from './sales-list.ts';

const list = read({
  method: 'GET',
  path: '/v0/orders/list',
  operationId: 'listOrders',
  tag: 'orders',
  summary: 'List orders, newest first unless sorted',
  query: ListSales,
  data: OrdersData,
  handler: async ({ db, scope, query, withSecret }) => {
    const page = toPage(query);
    const filter = await toSalesFilter(db, scope, query, withSecret);
    const rows = await listOrders(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: toSortValue(row, query.orderBy), id: row.id }));
    const asked = { page, shown: cut, returnCount: query.returnCount };
    const count = await countMatches(asked, (limit) => countOrders(db, scope, { filter, limit }));
    return { orders: cut.rows.map(toListedOrder), count, ...cut.page };
  },
});

/** The files that go with an order's items, by the item. */
async function listFiles(
  db: Db,
  scope: Scope,
  { orderId, items }: { orderId: string; items: readonly OrderItemRow[] },
) {
  // What hands nothing out has none, and most orders of a shop of plans hand nothing out.
  if (items.every(({ fulfilment }) => fulfilment === 'none')) return new Map<string, never>();
  const offers = await listReceiptOffers(db, scope, orderId);
  return new Map(offers.map((offer) => [offer.itemId, offer]));
}

const get = read({
  method: 'GET',
  path: '/v0/orders/:orderIdOrNumber',
  operationId: 'getOrder',
  tag: 'orders',
  summary: 'Get an order by its id or number',
  params: OrderParams,
  data: OrderData,
  // Of one moment: a refund that settles meanwhile would be listed, and missing in the sum of what was refunded.
  handler: async ({ db, scope, params, ctx, withSecret }) =>
    readMoment(db, async (tx) => {
      const row = await getOrderNamed(tx, scope, params.orderIdOrNumber);
      const items = await listOrderItems(tx, scope, row.id);
      const files = withSecret ? await listFiles(tx, scope, { orderId: row.id, items }) : null;
      const payments = await listPaymentsOfOrder(tx, scope, row.id);
      const refunds = await listRefundsOfOrder(tx, scope, row.id);
      const { publicUrl } = ctx.config;
      return {
        order: toOrder(row),
        items: items.map((item) =>
          toOrderItem(item, { withKeys: withSecret, file: files?.get(item.id), paidAt: row.paidAt }),
        ),
        payments: payments.map((payment) => toPayment(payment, publicUrl)),
        refunds: refunds.map((refund) =>
          toRefund(refund, refund.creditNoteToken && toDocumentUrl(publicUrl, refund.creditNoteToken)),
        ),
        subscription: row.subscriptionId ? await loadSubscription(tx, scope, row.subscriptionId) : null,
      };
    }),
});

const refund = flow({
  method: 'POST',
  path: '/v0/orders/:orderIdOrNumber/refunds',
  operationId: 'refundOrder',
  tag: 'orders',
  summary: 'Give back the money of an order’s payment, in full or in part',
  description:
    'An unknown outcome is a result: 200 with the refund `pending`, which the service follows up by itself.',
  params: OrderParams,
  body: CreateRefund,
  data: RefundData,
  errors: [...REFUND_ERRORS],
  example: { amount: 500, reason: 'requested_by_customer' },
  handler: async ({ ctx, scope, params, body, claim, audit, finish }) => {
    const { id: orderId } = await getOrderNamed(ctx.db, scope, params.orderIdOrNumber);
    audit(null, orderId);
    return refundOrder(ctx, scope, {
      orderId,
      paymentId: body.paymentId ?? null,
      amountMinor: body.amount === undefined ? null : toMinor(body.amount),
      reason: body.reason ?? 'requested_by_customer',
      note: body.note ?? null,
      hooks: { claim, finish },
    });
  },
});

const update = flow({
  method: 'PATCH',
  path: '/v0/orders/:orderIdOrNumber/update',
  operationId: 'updateOrder',
  needsFreshProof: isLive,
  tag: 'orders',
  summary: 'Correct an order by hand',
  description:
    'Amounts are applied before the status. On an unpaid order they change what is to be paid; on a paid one they ' +
    'change the order’s record alone. PAID settles the initial payment as received outside; REFUNDED records that ' +
    'all that is left was given back outside. Nothing leaves REFUNDED. Where the initial payment is EXPIRED or CANCELLED, ' +
    'which nothing leaves either, any status is the order’s record alone: nothing is settled or delivered.',
  params: OrderParams,
  body: CorrectOrder,
  data: OrderOnly,
  errors: [
    'not_found',
    'order_state',
    'payment_state',
    'payment_in_progress',
    'payment_disputed',
    'already_refunded',
  ],
  example: { status: 'PAID' },
  handler: async ({ ctx, scope, params, body, claim, audit, finish }) => {
    const before = await getOrderNamed(ctx.db, scope, params.orderIdOrNumber);
    audit({ order: toOrder(before) }, before.id);
    const corrected = await correctOrder(ctx, scope, {
      orderId: before.id,
      correction: toCorrection(body),
      begin: claim.hold,
      finish: (tx, row) => finish(tx, { order: toOrder(row) }),
    });
    return { order: toOrder(corrected) };
  },
});

function toCorrection({ status, value, tax, fee, currency }: Static<typeof CorrectOrder>): Correction {
  const toMinorOrNull = (amount: number | null | undefined) => (amount == null ? null : toMinor(amount));
  return {
    // The schema lets no other status through.
    status: (status ?? null) as OrderStatus | null,
    value: toMinorOrNull(value),
    tax: toMinorOrNull(tax),
    fee: toMinorOrNull(fee),
    currency: currency ?? null,
  };
}

const cancel = flow({
  method: 'PATCH',
  path: '/v0/orders/:orderIdOrNumber/cancel',
  operationId: 'cancelOrder',
  tag: 'orders',
  summary: 'Call off an order',
  description:
    'An unpaid order is not paid any more: a charge under way is stopped at the processor first, and one that was ' +
    'taken meanwhile makes the order PAID and the answer 409. A paid order keeps its money; its keys and downloads ' +
    'are taken back and its subscription ends.',
  params: OrderParams,
  body: Body({ id: Type.Optional(IdOrNumber()) }),
  data: OrderOnly,
  errors: ['not_found', 'order_state', 'payment_state', 'payment_in_progress'],
  handler: async ({ ctx, scope, params, claim, audit, finish }) => {
    const before = await getOrderNamed(ctx.db, scope, params.orderIdOrNumber);
    audit({ order: toOrder(before) }, before.id);
    const cancelled = await cancelOrder(ctx, scope, {
      orderId: before.id,
      begin: claim.hold,
      finish: (tx, row) => finish(tx, { order: toOrder(row) }),
    });
    return { order: toOrder(cancelled) };
  },
});

const revealKeys = write({
  method: 'POST',
  path: '/v0/orders/:orderIdOrNumber/reveal-keys',
  operationId: 'revealOrderKeys',
  answersSecret: true,
  tag: 'orders',
  summary: 'Show the keys that were delivered with an order',
  description: 'Noted in the audit log; 100 reveals an hour.',
  params: OrderParams,
  body: Body({ id: Type.Optional(IdOrNumber()) }),
  data: RevealedKeysData,
  errors: ['not_found'],
  handler: async ({ ctx, tx, scope, params, audit }) => {
    const order = await getOrderNamed(tx, scope, params.orderIdOrNumber);
    await takeLimited(ctx, scope, { db: tx, limited: [{ limit: 'reveal', of: 'store' }] });
    audit(null, order.id);
    const items = await listOrderItems(tx, scope, order.id);
    return { keys: items.flatMap((item) => item.keys.map((key) => ({ itemId: item.id, ...key }))) };
  },
});

const resetItemDownloads = write({
  method: 'POST',
  path: '/v0/orders/:orderIdOrNumber/items/:itemId/reset-downloads',
  operationId: 'resetItemDownloads',
  tag: 'orders',
  summary: 'Let a bought file be downloaded anew',
  description: 'What was downloaded counts no more; the days that the offer gave go on.',
  params: Type.Object({ ...OrderParams.properties, itemId: Uuid() }),
  body: Body({ id: Type.Optional(Uuid()) }),
  data: OrderItemOnly,
  errors: ['not_found'],
  example: {},
  handler: async ({ tx, scope, params: { orderIdOrNumber, itemId }, audit }) => {
    const order = await getOrderNamed(tx, scope, orderIdOrNumber);
    const before = (await listOrderItems(tx, scope, order.id)).find(({ id }) => id === itemId);
    if (!before || !(await resetDownloads(tx, scope, { orderId: order.id, itemId })))
      throw notFound('item', itemId);
    audit({ downloads: before.downloads }, itemId);
    const files = await listFiles(tx, scope, { orderId: order.id, items: [before] });
    const item = { ...before, downloads: 0 };
    return {
      item: toOrderItem(item, { withKeys: false, file: files.get(itemId), paidAt: order.paidAt }),
    };
  },
});

export const orderRoutes: Route[] = [list, get, update, cancel, refund, revealKeys, resetItemDownloads];

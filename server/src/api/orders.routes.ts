/** Orders: purchases, and what came of them. */
import { type Static, Type } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { toDocumentUrl } from '../domain/invoicing/numbering.ts';
import { toMinor } from '../domain/money/money.ts';
import { parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import type { Correction } from '../domain/payments/correction.ts';
import type { OrderStatus } from '../domain/states/order.ts';
import { cancelOrder } from '../flows/orders/cancel-order.ts';
import { correctOrder } from '../flows/orders/correct-order.ts';
import { refundOrder } from '../flows/refunds/refund-order.ts';
import { flow, type Route, read } from '../http/route.ts';
import {
  countOrders,
  findOrder,
  findOrderByNumber,
  listOrderItems,
  listOrders,
  type OrderRow,
} from '../resources/orders/orders.queries.ts';
import {
  CorrectOrder,
  ListSales,
  OrderData,
  OrderOnly,
  OrderParams,
  OrdersData,
  RefundData,
  toItem,
  toOrder,
} from '../resources/orders/orders.schema.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import { listPaymentsOfOrder } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import { listRefundsOfOrder } from '../resources/refunds/refunds.queries.ts';
import { CreateRefund, toRefund } from '../resources/refunds/refunds.schema.ts';
import { loadSubscription } from '../resources/sales/sale.view.ts';
import { Body, IdOrNumber } from '../resources/shapes.ts';
import { toSalesFilter, toSortValue } from './sales-list.ts';

async function findByIdOrNumber(db: Db, scope: Scope, text: string): Promise<OrderRow | undefined> {
  if (WHOLE_ID.test(text)) return findOrder(db, scope, text);
  const number = parseNumber(text);
  return number === null ? undefined : findOrderByNumber(db, scope, number);
}

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
    return { orders: cut.rows.map(toOrder), count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/orders/:orderIdOrNumber',
  operationId: 'getOrder',
  tag: 'orders',
  summary: 'Get an order by its id or number',
  params: OrderParams,
  data: OrderData,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const row = await getByIdOrNumber(db, scope, params.orderIdOrNumber);
    const items = await listOrderItems(db, scope, row.id);
    const payments = await listPaymentsOfOrder(db, scope, row.id);
    const refunds = await listRefundsOfOrder(db, scope, row.id);
    const { publicUrl } = ctx.config;
    return {
      order: toOrder(row),
      items: items.map((item) => toItem(item, { withKeys: withSecret })),
      payments: payments.map((payment) => toPayment(payment, publicUrl)),
      refunds: refunds.map((refund) =>
        toRefund(refund, refund.creditNoteToken && toDocumentUrl(publicUrl, refund.creditNoteToken)),
      ),
      subscription: row.subscriptionId ? await loadSubscription(db, scope, row.subscriptionId) : null,
    };
  },
});

async function getByIdOrNumber(db: Db, scope: Scope, idOrNumber: string): Promise<OrderRow> {
  const row = await findByIdOrNumber(db, scope, idOrNumber);
  if (!row) throw new Refusal('not_found');
  return row;
}

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
  errors: ['not_found', 'refund_exceeds_paid', 'already_refunded', 'payment_not_paid', 'payment_disputed'],
  example: { amount: 500, reason: 'requested_by_customer' },
  handler: async ({ ctx, scope, params, body, claim, finish }) => {
    const { id: orderId } = await getByIdOrNumber(ctx.db, scope, params.orderIdOrNumber);
    return refundOrder(ctx, scope, {
      orderId,
      paymentId: body.paymentId?.toLowerCase() ?? null,
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
  tag: 'orders',
  summary: 'Correct an order by hand',
  description:
    'Amounts are applied before the status. On an unpaid order they change what is to be paid; on a paid one they ' +
    'change the order’s record alone. PAID settles the initial payment as received outside; REFUNDED records that ' +
    'all that is left was given back outside. Nothing leaves REFUNDED.',
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
    const before = await getByIdOrNumber(ctx.db, scope, params.orderIdOrNumber);
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
    const before = await getByIdOrNumber(ctx.db, scope, params.orderIdOrNumber);
    audit({ order: toOrder(before) }, before.id);
    const cancelled = await cancelOrder(ctx, scope, {
      orderId: before.id,
      begin: claim.hold,
      finish: (tx, row) => finish(tx, { order: toOrder(row) }),
    });
    return { order: toOrder(cancelled) };
  },
});

export const orderRoutes: Route[] = [list, get, update, cancel, refund];

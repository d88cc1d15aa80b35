/** Orders: purchases, and what came of them. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { parseNumber } from '../../domain/numbers.ts';
import { loadSubscription } from '../../flows/load-sale.ts';
import { refundOrder } from '../../flows/refund-order.ts';
import { cutPage, toPage } from '../../http/pagination.ts';
import { flow, type Route, read } from '../../http/route.ts';
import { listPaymentsOfOrder } from '../payments/payments.queries.ts';
import { toPayment } from '../payments/payments.schema.ts';
import { listRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { CreateRefund, toRefund } from '../refunds/refunds.schema.ts';
import {
  countOrders,
  findOrder,
  findOrderByNumber,
  listOrderItems,
  listOrders,
  type OrderRow,
} from './orders.queries.ts';
import {
  ListSales,
  OrderData,
  OrderParams,
  OrdersData,
  RefundData,
  toItem,
  toOrder,
} from './orders.schema.ts';
import { toSalesFilter } from './sales-list.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function findByIdOrNumber(db: Db, scope: Scope, text: string): Promise<OrderRow | undefined> {
  if (UUID.test(text)) return findOrder(db, scope, text);
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
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const filter = await toSalesFilter(db, scope, query);
    const rows = await listOrders(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: toSortValue(row, query.orderBy), id: row.id }));
    const count = query.returnCount ? await countOrders(db, scope, filter) : null;
    return { orders: cut.rows.map(toOrder), count, cursor: cut.cursor, hasMore: cut.hasMore };
  },
});

/** What the cursor keeps of the last row, by the column that the list is sorted by. */
export function toSortValue(
  row: { createdAt: number; number: string; value: bigint },
  orderBy: 'createdAt' | 'orderNumber' | 'value' | undefined,
): string | number {
  if (orderBy === 'orderNumber') return row.number;
  return orderBy === 'value' ? Number(row.value) : row.createdAt;
}

const get = read({
  method: 'GET',
  path: '/v0/orders/:orderIdOrNumber',
  operationId: 'getOrder',
  tag: 'orders',
  summary: 'Get an order by its id or number',
  params: OrderParams,
  data: OrderData,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const row = await findByIdOrNumber(db, scope, params.orderIdOrNumber);
    if (!row) throw new Refusal('not_found');
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

async function getId(db: Db, scope: Scope, idOrNumber: string): Promise<string> {
  const row = await findByIdOrNumber(db, scope, idOrNumber);
  if (!row) throw new Refusal('not_found');
  return row.id;
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
  handler: async ({ ctx, scope, params, body, claim, finish }) =>
    refundOrder(ctx, scope, {
      orderId: await getId(ctx.db, scope, params.orderIdOrNumber),
      paymentId: body.paymentId?.toLowerCase() ?? null,
      amountMinor: body.amount === undefined ? null : BigInt(body.amount),
      reason: body.reason ?? 'requested_by_customer',
      note: body.note ?? null,
      hooks: { claim, finish },
    }),
});

export const orderRoutes: Route[] = [list, get, refund];

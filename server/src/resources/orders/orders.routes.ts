/** Orders: purchases, and what came of them. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { parseNumber } from '../../domain/numbers.ts';
import { loadSubscription } from '../../flows/load-sale.ts';
import { cutPage, toPage } from '../../http/pagination.ts';
import { type Route, read } from '../../http/route.ts';
import { listPaymentsOfOrder } from '../payments/payments.queries.ts';
import { toPayment } from '../payments/payments.schema.ts';
import {
  countOrders,
  findOrder,
  findOrderByNumber,
  listOrderItems,
  listOrders,
  type OrderRow,
} from './orders.queries.ts';
import { ListSales, OrderData, OrderParams, OrdersData, toItem, toOrder } from './orders.schema.ts';
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
    return {
      order: toOrder(row),
      items: items.map((item) => toItem(item, { withKeys: withSecret })),
      payments: payments.map((payment) => toPayment(payment, ctx.config.publicUrl)),
      refunds: [],
      subscription: row.subscriptionId ? await loadSubscription(db, scope, row.subscriptionId) : null,
    };
  },
});

export const orderRoutes: Route[] = [list, get];

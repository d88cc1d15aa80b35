/** Lists of orders, and how many they hold. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countFound, countRows, inPageOrder, isOnPage, onPage, type Page, toLimit } from '../../db/list.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { filterSales, type SalesFilter, toSalesSort } from '../sales/sales-filter.sql.ts';
import { ORDER_COLUMNS, selectOrders } from './orders.sql.ts';

/** What is shown of an order in a list beside the order itself. */
const toBeside = (scope: Scope) => sql<{
  sold: Array<{ name: string; product: string | null; variant: string | null }>;
  fields: Record<string, string>;
  fulfilment: string | null;
}>`(
  select jsonb_build_object(
    'sold', coalesce(jsonb_agg(jsonb_build_object('name', i.name, 'product', i.product ->> 'name',
      'variant', i.variant ->> 'name') order by i.position) filter (where i.position < 3), '[]'),
    'fields', coalesce((array_agg(i.custom_fields order by i.position))[1], '{}'),
    'fulfilment', (array['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'])[
      min(array_position(array['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'], i.fulfilment))])
  from order_items i
  where ${inScope(scope, 'i')} and i.order_id = orders.id)`;

const unarchived = (db: Db, scope: Scope) =>
  db.selectFrom('orders').where(inScope(scope, 'orders')).where('orders.archivedAt', 'is', null);

interface PlainPage extends Scope {
  fixed: { limit: number };
  /** Of the row that it begins after, together. */
  afterMs?: number;
  afterId?: string;
}

const plainOrders = keepQuery((db, { fixed, afterMs, afterId, ...scope }: PlainPage) => {
  let ids = unarchived(db, scope)
    .select('orders.id')
    .orderBy('orders.createdAt', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(toLimit(fixed.limit));
  if (afterId !== undefined)
    ids = ids.where(sql<SqlBool>`(orders.created_at, orders.id) < (${afterMs}::bigint, ${afterId}::uuid)`);
  return selectOrders(db, scope)
    .where(isOnPage('orders.id', ids))
    .orderBy('orders.createdAt', 'desc')
    .orderBy('orders.id', 'desc')
    .select(ORDER_COLUMNS)
    .select(['users.email as userEmail', toBeside(scope).as('beside')]);
});

export type ListedOrderRow = Awaited<ReturnType<typeof plainOrders>>[number];

export async function listOrders(
  db: Db,
  scope: Scope,
  filter: SalesFilter,
  page: Page,
): Promise<ListedOrderRow[]> {
  const plain = toPlainPage(filter, page);
  if (plain) return plainOrders(db, { ...scope, ...plain });
  const sort = toSalesSort('orders', filter);
  const ids = onPage(filterOrders(db, scope, filter), page, sort).select('orders.id');
  const shown = selectOrders(db, scope)
    .select(ORDER_COLUMNS)
    .select(['users.email as userEmail', toBeside(scope).as('beside')])
    .where(isOnPage('orders.id', ids));
  return inPageOrder(shown, page, sort).execute();
}

function filterOrders(db: Db, scope: Scope, filter: SalesFilter) {
  const orders = db.selectFrom('orders').where(inScope(scope, 'orders'));
  return filterSales(orders, scope, { table: 'orders', filter });
}

/** What a dashboard, a poller and whoever reads all of them ask for all day: the newest, with nothing chosen. */
function toPlainPage(
  filter: SalesFilter,
  { take, after, before, skip }: Page,
): Omit<PlainPage, keyof Scope> | null {
  if (!isOpen(filter) || before !== null || skip !== 0) return null;
  const fixed = { limit: take + 1 };
  return after === null ? { fixed } : { fixed, afterMs: Number(after.value), afterId: after.id };
}

/** Nothing is chosen. */
function isOpen({ archived, ...filter }: SalesFilter): boolean {
  return archived === 'without' && Object.values(filter).every((value) => value === undefined);
}

const firstOrdersCount = keepQuery((db, { limit, ...scope }: Scope & { limit: number }) =>
  countFound(db, unarchived(db, scope), limit),
);

export async function countOrders(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: SalesFilter; limit: number | null },
): Promise<number> {
  if (limit === null || !isOpen(filter)) return countRows(filterOrders(db, scope, filter), db, limit);
  const [row] = await firstOrdersCount(db, { ...scopeColumns(scope), limit: limit + 1 });
  assert(row, 'a count has its row');
  return row.count;
}

/** All SQL of orders and their items. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countFound, countRows, inPageOrder, isOnPage, onPage, type Page } from '../../db/list.ts';
import type { OrderItemsTable, OrdersTable } from '../../db/schema/orders.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { filterSales, type SalesFilter, toSalesSort } from '../sales/sales-filter.sql.ts';

/** An order with what is shown of its user, last payment and subscription. */
function selectOrders(db: Db, scope: Scope) {
  return db
    .selectFrom('orders')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'orders.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'orders.testMode')
        .onRef('users.id', '=', 'orders.userId'),
    )
    .leftJoin('payments as last', (join) =>
      join
        .onRef('last.workspaceId', '=', 'orders.workspaceId')
        .on('last.workspaceId', '=', scope.workspaceId)
        .onRef('last.testMode', '=', 'orders.testMode')
        .onRef('last.id', '=', 'orders.lastPaymentId'),
    )
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'orders.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'orders.testMode')
        .onRef('subscriptions.id', '=', 'orders.subscriptionId'),
    )
    .select(toConsents(scope).as('consents'))
    .where(inScope(scope, 'orders'));
}

/** What was agreed to at the last try; most orders are not asked for it. */
const toConsents = (scope: Scope) => sql<
  ConsentJson[] | null
>`case when orders.consented_at is null then null else (
  select jsonb_agg(jsonb_build_object('kind', c.kind, 'text', c.text, 'textVersion', c.text_version,
    'language', c.language, 'givenAt', c.given_at, 'confirmedAt', c.confirmed_at, 'sha256', c.sha256) order by c.kind)
  from consents c
  where ${inScope(scope, 'c')} and c.order_id = orders.id
    and c.given_at = orders.consented_at) end`;

type ConsentJson = Pick<
  Row<'consents'>,
  'kind' | 'text' | 'textVersion' | 'language' | 'givenAt' | 'confirmedAt' | 'sha256'
>;

const ORDER_COLUMNS = [
  'orders.id',
  'orders.number',
  'orders.status',
  'orders.type',
  'orders.value',
  'orders.tax',
  'orders.fee',
  'orders.refundedValue',
  'orders.totalItems',
  'orders.country',
  'orders.currency',
  'orders.createdAt',
  'orders.paidAt',
  'orders.userId',
  'orders.checkoutId',
  'orders.discount',
  'orders.lastPaymentId',
  'orders.sessionId',
  'orders.subscriptionId',
  'orders.archivedAt',
  'orders.reference',
  'orders.correctedAt',
  'orders.holds',
  'orders.frozenAt',
  'orders.withdrawableUntil',
  'orders.imported',
  'users.username',
  'last.number as lastNumber',
  'last.type as lastType',
  'last.status as lastStatus',
  'last.value as lastValue',
  'last.currency as lastCurrency',
  'subscriptions.status as subscriptionStatus',
] as const;

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

const orderById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  selectOrders(db, scope).select(ORDER_COLUMNS).where('orders.id', '=', id),
);

export async function findOrder(db: Db, scope: Scope, id: string) {
  const [row] = await orderById(db, { ...scope, id });
  return row;
}

export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;
export type ListedOrderRow = Awaited<ReturnType<typeof newestOrders>>[number];

export async function findOrderByNumber(db: Db, scope: Scope, number: string): Promise<OrderRow | undefined> {
  return selectOrders(db, scope).select(ORDER_COLUMNS).where('orders.number', '=', number).executeTakeFirst();
}

const unarchived = (db: Db, scope: Scope) =>
  db.selectFrom('orders').where(inScope(scope, 'orders')).where('orders.archivedAt', 'is', null);

const newestOrders = keepQuery((db, { limit, ...scope }: Scope & { limit: number }) => {
  const ids = unarchived(db, scope)
    .select('orders.id')
    .orderBy('orders.createdAt', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(limit);
  return selectOrders(db, scope)
    .where(isOnPage('orders.id', ids))
    .orderBy('orders.createdAt', 'desc')
    .orderBy('orders.id', 'desc')
    .select(ORDER_COLUMNS)
    .select(['users.email as userEmail', toBeside(scope).as('beside')]);
});

export async function listOrders(
  db: Db,
  scope: Scope,
  filter: SalesFilter,
  page: Page,
): Promise<ListedOrderRow[]> {
  if (isFirstPage(filter, page)) return newestOrders(db, { ...scope, limit: page.take + 1 });
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

/** What a dashboard and a poller ask for all day: the newest, with nothing chosen. */
function isFirstPage(filter: SalesFilter, { after, before, skip }: Page): boolean {
  return isOpen(filter) && after === null && before === null && skip === 0;
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

function selectItems(db: Db, scope: Scope) {
  return db
    .selectFrom('orderItems')
    .selectAll()
    .select(
      sql<Array<{ id: string; key: string }>>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'key', k.key_text) order by k.id), '[]')
        from offer_keys k
        where ${inScope(scope, 'k')}
          and k.order_id = order_items.order_id and k.order_item_id = order_items.id and k.status = 'sold')`.as(
        'keys',
      ),
    )
    .where(inScope(scope))
    .orderBy('position');
}

const itemsOfOrder = keepQuery((db, { orderId, ...scope }: Scope & { orderId: string }) =>
  selectItems(db, scope).where('orderId', '=', orderId),
);

const itemsOfPayment = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  selectItems(db, scope).where(
    'orderId',
    '=',
    sql<string>`(select p.order_id from payments p where ${inScope(scope, 'p')} and p.id = ${paymentId})`,
  ),
);

/** The same of the order that a payment belongs to. */
export async function listItemsOfPayment(db: Db, scope: Scope, paymentId: string) {
  return itemsOfPayment(db, { ...scopeColumns(scope), paymentId });
}

/** Items in the order of the cart, with the keys that were delivered. */
export async function listOrderItems(db: Db, scope: Scope, orderId: string) {
  return itemsOfOrder(db, { ...scope, orderId });
}

/** Lets a bought file be downloaded anew, as often as its offer said. False where the order has no such item. */
export async function resetDownloads(
  tx: Tx,
  scope: Scope,
  { orderId, itemId }: { orderId: string; itemId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orderItems')
    .set({ downloads: 0, downloadedBy: null })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('id', '=', itemId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Where an item of a user's paid orders is; undefined for another's. */
export async function findItemOfUser(
  db: Db,
  scope: Scope,
  { userId, itemId }: { userId: string; itemId: string },
): Promise<{ orderId: string } | undefined> {
  return db
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'i.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'i.testMode')
        .onRef('o.id', '=', 'i.orderId'),
    )
    .select('i.orderId')
    .where(inScope(scope, 'i'))
    .where('i.id', '=', itemId)
    .where('o.userId', '=', userId)
    .where('o.paidAt', 'is not', null)
    .executeTakeFirst();
}

export type OrderItemRow = Awaited<ReturnType<typeof listOrderItems>>[number];

/**
 * Counts the download of an item by a link, the first time that it is opened with it; answers whether it may be. An item
 * without a limit counts nothing.
 */
export async function takeDownload(
  db: Db,
  scope: Scope,
  { itemId, link }: { itemId: string; link: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orderItems')
    .set((eb) => ({
      downloads: eb
        .case()
        .when('downloadedBy', 'is not distinct from', link)
        .then(eb.ref('downloads'))
        .else(eb('downloads', '+', 1))
        .end(),
      downloadedBy: link,
    }))
    .where(inScope(scope))
    .where('id', '=', itemId)
    .where((eb) => eb.or([eb('downloadedBy', '=', link), eb('downloads', '<', eb.ref('downloadLimit'))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const itemsToFulfil = keepQuery((db, { orderId, ...scope }: Scope & { orderId: string }) =>
  db
    .selectFrom('orderItems')
    .leftJoin('offers', (join) =>
      join
        .onRef('offers.workspaceId', '=', 'orderItems.workspaceId')
        .on('offers.workspaceId', '=', scope.workspaceId)
        .onRef('offers.testMode', '=', 'orderItems.testMode')
        .onRef('offers.id', '=', 'orderItems.offerId'),
    )
    .select([
      'orderItems.id',
      'orderItems.offerId',
      'orderItems.quantity',
      'orderItems.fulfilment',
      'orderItems.limitHeld',
      'offers.hasKeys',
    ])
    .where(inScope(scope, 'orderItems'))
    .where('orderItems.orderId', '=', orderId)
    .orderBy('orderItems.position'),
);

/** What is to be delivered of an order, with whether its offer delivers keys. */
export async function listItemsToFulfil(db: Db, scope: Scope, orderId: string) {
  return itemsToFulfil(db, { ...scope, orderId });
}

export type ItemToFulfil = Awaited<ReturnType<typeof listItemsToFulfil>>[number];

/** Who opened an order without the secret key; null = the merchant. */
export async function findOpener(db: Db, scope: Scope, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom('orders')
    .select('openedBy')
    .where(inScope(scope))
    .where('id', '=', orderId)
    .executeTakeFirst();
  return row?.openedBy ?? null;
}

export async function lockOrder(tx: Tx, scope: Scope, id: string): Promise<Row<'orders'> | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type NewOrder = Omit<Insertable<OrdersTable>, 'workspaceId' | 'testMode'>;
type NewItem = Omit<Insertable<OrderItemsTable>, 'workspaceId' | 'testMode'>;

const insertion = keepQuery((db, row: Scope & NewOrder) => db.insertInto('orders').values(row));

export async function insertOrder(tx: Tx, scope: Scope, order: NewOrder): Promise<void> {
  await insertion(tx, { ...scopeColumns(scope), ...order });
}

type OrderChanges = Updateable<OrdersTable> & { id: string };

const update = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & OrderChanges) =>
  db.updateTable('orders').set(changes).where(inScope({ workspaceId, testMode })).where('id', '=', id),
);

export async function updateOrder(tx: Tx, scope: Scope, changes: OrderChanges): Promise<void> {
  await update(tx, { ...changes, ...scopeColumns(scope) });
}

const itemInsertion = keepQuery((db, { rows, ...scope }: Scope & { rows: NewItem[] }) =>
  db.insertInto('orderItems').values(rows.map((row) => ({ ...scope, ...row }))),
);

export async function insertOrderItems(tx: Tx, scope: Scope, items: NewItem[]): Promise<void> {
  await itemInsertion(tx, { ...scopeColumns(scope), rows: items });
}

/** An unpaid order is priced anew at each try: its items are made again. */
export async function deleteOrderItems(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  await tx.deleteFrom('orderItems').where(inScope(scope)).where('orderId', '=', orderId).execute();
}

export async function updateItemFulfilment(
  tx: Tx,
  scope: Scope,
  ids: string[],
  fulfilment: Row<'orderItems'>['fulfilment'],
): Promise<void> {
  await tx
    .updateTable('orderItems')
    .set({ fulfilment })
    .where(inScope(scope))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export async function updateOrderItem(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<OrderItemsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('orderItems').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

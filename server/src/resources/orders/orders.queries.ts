/** All SQL of orders and their items, but for lists of orders. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { OrderItemsTable, OrdersTable } from '../../db/schema/orders.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { ORDER_COLUMNS, selectOrders } from './orders.sql.ts';

const orderById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  selectOrders(db, scope).select(ORDER_COLUMNS).where('orders.id', '=', id),
);

export async function findOrder(db: Db, scope: Scope, id: string) {
  const [row] = await orderById(db, { ...scope, id });
  return row;
}

export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export async function findOrderByNumber(db: Db, scope: Scope, number: string): Promise<OrderRow | undefined> {
  return selectOrders(db, scope).select(ORDER_COLUMNS).where('orders.number', '=', number).executeTakeFirst();
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

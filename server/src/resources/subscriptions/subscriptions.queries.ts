/** All SQL of subscriptions and their items. */
import { type Insertable, type SelectQueryBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countRows, onPage, type Page } from '../../db/list.ts';
import type { Row, SubscriptionItemsTable, SubscriptionsTable } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

/** A subscription with what is shown of its user, order, last payment and method. */
function selectSubscriptions(db: Db, scope: Scope) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'subscriptions.workspaceId')
        .onRef('users.testMode', '=', 'subscriptions.testMode')
        .onRef('users.id', '=', 'subscriptions.userId'),
    )
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'subscriptions.workspaceId')
        .onRef('orders.testMode', '=', 'subscriptions.testMode')
        .onRef('orders.id', '=', 'subscriptions.orderId'),
    )
    .leftJoin('payments as last', (join) =>
      join
        .onRef('last.workspaceId', '=', 'subscriptions.workspaceId')
        .onRef('last.testMode', '=', 'subscriptions.testMode')
        .onRef('last.id', '=', 'subscriptions.lastPaymentId'),
    )
    .leftJoin('paymentMethods as method', (join) =>
      join
        .onRef('method.workspaceId', '=', 'subscriptions.workspaceId')
        .onRef('method.testMode', '=', 'subscriptions.testMode')
        .onRef('method.id', '=', 'subscriptions.paymentMethodId'),
    )
    .selectAll('subscriptions')
    .select([
      'users.username',
      'orders.status as orderStatus',
      'last.number as lastNumber',
      'last.type as lastType',
      'last.status as lastStatus',
      'last.value as lastValue',
      'method.details as methodDetails',
      'method.expMonth as methodExpMonth',
      'method.expYear as methodExpYear',
    ])
    .where(inScope(scope, 'subscriptions'));
}

const subscriptionById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  selectSubscriptions(db, scope).where('subscriptions.id', '=', id),
);

export async function findSubscription(db: Db, scope: Scope, id: string) {
  const [row] = await subscriptionById(db, { ...scopeColumns(scope), id });
  return row;
}

/** The row's id behind the number, which is the subscription's id in the API. */
export async function findSubscriptionId(db: Db, scope: Scope, number: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id;
}

export interface SubscriptionFilter {
  statuses?: string[] | undefined;
  userId?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

export async function listSubscriptions(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: SubscriptionFilter; page: Page },
): Promise<SubscriptionRow[]> {
  const sort = { by: 'subscriptions.createdAt', id: 'subscriptions.id', direction: 'desc' } as const;
  return onPage(filterSubscriptions(selectSubscriptions(db, scope), filter), page, sort).execute();
}

export async function countSubscriptions(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: SubscriptionFilter; limit: number | null },
): Promise<number> {
  const all = db.selectFrom('subscriptions').where(inScope(scope, 'subscriptions'));
  return countRows(filterSubscriptions(all, filter), db, limit);
}

function filterSubscriptions<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { statuses, userId, createdFrom, createdTo }: SubscriptionFilter,
): SelectQueryBuilder<DB, TB, O> {
  const of = (column: string) => sql.ref(`subscriptions.${column}`);
  let filtered = query;
  if (statuses !== undefined) filtered = filtered.where(sql<SqlBool>`${of('status')} = any(${statuses})`);
  if (userId !== undefined) filtered = filtered.where(sql<SqlBool>`${of('userId')} = ${userId}::uuid`);
  if (createdFrom !== undefined)
    filtered = filtered.where(sql<SqlBool>`${of('createdAt')} >= ${createdFrom}`);
  if (createdTo !== undefined) filtered = filtered.where(sql<SqlBool>`${of('createdAt')} <= ${createdTo}`);
  return filtered;
}

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
export type SubscriptionItemRow = Row<'subscriptionItems'>;

const itemsOf = keepQuery((db, { subscriptionId, ...scope }: Scope & { subscriptionId: string }) =>
  db
    .selectFrom('subscriptionItems')
    .selectAll()
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('position'),
);

export async function listSubscriptionItems(
  db: Db,
  scope: Scope,
  subscriptionId: string,
): Promise<SubscriptionItemRow[]> {
  return itemsOf(db, { ...scopeColumns(scope), subscriptionId });
}

/** The items of several subscriptions, by subscription and in their order. */
export async function listItemsOfSubscriptions(
  db: Db,
  scope: Scope,
  ids: string[],
): Promise<Map<string, SubscriptionItemRow[]>> {
  const items = new Map<string, SubscriptionItemRow[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return items;
  const rows = await db
    .selectFrom('subscriptionItems')
    .selectAll()
    .where(inScope(scope))
    .where('subscriptionId', 'in', ids)
    .orderBy('position')
    .execute();
  for (const row of rows) items.get(row.subscriptionId)?.push(row);
  return items;
}

/** The row alone, without what is shown around it. */
export async function getSubscription(db: Db, scope: Scope, id: string): Promise<Row<'subscriptions'>> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
  assert(row, 'a subscription that is referred to exists');
  return row;
}

export async function lockSubscription(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'subscriptions'> | undefined> {
  return tx
    .selectFrom('subscriptions')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type NewSubscription = Omit<Insertable<SubscriptionsTable>, 'workspaceId' | 'testMode'>;
type NewSubscriptionItem = Omit<Insertable<SubscriptionItemsTable>, 'workspaceId' | 'testMode'>;

export async function insertSubscription(tx: Tx, scope: Scope, subscription: NewSubscription): Promise<void> {
  await tx
    .insertInto('subscriptions')
    .values({ ...scopeColumns(scope), ...subscription })
    .execute();
}

export async function insertSubscriptionItems(
  tx: Tx,
  scope: Scope,
  items: NewSubscriptionItem[],
): Promise<void> {
  await tx
    .insertInto('subscriptionItems')
    .values(items.map((item) => ({ ...scopeColumns(scope), ...item })))
    .execute();
}

export async function deleteSubscriptionItems(tx: Tx, scope: Scope, subscriptionId: string): Promise<void> {
  await tx
    .deleteFrom('subscriptionItems')
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .execute();
}

export async function updateSubscription(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<SubscriptionsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('subscriptions').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

/** By which rates an item was last taxed. */
export async function updateItemTax(
  tx: Tx,
  scope: Scope,
  { id, taxReason, taxRates }: { id: string; taxReason: string; taxRates: readonly unknown[] },
): Promise<void> {
  await tx
    .updateTable('subscriptionItems')
    .set({ taxReason, taxRates: toJson(taxRates) })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

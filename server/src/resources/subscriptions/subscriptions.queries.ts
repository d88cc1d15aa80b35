/** All SQL of subscriptions and their items. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row, SubscriptionItemsTable, SubscriptionsTable } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';

export async function findSubscription(db: Db, scope: Scope, id: string) {
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
    .selectAll('subscriptions')
    .select([
      'users.username',
      'orders.status as orderStatus',
      'last.number as lastNumber',
      'last.type as lastType',
      'last.status as lastStatus',
      'last.value as lastValue',
    ])
    .where(inScope(scope, 'subscriptions'))
    .where('subscriptions.id', '=', id)
    .executeTakeFirst();
}

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
export type SubscriptionItemRow = Row<'subscriptionItems'>;

export async function listSubscriptionItems(
  db: Db,
  scope: Scope,
  subscriptionId: string,
): Promise<SubscriptionItemRow[]> {
  return db
    .selectFrom('subscriptionItems')
    .selectAll()
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('position')
    .execute();
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

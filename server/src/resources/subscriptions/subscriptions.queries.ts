/** All SQL of subscriptions and their items. */
import {
  type Insertable,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import type { SubscriptionItemsTable, SubscriptionsTable } from '../../db/schema/subscriptions.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toNumber } from '../sales/orders-of-term.sql.ts';
import { usersOfTerm } from '../users/emails.sql.ts';

/** A subscription with what is shown of its user, order, last payment and method. */
function selectSubscriptions(db: Db, scope: Scope) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'subscriptions.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'subscriptions.testMode')
        .onRef('users.id', '=', 'subscriptions.userId'),
    )
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'subscriptions.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'subscriptions.testMode')
        .onRef('orders.id', '=', 'subscriptions.orderId'),
    )
    .leftJoin('payments as last', (join) =>
      join
        .onRef('last.workspaceId', '=', 'subscriptions.workspaceId')
        .on('last.workspaceId', '=', scope.workspaceId)
        .onRef('last.testMode', '=', 'subscriptions.testMode')
        .onRef('last.id', '=', 'subscriptions.lastPaymentId'),
    )
    .leftJoin('paymentMethods as method', (join) =>
      join
        .onRef('method.workspaceId', '=', 'subscriptions.workspaceId')
        .on('method.workspaceId', '=', scope.workspaceId)
        .onRef('method.testMode', '=', 'subscriptions.testMode')
        .onRef('method.id', '=', 'subscriptions.paymentMethodId'),
    )
    .selectAll('subscriptions')
    .select([
      'users.username',
      'orders.status as orderStatus',
      'orders.imported',
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
  /** The number, or a part of the user's e-mail. */
  term?: string | undefined;
  offerIds?: string[] | undefined;
  productIds?: string[] | undefined;
  cancelAtIntervalEnd?: boolean | undefined;
  /** When the running interval ends, of one that goes on then. */
  renewsFrom?: number | undefined;
  renewsTo?: number | undefined;
  /** The import that brought it, of one that is not activated. */
  waitingOf?: string | undefined;
  orderBy?: SubscriptionOrder | undefined;
  orderDirection?: 'ASC' | 'DESC' | undefined;
}

export type SubscriptionOrder = 'createdAt' | 'currentIntervalEnd' | 'value';

export async function listSubscriptions(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: SubscriptionFilter; page: Page },
): Promise<ListedSubscriptionRow[]> {
  const direction = filter.orderDirection === 'ASC' ? ('asc' as const) : ('desc' as const);
  const sort: Sort = {
    by: `subscriptions.${filter.orderBy ?? 'createdAt'}`,
    id: 'subscriptions.id',
    direction,
  };
  // A page is found by the indexes of its own table before anything is joined to its rows.
  const all = db.selectFrom('subscriptions').where(inScope(scope, 'subscriptions'));
  const ids = onPage(filterSubscriptions(all, scope, filter), page, sort).select('subscriptions.id');
  const shown = selectSubscriptions(db, scope)
    .select('users.email as userEmail')
    .where(isOnPage('subscriptions.id', ids));
  return inPageOrder(shown, page, sort).execute();
}

export async function countSubscriptions(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: SubscriptionFilter; limit: number | null },
): Promise<number> {
  const all = db.selectFrom('subscriptions').where(inScope(scope, 'subscriptions'));
  return countRows(filterSubscriptions(all, scope, filter), db, limit);
}

function filterSubscriptions<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  scope: Scope,
  filter: SubscriptionFilter,
): SelectQueryBuilder<DB, TB, O> {
  const { statuses, userId, createdFrom, createdTo, cancelAtIntervalEnd, renewsFrom, renewsTo } = filter;
  const { productIds, offerIds, term, orderBy, waitingOf } = filter;
  const of = (column: string) => sql.ref(`subscriptions.${column}`);
  const conditions: Array<RawBuilder<SqlBool> | undefined> = [
    // One value keeps the order of its index; several are gathered and sorted.
    statuses &&
      (statuses.length === 1
        ? sql`${of('status')} = ${statuses[0]}`
        : sql`${of('status')} = any(${statuses})`),
    userId === undefined ? undefined : sql`${of('userId')} = ${userId}::uuid`,
    createdFrom === undefined ? undefined : sql`${of('createdAt')} >= ${createdFrom}`,
    createdTo === undefined ? undefined : sql`${of('createdAt')} <= ${createdTo}`,
    cancelAtIntervalEnd === undefined
      ? undefined
      : sql`${of('cancelAtIntervalEnd')} = ${cancelAtIntervalEnd}`,
    // What ends then does not renew.
    renewsFrom === undefined && renewsTo === undefined
      ? undefined
      : sql`(${of('status')} = any(array['active', 'trialing', 'past_due']) and not ${of('cancelAtIntervalEnd')})`,
    renewsFrom === undefined ? undefined : sql`${of('currentIntervalEnd')} >= ${renewsFrom}`,
    renewsTo === undefined ? undefined : sql`${of('currentIntervalEnd')} <= ${renewsTo}`,
    waitingOf === undefined ? undefined : sql`${of('broughtBy')} = ${waitingOf}::uuid and ${of('waiting')}`,
    // Those that never began have no place in an order of ends.
    orderBy === 'currentIntervalEnd' ? sql`${of('currentIntervalEnd')} is not null` : undefined,
    productIds && hasItem(scope, sql`i.product_id = any(${productIds}::uuid[])`),
    offerIds && hasItem(scope, sql`i.offer_id = any(${offerIds}::uuid[])`),
    term === undefined ? undefined : matchesTerm(scope, term),
  ];
  let filtered = query;
  for (const condition of conditions) if (condition) filtered = filtered.where(condition);
  return filtered;
}

function hasItem(scope: Scope, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql`exists (
    select from subscription_items i
    where ${inScope(scope, 'i')}
      and i.subscription_id = subscriptions.id and ${condition})`;
}

/** Its number, or its user's e-mail or a part of it. */
function matchesTerm(scope: Scope, term: string): RawBuilder<SqlBool> {
  const number = toNumber(term);
  const numbered = sql`select from subscriptions n where ${inScope(scope, 'n')} and n.number = ${number}`;
  return sql`(subscriptions.number = ${number}
    or subscriptions.user_id = any(${usersOfTerm(scope, term, [numbered])}))`;
}

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;
export type ListedSubscriptionRow = SubscriptionRow & { userEmail: string | null };
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

/** What a method pays and goes on paying: the one that is charged first. */
export async function findRenewedByMethod(
  db: Db,
  scope: Scope,
  of: { userId: string; methodId: string },
): Promise<Row<'subscriptions'> | undefined> {
  return renewedByMethod(db, scope, of).limit(1).executeTakeFirst();
}

/** All that are charged to it by themselves. */
export async function listRenewedByMethod(
  db: Db,
  scope: Scope,
  of: { userId: string; methodId: string },
): Promise<Array<Row<'subscriptions'>>> {
  return renewedByMethod(db, scope, of).execute();
}

function renewedByMethod(db: Db, scope: Scope, { userId, methodId }: { userId: string; methodId: string }) {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('paymentMethodId', '=', methodId)
    .where('endedAt', 'is', null)
    .where('cancelAtIntervalEnd', '=', false)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['trialing', 'active', 'past_due']),
        eb.and([eb('status', '=', 'paused'), eb('resumeAt', 'is not', null)]),
      ]),
    )
    .orderBy('currentIntervalEnd')
    .orderBy('id');
}

/** The ids of all that a method pays. */
export async function listPaidByMethod(
  db: Db,
  scope: Scope,
  { userId, methodId }: { userId: string; methodId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('paymentMethodId', '=', methodId)
    .where('endedAt', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

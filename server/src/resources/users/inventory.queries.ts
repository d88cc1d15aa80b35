/** What a user has bought, and what the access to it hangs on. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { onPage, type Page, type Sort } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface InventoryFilter {
  userId: string;
  productType?: string;
  /** Only what is the user's beyond this moment, ms. */
  endsAfterMs: number;
  /** Of the subscriptions, those that are: what their access hangs on is no question to a row. */
  subscriptionIds: string[];
  /** Also what was taken back. */
  withRevoked?: boolean;
}

/** An order's items share its moment: the id tells them apart. */
const NEWEST_FIRST: Sort = { by: 'o.createdAt', id: 'i.id', direction: 'desc' };

/** Since when the money of an order, or of a later payment of it, is disputed; null = it is not. */
const toFrozenAt = (scope: Scope) => sql<number | null>`coalesce(o.frozen_at, (
  select min(d.opened_at) from payments p
  join disputes d on ${inScope(scope, 'd')} and d.payment_id = p.id
  where ${inScope(scope, 'p')} and p.order_id = o.id
    and p.subscription_id is not null and d.status = 'open'))`;

/** Every subscription that the user has begun to pay, with what its access hangs on. */
export async function listBoughtSubscriptions(db: Db, scope: Scope, userId: string) {
  return db
    .selectFrom('orders as o')
    .innerJoin('subscriptions as s', (join) =>
      join
        .onRef('s.workspaceId', '=', 'o.workspaceId')
        .on('s.workspaceId', '=', scope.workspaceId)
        .onRef('s.testMode', '=', 'o.testMode')
        .onRef('s.id', '=', 'o.subscriptionId'),
    )
    .select([
      's.id',
      's.status',
      's.anchorAt',
      's.recurringInterval',
      's.recurringIntervalCount',
      's.currentIntervalEnd',
      's.cancelAtIntervalEnd',
      's.dunningStartedAt',
      's.pausedAt',
      's.trialEnd',
      's.endedAt',
      toFrozenAt(scope).as('frozenAt'),
    ])
    .where(inScope(scope, 'o'))
    .where('o.userId', '=', userId)
    .where('o.paidAt', 'is not', null)
    .execute();
}

export type BoughtSubscription = Awaited<ReturnType<typeof listBoughtSubscriptions>>[number];

/** The same moment for one order. */
export async function findFrozenAt(db: Db, scope: Scope, orderId: string): Promise<number | null> {
  const row = await db
    .selectFrom('orders as o')
    .select(toFrozenAt(scope).as('frozenAt'))
    .where(inScope(scope, 'o'))
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  return row?.frozenAt ?? null;
}

export async function listInventory(db: Db, scope: Scope, filter: InventoryFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter), page, NEWEST_FIRST)
      .selectAll('i')
      .select([
        'o.number as orderNumber',
        's.number as subscriptionNumber',
        // Set by the payment, and paid is what the filter asks for.
        sql<number>`o.paid_at`.as('boughtAt'),
        'o.createdAt as orderedAt',
        'o.subscriptionId',
        'o.frozenAt',
        sql<Array<{ id: string; key: string }>>`(
          select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'key', k.key_text) order by k.id), '[]')
          from offer_keys k
          where ${inScope(scope, 'k')}
            and k.order_id = i.order_id and k.order_item_id = i.id and k.status = 'sold')`.as('keys'),
      ])
      .execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export type InventoryRow = Awaited<ReturnType<typeof listInventory>>['rows'][number];

function filtered(db: Db, scope: Scope, filter: InventoryFilter) {
  const { userId, productType, endsAfterMs, subscriptionIds } = filter;
  let query = db
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'i.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'i.testMode')
        .onRef('o.id', '=', 'i.orderId'),
    )
    .leftJoin('subscriptions as s', (join) =>
      join
        .onRef('s.workspaceId', '=', 'o.workspaceId')
        .on('s.workspaceId', '=', scope.workspaceId)
        .onRef('s.testMode', '=', 'o.testMode')
        .onRef('s.id', '=', 'o.subscriptionId'),
    )
    .where(inScope(scope, 'i'))
    .where(inScope(scope, 'o'))
    .where('o.userId', '=', userId)
    .where('o.paidAt', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('o.subscriptionId', '=', sql<string>`any(${subscriptionIds}::uuid[])`),
        eb.and([
          eb('o.subscriptionId', 'is', null),
          eb.or([eb('o.frozenAt', 'is', null), eb('o.frozenAt', '>', endsAfterMs)]),
        ]),
      ]),
    );
  if (!filter.withRevoked) query = query.where('i.fulfilment', '<>', 'revoked');
  if (productType !== undefined) query = query.where(sql`i.product ->> 'type'`, '=', productType);
  return query;
}

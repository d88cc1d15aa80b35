/** What a user has bought and not lost again, newest first. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { onPage, type Page, type Sort } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface InventoryFilter {
  userId: string;
  productType?: string;
  expiresAfter?: number;
  /** How long access stays after a failed renewal. */
  graceMs: number;
}

/** An order's items share its moment: the id tells them apart. */
const NEWEST_FIRST: Sort = { by: 'o.createdAt', id: 'i.id', direction: 'desc' };

/**
 * A one-time purchase never ends. A subscription's ends with what is paid of it, and where a renewal failed with
 * the grace after it: the period moved on all the same.
 */
const expiresAt = (graceMs: number) =>
  sql<number | null>`case when s.id is not null then coalesce(
    s.ended_at, s.dunning_started_at + ${graceMs}::bigint, s.current_interval_end, s.trial_end) end`;

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
        expiresAt(filter.graceMs).as('expiresAt'),
        sql<Array<{ id: string; key: string }>>`(
          select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'key', k.key_text) order by k.id), '[]')
          from offer_keys k
          where k.workspace_id = i.workspace_id and k.test_mode = i.test_mode
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
  const { userId, productType, expiresAfter, graceMs } = filter;
  let query = db
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'i.workspaceId')
        .onRef('o.testMode', '=', 'i.testMode')
        .onRef('o.id', '=', 'i.orderId'),
    )
    .leftJoin('subscriptions as s', (join) =>
      join
        .onRef('s.workspaceId', '=', 'o.workspaceId')
        .onRef('s.testMode', '=', 'o.testMode')
        .onRef('s.id', '=', 'o.subscriptionId'),
    )
    .where(inScope(scope, 'i'))
    .where(inScope(scope, 'o'))
    .where('o.userId', '=', userId)
    .where('o.paidAt', 'is not', null)
    .where('i.fulfilment', '<>', 'revoked');
  if (productType !== undefined) query = query.where(sql`i.product ->> 'type'`, '=', productType);
  if (expiresAfter !== undefined) {
    query = query.where((eb) =>
      eb.or([eb(expiresAt(graceMs), 'is', null), eb(expiresAt(graceMs), '>', expiresAfter)]),
    );
  }
  return query;
}

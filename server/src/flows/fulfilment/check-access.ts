/** Whether what was bought is its buyer's now, and the file that goes with it. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { type Access, computeAccess } from '../../domain/subscriptions/access.ts';
import { listReceiptOffers } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder, listOrderItems, type OrderRow } from '../../resources/orders/orders.queries.ts';
import { findSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { findFrozenAt } from '../../resources/users/inventory.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

interface Bought {
  orderId: string;
  /** Null for what was bought once. */
  subscription: Row<'subscriptions'> | null;
  settings: Settings;
}

/** It may be disputed, and a subscription may have ended. */
export async function loadAccess(
  ctx: Context,
  scope: Scope,
  { orderId, subscription, settings }: Bought,
): Promise<Access> {
  const frozenAt = await findFrozenAt(ctx.db, scope, orderId);
  return computeAccess({ frozenAt, subscription }, { nowMs: ctx.nowMs, graceDays: settings.graceDays });
}

/** The subscription that an order began, if it did. */
export async function findSubscriptionOf(
  ctx: Context,
  scope: Scope,
  { subscriptionId }: Pick<OrderRow, 'subscriptionId'>,
): Promise<Row<'subscriptions'> | null> {
  if (subscriptionId === null) return null;
  return (await findSubscription(ctx.db, scope, subscriptionId)) ?? null;
}

export interface BoughtItem {
  orderId: string;
  itemId: string;
}

/** The file of a bought item. Throws not_found for what is not bought, not delivered, withheld, over or taken back. */
export async function getBoughtFileId(
  ctx: Context,
  scope: Scope,
  { orderId, itemId }: BoughtItem,
): Promise<string> {
  const order = await findOrder(ctx.db, scope, orderId);
  const items = await listOrderItems(ctx.db, scope, orderId);
  if (!order) throw new Refusal('not_found');
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  const subscription = await findSubscriptionOf(ctx, scope, order);
  const { status } = await loadAccess(ctx, scope, { orderId, subscription, settings });
  if (status !== 'active') throw new Refusal('not_found');
  const isDelivered = items.some((item) => item.id === itemId && item.fulfilment === 'delivered');
  const offers = isDelivered ? await listReceiptOffers(ctx.db, scope, orderId) : [];
  const fileId = offers.find((offer) => offer.itemId === itemId)?.fileId;
  if (!fileId) throw new Refusal('not_found');
  return fileId;
}

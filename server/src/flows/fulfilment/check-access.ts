/** Whether what was bought is its buyer's now, and the file that goes with it. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { type Access, computeAccess } from '../../domain/subscriptions/access.ts';
import { listReceiptOffers } from '../../resources/checkouts/checkouts.queries.ts';
import {
  findOrder,
  listOrderItems,
  type OrderItemRow,
  type OrderRow,
  takeDownload,
} from '../../resources/orders/orders.queries.ts';
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

const DAY_MS = 24 * 3_600_000;

/** Whether an item may still be downloaded, as its offer said at purchase; a link that was counted goes on. */
export function canDownload(
  item: Pick<OrderItemRow, 'downloadLimit' | 'downloadDays' | 'downloads' | 'downloadedBy'>,
  { paidAt, nowMs, link }: { paidAt: number | null; nowMs: number; link?: string },
): boolean {
  const { downloadLimit, downloadDays, downloads, downloadedBy } = item;
  if (downloadDays !== null && paidAt !== null && nowMs >= paidAt + downloadDays * DAY_MS) return false;
  const isCounted = link !== undefined && downloadedBy === link;
  return downloadLimit === null || downloads < downloadLimit || isCounted;
}

/**
 * The file of a bought item. Throws not_found for what is not bought, not delivered, withheld, over or taken back, and
 * download_over once its offer's limit or days are. With a `link` it is opened: that counts once for each link.
 */
export async function getBoughtFileId(
  ctx: Context,
  scope: Scope,
  { orderId, itemId, link }: BoughtItem & { link?: string },
): Promise<string> {
  const order = await findOrder(ctx.db, scope, orderId);
  const items = await listOrderItems(ctx.db, scope, orderId);
  if (!order) throw new Refusal('not_found');
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  const subscription = await findSubscriptionOf(ctx, scope, order);
  const { status } = await loadAccess(ctx, scope, { orderId, subscription, settings });
  if (status !== 'active') throw new Refusal('not_found');
  const item = items.find(({ id, fulfilment }) => id === itemId && fulfilment === 'delivered');
  const offers = item ? await listReceiptOffers(ctx.db, scope, orderId) : [];
  const fileId = offers.find((offer) => offer.itemId === itemId)?.fileId;
  if (!item || !fileId) throw new Refusal('not_found');
  const { paidAt } = order;
  const { nowMs } = ctx;
  const isOpen = canDownload(item, { paidAt, nowMs, ...(link === undefined ? {} : { link }) });
  if (!isOpen) throw new Refusal('download_over');
  const isLimited = link !== undefined && item.downloadLimit !== null;
  if (isLimited && !(await takeDownload(ctx.db, scope, { itemId, link }))) throw new Refusal('download_over');
  return fileId;
}

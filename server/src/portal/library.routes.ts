/** What a buyer can use of what was bought: keys and files. */
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import type { Settings } from '../domain/settings.ts';
import { type Access, computeAccess } from '../domain/subscriptions/access.ts';
import {
  canDownload,
  findSubscriptionOf,
  getBoughtFileId,
  loadAccess,
} from '../flows/fulfilment/check-access.ts';
import { createDownloadUrl, LINK_LIFETIME_MS } from '../flows/fulfilment/sign-download.ts';
import { buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { listReceiptOffers } from '../resources/checkouts/checkouts.queries.ts';
import { noteDelivery } from '../resources/consumer/consents.queries.ts';
import { findOrder, listOrderItems } from '../resources/orders/orders.queries.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import {
  DownloadData,
  LibraryData,
  LibraryParams,
  ListOwn,
  NoBody,
  OwnKeysData,
  toLibraryItem,
  toUntil,
} from '../resources/portal/bought.schema.ts';
import {
  type InventoryRow,
  listBoughtSubscriptions,
  listInventory,
} from '../resources/users/inventory.queries.ts';
import { getOwnItem } from './own-objects.ts';

const list = buyerRead({
  method: 'GET',
  path: '/v0/portal/library/list',
  operationId: 'listPortalLibrary',
  tag: 'portal',
  summary: 'List what this buyer can use, and what ended, newest first',
  query: ListOwn,
  data: LibraryData,
  handler: async ({ ctx, db, scope, query, buyer }) => {
    const { graceDays } = buyer.settings;
    const page = toPage(query);
    const { rows, accessOf } = await loadLibrary(ctx, scope, { userId: buyer.user.id, graceDays, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.orderedAt, id: row.id }));
    const files = await loadFiles(db, scope, cut.rows);
    return {
      items: cut.rows.map((row) =>
        toLibraryItem(row, {
          access: accessOf(row),
          file: files.get(row.id),
          canDownload: canDownload(row, { paidAt: row.boughtAt, nowMs: ctx.nowMs }),
        }),
      ),
      count: null,
      ...cut.page,
    };
  },
});

interface LoadingLibrary {
  userId: string;
  graceDays: number;
  page: ReturnType<typeof toPage>;
}

async function loadLibrary(ctx: Context, scope: Scope, { userId, graceDays, page }: LoadingLibrary) {
  const terms = { nowMs: ctx.nowMs, graceDays };
  const subscribed = await listBoughtSubscriptions(ctx.db, scope, userId);
  const ofSubscription = new Map(
    subscribed.map(({ frozenAt, ...row }) => [row.id, computeAccess({ frozenAt, subscription: row }, terms)]),
  );
  // What ended stays listed, however long ago.
  const filter = { userId, endsAfterMs: -1, subscriptionIds: [...ofSubscription.keys()], withRevoked: true };
  const { rows } = await listInventory(ctx.db, scope, filter, page);
  const accessOf = ({ subscriptionId, frozenAt }: InventoryRow): Access =>
    ofSubscription.get(subscriptionId ?? '') ?? computeAccess({ frozenAt, subscription: null }, terms);
  return { rows, accessOf };
}

/** The file of each item, by the item. */
async function loadFiles(db: Db, scope: Scope, rows: readonly InventoryRow[]) {
  const orderIds = [...new Set(rows.map(({ orderId }) => orderId))];
  const offers = await Promise.all(orderIds.map((id) => listReceiptOffers(db, scope, id)));
  return new Map(offers.flat().map((offer) => [offer.itemId, offer]));
}

const reveal = buyerWrite({
  method: 'POST',
  path: '/v0/portal/library/:itemId/reveal',
  operationId: 'revealPortalKeys',
  answersSecret: true,
  tag: 'portal',
  summary: 'Show the keys of a bought item',
  description: 'Noted in the audit log.',
  params: LibraryParams,
  body: NoBody,
  data: OwnKeysData,
  errors: ['access_ended'],
  example: {},
  handler: async ({ ctx, tx, scope, params, buyer, audit }) => {
    const { orderId } = await getOwnItem(tx, scope, { userId: buyer.user.id, text: params.itemId });
    await requireAccess({ ...ctx, db: tx }, scope, { orderId, settings: buyer.settings });
    const item = (await listOrderItems(tx, scope, orderId)).find(({ id }) => id === params.itemId);
    if (item?.fulfilment === 'revoked') throw new Refusal('access_ended');
    audit(null, params.itemId);
    // Whoever has agreed to it has read a key now.
    if (item && item.keys.length > 0)
      await noteDelivery(tx, scope, { orderId, itemIds: [item.id], atMs: ctx.nowMs });
    return { keys: item?.keys ?? [] };
  },
});

/** Throws access_ended for what is withheld, over or taken back. */
async function requireAccess(
  ctx: Context,
  scope: Scope,
  { orderId, settings }: { orderId: string; settings: Settings },
): Promise<void> {
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order) throw new Refusal('not_found');
  const subscription = await findSubscriptionOf(ctx, scope, order);
  const { status } = await loadAccess(ctx, scope, { orderId, subscription, settings });
  if (status !== 'active') throw new Refusal('access_ended');
}

const download = buyerWrite({
  method: 'POST',
  path: '/v0/portal/library/:itemId/download',
  operationId: 'downloadPortalFile',
  answersSecret: true,
  tag: 'portal',
  summary: 'Get a link to the file of a bought item',
  description: 'It opens for 15 minutes and counts once, ranges too. Noted in the audit log.',
  params: LibraryParams,
  body: NoBody,
  data: DownloadData,
  errors: ['access_ended', 'download_limit_reached'],
  example: {},
  handler: async ({ ctx, tx, scope, params, buyer, audit }) => {
    const { itemId } = params;
    const { orderId } = await getOwnItem(tx, scope, { userId: buyer.user.id, text: itemId });
    const within = { ...ctx, db: tx };
    await requireAccess(within, scope, { orderId, settings: buyer.settings });
    const item = (await listOrderItems(tx, scope, orderId)).find(({ id }) => id === itemId);
    if (!item || item.fulfilment === 'revoked') throw new Refusal('access_ended');
    await getBoughtFileId(within, scope, { orderId, itemId }).catch((cause: unknown) => {
      const isOver = cause instanceof Refusal && cause.code === 'download_over';
      throw isOver ? new Refusal('download_limit_reached', { cause }) : cause;
    });
    audit(null, itemId);
    const { paidAt } = (await findOrder(tx, scope, orderId)) ?? { paidAt: null };
    const { downloads: used, downloadLimit: limit, downloadDays } = item;
    return {
      download: {
        url: await createDownloadUrl(within, scope, { orderId, itemId }),
        expiresAt: ctx.realNowMs() + LINK_LIFETIME_MS,
        ...{ used, limit },
        until: toUntil({ downloadDays, paidAt }),
      },
    };
  },
});

export const portalLibraryRoutes: Route[] = [list, reveal, download];

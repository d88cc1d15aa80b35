/** What the owner is told of keys: that few are left, and that a buyer waits for one. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { SETTINGS_DEFAULTS } from '../../domain/settings.ts';
import { listLowStock } from '../../resources/offer-keys/offer-keys.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';

/** Call it when keys of these offers were handed out. Tells once until the next keys are added. */
export async function notifyLowStock(
  ctx: Step,
  scope: Scope,
  { tx, offerIds }: { tx: Tx; offerIds: string[] },
): Promise<void> {
  if (offerIds.length === 0) return;
  const thresholdDefault = SETTINGS_DEFAULTS.lowStockThreshold;
  const low = await listLowStock(tx, scope, { offerIds, thresholdDefault });
  await queueOwnerMails(
    tx,
    scope,
    low.map(({ offerId, name, available, filledAt }) => ({
      kind: 'low_stock',
      key: `low_stock:${offerId}:${filledAt}`,
      at: ctx.nowMs,
      params: { offerName: name, available },
    })),
  );
}

/** `short`: how many keys each item still needs, by its id. */
export async function notifyWaiting(
  ctx: Step,
  scope: Scope,
  { tx, orderId, short }: { tx: Tx; orderId: string; short: ReadonlyMap<string, number> },
): Promise<void> {
  if (short.size === 0) return;
  const order = await findOrder(tx, scope, orderId);
  assert(order, 'an item belongs to an order');
  const items = await listOrderItems(tx, scope, orderId);
  await queueOwnerMails(
    tx,
    scope,
    items
      .filter(({ id }) => short.has(id))
      .map(({ id, name }) => ({
        kind: 'awaiting_stock',
        key: `awaiting_stock:${id}`,
        at: ctx.nowMs,
        params: { offerName: name, orderNumber: order.number, missing: short.get(id) ?? 0 },
      })),
  );
}

/** Paid means fulfilled: keys, downloads and counters, in the transaction that marks PAID. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { countOfferSale, reserveKeys, sellReservedKeys } from '../../resources/checkouts/holds.queries.ts';
import { lockOffer } from '../../resources/offers/offers.queries.ts';
import { type ItemToFulfil, updateItemFulfilment } from '../../resources/orders/orders.queries.ts';
import { notifyLowStock, notifyWaiting } from './notify-stock.ts';

/** Gives each item what was bought; an item whose keys ran out meanwhile waits for the next stock. */
export async function fulfilOrder(
  ctx: Step,
  scope: Scope,
  { tx, orderId, items }: { tx: Tx; orderId: string; items: ItemToFulfil[] },
): Promise<void> {
  const waiting = items.filter((item) => item.fulfilment === 'waiting');
  if (waiting.length > 0) {
    const short = await deliverKeys(ctx, scope, { tx, orderId, items: waiting });
    const isShort = (item: ItemToFulfil) => short.has(item.id);
    await setFulfilment(tx, scope, waiting.filter(isShort), 'awaiting_stock');
    await setFulfilment(
      tx,
      scope,
      waiting.filter((item) => !isShort(item)),
      'delivered',
    );
    await notifyWaiting(ctx, scope, { tx, orderId, short });
    await notifyLowStock(ctx, scope, { tx, offerIds: listKeyedOffers(waiting) });
  }
}

/**
 * Counts what was sold of each offer. Call it late, since every buyer of these offers waits for their rows; one order of
 * locks for all. `isHeld` tells whether the order's holds still stand.
 */
export async function countSales(
  tx: Tx,
  scope: Scope,
  { items, isHeld }: { items: ItemToFulfil[]; isHeld: boolean },
): Promise<void> {
  await Promise.all(sumByOffer(items, isHeld).map((sale) => countOfferSale(tx, scope, sale)));
}

async function setFulfilment(
  tx: Tx,
  scope: Scope,
  items: ItemToFulfil[],
  fulfilment: 'delivered' | 'awaiting_stock',
): Promise<void> {
  const ids = items.map((item) => item.id);
  if (ids.length > 0) await updateItemFulfilment(tx, scope, ids, fulfilment);
}

function listKeyedOffers(items: ItemToFulfil[]): string[] {
  const ids = items.flatMap(({ hasKeys, offerId }) => (hasKeys && offerId !== null ? [offerId] : []));
  return [...new Set(ids)];
}

/**
 * Hands out reserved keys and, where a hold has lapsed, what is still there. Returns how many keys are missing
 * of each item that is left short.
 */
async function deliverKeys(
  ctx: Step,
  scope: Scope,
  { tx, orderId, items }: { tx: Tx; orderId: string; items: ItemToFulfil[] },
): Promise<Map<string, number>> {
  const keyed = items.filter((item) => item.hasKeys);
  const short = new Map<string, number>();
  if (keyed.length === 0) return short;
  const sell = (): Promise<Map<string, number>> =>
    sellReservedKeys(tx, scope, { orderId, soldAt: ctx.nowMs });
  const sold = await sell();
  for (const item of keyed) {
    const missing = item.quantity - (sold.get(item.id) ?? 0);
    if (missing <= 0 || item.offerId === null) continue;
    // Whoever adds keys holds the offer's row and serves those that wait: without the lock this item would
    // miss keys that are being added at this very moment, and they would miss it.
    await lockOffer(tx, scope, item.offerId);
    const found = await reserveKeys(tx, scope, {
      offerId: item.offerId,
      quantity: missing,
      orderId,
      orderItemId: item.id,
    });
    if (found < missing) short.set(item.id, missing - found);
  }
  await sell();
  return short;
}

function sumByOffer(
  items: ItemToFulfil[],
  isHeld: boolean,
): Array<{ offerId: string; quantity: number; wasHeld: boolean }> {
  const sums = new Map<string, { offerId: string; quantity: number; wasHeld: boolean }>();
  for (const { offerId, quantity, limitHeld } of items) {
    if (offerId === null) continue;
    const sum = sums.get(offerId) ?? { offerId, quantity: 0, wasHeld: limitHeld && isHeld };
    sums.set(offerId, { ...sum, quantity: sum.quantity + quantity });
  }
  return [...sums.values()].sort((a, b) => (a.offerId < b.offerId ? -1 : 1));
}

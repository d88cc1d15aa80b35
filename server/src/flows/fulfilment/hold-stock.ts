/** What an order holds while it is being paid: limited places, keys, its discount's redemption. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  closeRedemption,
  holdOfferPlaces,
  releaseKeys,
  releaseOfferPlaces,
  reserveKeys,
  takeRedemption,
} from '../../resources/checkouts/holds.queries.ts';
import { type ItemToFulfil, listItemsToFulfil } from '../../resources/orders/orders.queries.ts';

export interface Hold {
  tx: Tx;
  orderId: string;
  userId: string;
  discountId: string | null;
  /** Whether anything in the cart is limited or delivered from stock. */
  hasStock: boolean;
}

/** Holds all or refuses: a buyer for whom none is left is told before paying. */
export async function holdStock(
  ctx: Step,
  scope: Scope,
  { tx, orderId, userId, discountId, hasStock }: Hold,
): Promise<void> {
  if (hasStock) await takeUnits(tx, scope, orderId);
  if (discountId === null) return;
  const taken = await takeRedemption(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    discountId,
    orderId,
    userId,
    createdAt: ctx.nowMs,
    putOn: false,
  });
  refuseRedemption(taken);
}

/** Says why a redemption could not be taken. */
export function refuseRedemption(taken: Awaited<ReturnType<typeof takeRedemption>>): void {
  if (taken === 'exhausted') throw new Refusal('discount_exhausted');
  if (taken === 'user_limit') throw new Refusal('discount_user_limit');
}

/** One order of locks for all buyers: offers by id, then keys. */
async function takeUnits(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  const items = await listByOffer(tx, scope, orderId);
  for (const item of items) {
    const { offerId, quantity } = item;
    if (offerId === null) continue;
    if (item.limitHeld && !(await holdOfferPlaces(tx, scope, { offerId, quantity }))) {
      throw new Refusal('offer_limit_reached');
    }
    // An offer may get its first keys behind an order that was sold without any: nobody would ever hand those out.
    if (item.hasKeys && item.fulfilment === 'waiting') {
      const found = await reserveKeys(tx, scope, { offerId, quantity, orderId, orderItemId: item.id });
      if (found < quantity) throw new Refusal('sold_out');
    }
  }
}

async function listByOffer(tx: Tx, scope: Scope, orderId: string): Promise<ItemToFulfil[]> {
  const items = await listItemsToFulfil(tx, scope, orderId);
  return items.sort((a, b) => ((a.offerId ?? '') < (b.offerId ?? '') ? -1 : 1));
}

/**
 * Gives back what is held: all of it with a decline, which the next try takes again, and with the order's end; keys and
 * places after 30 minutes.
 */
export async function releaseHolds(
  tx: Tx,
  scope: Scope,
  { orderId, holds, withRedemption }: { orderId: string; holds: string; withRedemption: boolean },
): Promise<void> {
  if (holds === 'held') {
    await releaseKeys(tx, scope, orderId);
    for (const { offerId, quantity, limitHeld } of await listByOffer(tx, scope, orderId)) {
      if (limitHeld && offerId !== null) await releaseOfferPlaces(tx, scope, { offerId, quantity });
    }
  }
  if (withRedemption) await closeRedemption(tx, scope, { orderId, outcome: 'released' });
}

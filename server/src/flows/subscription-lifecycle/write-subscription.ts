/** The subscription of a purchase: `incomplete` until its initial payment is PAID. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { storeTerms } from '../../domain/subscriptions/stored-plan.ts';
import {
  deleteSubscriptionItems,
  insertSubscription,
  insertSubscriptionItems,
  updateSubscription,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { type Purchase, toBillingDetails, toShortForms, toTaxRates } from '../pricing/order-rows.ts';

export interface SubscriptionWriting {
  placing: Purchase & { tx: Tx; order: Row<'orders'> | null };
  userId: string;
  orderId: string;
  number: string;
  paymentId: string;
}

/** Makes it at the first submit, prices it anew at another try; null for a purchase without one. */
export async function writeSubscription(
  ctx: Step,
  scope: Scope,
  { placing, userId, orderId, number, paymentId }: SubscriptionWriting,
): Promise<string | null> {
  const { tx, cart, quote, order, form } = placing;
  if (cart.interval === null) return null;
  const terms = {
    value: quote.subtotalMinor,
    discount: quote.discount ? toJson(storeTerms(quote.discount)) : null,
    // A payment of the trial's 0 is not charged, and does not use up the discount.
    discountUses: quote.discount && cart.trial === null ? 1 : 0,
    trialEnd: quote.trialEndMs,
    // Its own from here on: what the user says later of another purchase is not about this one.
    billingDetails: toJson(toBillingDetails(form)),
    userId,
  };
  const existing = order?.subscriptionId ?? null;
  const id = existing ?? ctx.ids.next(ctx.nowMs);
  if (existing) {
    await updateSubscription(tx, scope, { id, ...terms });
    await deleteSubscriptionItems(tx, scope, id);
  } else {
    await insertSubscription(tx, scope, {
      id,
      number,
      orderId,
      status: 'incomplete',
      currency: cart.currency,
      recurringInterval: cart.interval.unit,
      recurringIntervalCount: cart.interval.count,
      lastPaymentId: paymentId,
      createdAt: ctx.nowMs,
      ...terms,
    });
  }
  await insertSubscriptionItems(tx, scope, toSubscriptionItems(ctx, placing, id));
  return id;
}

function toSubscriptionItems(ctx: Step, { cart, quote, form }: Purchase, subscriptionId: string) {
  return cart.lines.map(({ offer, quantity }, position) => {
    const line = quote.lines[position];
    assert(line, 'every line of the cart is priced');
    return {
      id: ctx.ids.next(ctx.nowMs),
      subscriptionId,
      position,
      offerId: offer.id,
      productId: offer.productId,
      variantId: offer.variantId,
      name: offer.name ?? offer.productName,
      internalId: offer.internalId,
      unitPrice: line.unitPriceMinor,
      quantity,
      currency: cart.currency,
      inclusive: line.inclusive,
      taxReason: line.rule.reason,
      taxRates: toJson(toTaxRates(line.rates)),
      ...toShortForms(offer),
      customFields: toJson(form.customFields),
      createdAt: ctx.nowMs,
    };
  });
}

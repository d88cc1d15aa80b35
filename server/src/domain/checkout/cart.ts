/** A cart before it is priced: which lines it has and what kind of purchase it makes. */
import type { Interval } from '../subscriptions/period.ts';
import type { BuyerForm } from './buyer.ts';

/** What of an offer decides how it can be sold. */
export interface CartOfferTerms {
  id: string;
  status: 'DRAFT' | 'ACTIVE';
  archivedAt: number | null;
  productStatus: 'DRAFT' | 'ACTIVE' | 'HIDDEN';
  productArchivedAt: number | null;
  freeProduct: boolean;
  recurringInterval: Interval['unit'] | null;
  recurringIntervalCount: number | null;
  trialInterval: Interval['unit'] | null;
  trialIntervalCount: number | null;
}

export interface CartLine<Offer extends CartOfferTerms> {
  offer: Offer;
  quantity: number;
}

/** HIDDEN sells by link, DRAFT and archived do not sell. */
export function canSell(offer: CartOfferTerms): boolean {
  return (
    offer.status === 'ACTIVE' &&
    offer.archivedAt === null &&
    offer.productStatus !== 'DRAFT' &&
    offer.productArchivedAt === null
  );
}

/** One line per offer in the order of first mention; an id that is repeated is bought as often. */
export function toCartLines<Offer extends CartOfferTerms>(
  offerIds: readonly string[],
  offers: ReadonlyMap<string, Offer>,
): Array<CartLine<Offer>> {
  const lines = new Map<string, CartLine<Offer>>();
  for (const id of offerIds) {
    const offer = offers.get(id);
    if (!offer) continue;
    const line = lines.get(id);
    lines.set(id, { offer, quantity: (line?.quantity ?? 0) + 1 });
  }
  return [...lines.values()];
}

/** The interval of a subscription offer; null for a one-time one. */
export function toInterval(offer: CartOfferTerms): Interval | null {
  const { recurringInterval: unit, recurringIntervalCount: count } = offer;
  return unit === null || count === null ? null : { unit, count };
}

export function toTrial(offer: CartOfferTerms): Interval | null {
  const { trialInterval: unit, trialIntervalCount: count } = offer;
  return unit === null || count === null ? null : { unit, count };
}

export type OrderType = 'one_time' | 'subscription_initial' | 'claim_free';

/** `claim_free` only when every item is free by itself; an order that a discount brought to 0 keeps its type. */
export function toOrderType(lines: ReadonlyArray<CartLine<CartOfferTerms>>): OrderType {
  if (lines.some(({ offer }) => toInterval(offer) !== null)) return 'subscription_initial';
  return lines.every(({ offer }) => offer.freeProduct) ? 'claim_free' : 'one_time';
}

/** Where what is sold can run out, nobody takes more than this in one order unless the merchant says otherwise. */
const SCARCE_MAX = 10;

/** The most that a buyer may choose; null = no bound. */
export function toMostPerOrder(offer: {
  maxPerOrder: number | null;
  hasKeys: boolean;
  salesLimit: number | null;
}): number | null {
  const isScarce = offer.hasKeys || offer.salesLimit !== null;
  return offer.maxPerOrder ?? (isScarce ? SCARCE_MAX : null);
}

/** How much of what the buyer wants. */
export type Choice = Pick<BuyerForm, 'quantity' | 'quantities'>;

export function isSameChoice(typed: Choice, kept: Choice): boolean {
  const counts = Object.entries(typed.quantities);
  return (
    typed.quantity === kept.quantity &&
    counts.length === Object.keys(kept.quantities).length &&
    counts.every(([offerId, count]) => kept.quantities[offerId] === count)
  );
}

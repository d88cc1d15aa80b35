import type { ErrorCode } from '../errors.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';

/** All that decides about a discount, whoever stores it. */
export interface DiscountTerms {
  id: string;
  /** A `code` is asked for by the buyer, a `sale` applies by itself. */
  type: 'code' | 'sale';
  name: string | null;
  discountCode: string | null;
  /** `fixed`: minor units; `percentage`: hundredths of a percent, so that 12.5 % is 1250n. */
  amount: bigint;
  amountType: 'fixed' | 'percentage';
  /** Null fits every currency, for a percentage only: a fixed amount always has one. */
  currency: string | null;
  status: 'active' | 'inactive';
  archived: boolean;
  /**
   * The window as instants: from inclusive, until exclusive, null = open.
   * The discount's time zone only decided how a date was read and is shown; it plays no part any more.
   */
  validFromMs: number | null;
  validUntilMs: number | null;
  /** Most redemptions, held and used together; null = no limit. */
  purchaseLimit: number | null;
  heldCount: number;
  usedCount: number;
  /** Most redemptions of one buyer; null = no limit. */
  limitPerUser: number | null;
  includesAllOffers: boolean;
  includedOffers: readonly string[];
  excludedOffers: readonly string[];
  /** On a subscription: the first charged payment, the first `durationIntervals` of them, or all. */
  duration: 'once' | 'repeating' | 'forever';
  durationIntervals: number | null;
}

export type DiscountState = 'active' | 'scheduled' | 'expired' | 'exhausted' | 'inactive' | 'archived';

/** The purchase that a discount is tried on. */
export interface DiscountAttempt {
  nowMs: number;
  currency: string;
  /** Offers of the cart; one of them must be eligible. */
  offerIds: readonly string[];
  /** Held and used redemptions of this discount by this buyer, without the one of this very purchase. */
  userRedemptions: number;
}

const PERCENT_ONE_BP = 10_000n;

/** What the discount is at this moment, as the API's `state` shows it. */
export function computeDiscountState(terms: DiscountTerms, nowMs: number): DiscountState {
  if (terms.archived) return 'archived';
  if (terms.status === 'inactive') return 'inactive';
  if (terms.validUntilMs !== null && nowMs >= terms.validUntilMs) return 'expired';
  if (terms.purchaseLimit !== null && terms.heldCount + terms.usedCount >= terms.purchaseLimit) {
    return 'exhausted';
  }
  if (terms.validFromMs !== null && nowMs < terms.validFromMs) return 'scheduled';
  return 'active';
}

const REFUSAL_BY_STATE: Readonly<Record<Exclude<DiscountState, 'active'>, ErrorCode>> = {
  archived: 'discount_inactive',
  inactive: 'discount_inactive',
  expired: 'discount_expired',
  exhausted: 'discount_exhausted',
  scheduled: 'discount_not_started',
};

/** Why the discount cannot be used on this purchase, as the buyer's refusal code; null when it can. */
export function checkDiscount(terms: DiscountTerms, attempt: DiscountAttempt): ErrorCode | null {
  const state = computeDiscountState(terms, attempt.nowMs);
  if (state !== 'active') return REFUSAL_BY_STATE[state];
  if (terms.limitPerUser !== null && attempt.userRedemptions >= terms.limitPerUser) {
    return 'discount_user_limit';
  }
  if (!fitsCurrency(terms, attempt.currency)) return 'discount_wrong_currency';
  const isForSome = attempt.offerIds.some((offerId) => isEligibleOffer(terms, offerId));
  return isForSome ? null : 'discount_not_applicable';
}

/** Whether the discount lowers lines of this offer. A line without an offer is never lowered. */
export function isEligibleOffer(terms: DiscountTerms, offerId: string | null): boolean {
  if (offerId === null || terms.excludedOffers.includes(offerId)) return false;
  return terms.includesAllOffers || terms.includedOffers.includes(offerId);
}

/**
 * What a percentage takes off one line, rounded on the line itself, so that every line can be checked on its
 * own: 10 % of 5 and of 5 is 1 and 1, not 1 in all.
 */
export function computePercentageOff(terms: DiscountTerms, subtotalMinor: bigint): bigint {
  return divideHalfAwayFromZero(subtotalMinor * terms.amount, PERCENT_ONE_BP);
}

/** A discount in the form in which payments and orders show it. */
export function toAppliedDiscount(terms: DiscountTerms) {
  return {
    object: 'discount',
    id: terms.id,
    type: terms.type,
    name: terms.name,
    amount: terms.amountType === 'percentage' ? Number(terms.amount) / 100 : Number(terms.amount),
    amountType: terms.amountType,
    discountCode: terms.discountCode,
  };
}

/**
 * Whether a code that was given, and not refused, is not the order's discount: a sale took as much off, or the code took
 * nothing off. Read from what was sold, so that a request which is repeated after a crash is answered the same.
 */
export function isCodeUnused(
  code: string | null | undefined,
  { discount }: { discount: { type: DiscountTerms['type'] } | null },
): boolean {
  return code !== null && code !== undefined && discount?.type !== 'code';
}

function fitsCurrency(terms: DiscountTerms, currency: string): boolean {
  if (terms.currency === null) return terms.amountType === 'percentage';
  return terms.currency === currency;
}

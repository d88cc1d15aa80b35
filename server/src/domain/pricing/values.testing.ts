import type { LineTaxRule } from '../tax/rate.ts';
import type { DiscountTerms } from './discount.ts';
import type { PricedLine } from './totals.ts';

/** A running sale of 10 % on everything, with what a test changes of it. */
export function makeDiscount(terms: Partial<DiscountTerms>): DiscountTerms {
  return {
    id: 'discount-a',
    type: 'sale',
    name: 'Ten percent',
    discountCode: null,
    amount: 1000n,
    amountType: 'percentage',
    currency: null,
    status: 'active',
    archived: false,
    validFromMs: null,
    validUntilMs: null,
    purchaseLimit: null,
    heldCount: 0,
    usedCount: 0,
    limitPerUser: null,
    includesAllOffers: true,
    includedOffers: [],
    excludedOffers: [],
    duration: 'once',
    durationIntervals: null,
    ...terms,
  };
}

/** One exclusive line of 10.00 with what a test changes of it. */
export function makeLine(line: Partial<PricedLine>): PricedLine {
  return { key: 'line-a', offerId: 'offer-a', unitPriceMinor: 1000n, quantity: 1, inclusive: false, ...line };
}

/** A rule of these rates in millionths, side by side. */
export function makeRule(...ratesPpm: readonly number[]): LineTaxRule {
  const rates = ratesPpm.map((ratePpm, index) => ({
    name: `Tax ${index + 1}`,
    country: 'DE',
    region: null,
    ratePpm,
    reason: 'standard' as const,
  }));
  return { reason: 'standard', rates, sentence: null };
}

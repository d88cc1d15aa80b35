import { allocate } from '../money/allocate.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import { type LineTaxRule, RATE_ONE_PPM, type TaxRate } from '../tax/rate.ts';

/** One tax on one line, with the sums that it came from. */
export interface LineRate extends TaxRate {
  taxableMinor: bigint;
  amountMinor: bigint;
}

export interface LineTax {
  netMinor: bigint;
  taxMinor: bigint;
  rates: LineRate[];
}

/**
 * Tax on what a line costs after its discount; `amountMinor` may be negative, as a credit's is.
 * Exclusive: each tax is rounded on the net. Inclusive: the net is rounded once out of the gross, and what is
 * left is split over the taxes, so that the buyer pays exactly the price.
 */
export function computeLineTax(amountMinor: bigint, inclusive: boolean, rule: LineTaxRule): LineTax {
  return inclusive ? taxWithin(amountMinor, rule.rates) : taxOnTop(amountMinor, rule.rates);
}

/** The taxes of a rule together. */
export function sumRatePpm(rule: LineTaxRule): bigint {
  return rule.rates.reduce((sum, rate) => sum + BigInt(rate.ratePpm), 0n);
}

function taxOnTop(netMinor: bigint, taxRates: readonly TaxRate[]): LineTax {
  const rates = taxRates.map((rate) => ({
    ...rate,
    taxableMinor: netMinor,
    amountMinor: divideHalfAwayFromZero(netMinor * BigInt(rate.ratePpm), RATE_ONE_PPM),
  }));
  return { netMinor, taxMinor: rates.reduce((sum, rate) => sum + rate.amountMinor, 0n), rates };
}

function taxWithin(grossMinor: bigint, taxRates: readonly TaxRate[]): LineTax {
  const weights = taxRates.map((rate) => BigInt(rate.ratePpm));
  const sumPpm = weights.reduce((sum, weight) => sum + weight, 0n);
  const netMinor = divideHalfAwayFromZero(grossMinor * RATE_ONE_PPM, RATE_ONE_PPM + sumPpm);
  const taxMinor = grossMinor - netMinor;
  const ranks = taxRates.map((rate) => rate.ratePpm);
  const amounts = allocate(taxMinor, weights, ranks);
  const rates = taxRates.map((rate, index) => ({
    ...rate,
    taxableMinor: netMinor,
    amountMinor: amounts[index] ?? 0n,
  }));
  return { netMinor, taxMinor, rates };
}

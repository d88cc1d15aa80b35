/** A line of a later payment of a subscription, with every input of its sum. */
import { assert } from '../assert.ts';
import { allocate } from '../money/allocate.ts';
import { cutToStep, divideHalfAwayFromZero } from '../money/rounding.ts';
import type { LineTotals } from '../pricing/totals.ts';
import { type LineTaxRule, type TaxReason, toPercentage } from '../tax/rate.ts';

/** A tax of a line as it is stored and answered; its sums are exact, being bounded. */
export interface StoredRate {
  name: string;
  country: string;
  region: string | null;
  percentage: number;
  taxable: number;
  amount: number;
  reason: string;
}

export type LineKind = 'interval' | 'proration_credit' | 'proration_charge' | 'extra';

/** What is sold, at the price of one interval; copied, so that later edits of the catalogue change nothing. */
export interface PlanItem {
  /** The item's row; null while it is only asked for. */
  id: string | null;
  /** Null for a line with a name and a price of its own. */
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  internalId: string | null;
  unitPrice: bigint;
  quantity: number;
  inclusive: boolean;
  /** Short forms of the catalogue's objects. */
  product: unknown;
  variant: unknown;
  offer: unknown;
  customFields: Record<string, string>;
  /** By which the item was last taxed. */
  taxReason: string;
  taxRates: readonly StoredRate[];
}

/** Amounts in minor units; those of a credit are negative. */
export interface LineSums {
  unitPrice: bigint;
  quantity: number;
  subtotal: bigint;
  discount: bigint;
  tax: bigint;
  total: bigint;
  taxRates: readonly StoredRate[];
}

export interface BillingLine extends LineSums {
  /** The stored row of a line that waited; null for a new one. */
  id: string | null;
  kind: LineKind;
  subscriptionItemId: string | null;
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  description: string | null;
  internalId: string | null;
  currency: string;
  inclusive: boolean;
  taxReason: string;
  product: unknown;
  variant: unknown;
  offer: unknown;
  customFields: Record<string, string>;
  periodStart: number | null;
  periodEnd: number | null;
  /** The line that this one is a part of, or that it stands for again. */
  sourceLineId: string | null;
  /** When it came to be, ms: credits are used oldest first. Null = now. */
  createdAt: number | null;
}

/** A line of an item, with sums made elsewhere. */
export function toBillingLine(
  item: PlanItem,
  about: Pick<BillingLine, 'kind' | 'name' | 'description' | 'currency' | 'periodStart' | 'periodEnd'>,
  sums: LineSums & { taxReason: string },
): BillingLine {
  const { offerId, productId, variantId, internalId, inclusive, product, variant, offer, customFields } =
    item;
  return {
    id: null,
    subscriptionItemId: item.id,
    offerId,
    productId,
    variantId,
    internalId,
    inclusive,
    product,
    variant,
    offer,
    customFields,
    sourceLineId: null,
    createdAt: null,
    ...about,
    ...sums,
  };
}

/** The sums of a priced line in the form in which lines are stored. */
export function toSums(line: LineTotals): LineSums & { taxReason: string } {
  return {
    unitPrice: line.unitPriceMinor,
    quantity: line.quantity,
    subtotal: line.subtotalMinor,
    discount: line.discountMinor,
    tax: line.taxMinor,
    total: line.totalMinor,
    taxReason: line.rule.reason,
    taxRates: toStoredRates(line.rates),
  };
}

export function toStoredRates(rates: LineTotals['rates']): StoredRate[] {
  return rates.map(({ name, country, region, ratePpm, taxableMinor, amountMinor, reason }) => ({
    name,
    country,
    region,
    percentage: toPercentage(ratePpm),
    taxable: Number(taxableMinor),
    amount: Number(amountMinor),
    reason,
  }));
}

/** The rule that a line was taxed by, to tax by it again. */
export function toRule({
  taxReason,
  taxRates,
}: {
  taxReason: string;
  taxRates: readonly StoredRate[];
}): LineTaxRule {
  return {
    reason: taxReason as TaxReason,
    rates: taxRates.map(({ name, country, region, percentage, reason }) => ({
      name,
      country,
      region,
      ratePpm: Math.round(percentage * 10_000),
      reason: reason as TaxReason,
    })),
    sentence: null,
  };
}

/**
 * What makes the tax of two lines one tax: its reason, and of each rate the country, the region and the percentage.
 * Credits and charges are set off only within it.
 */
export function toTaxKey({ taxReason, taxRates }: TaxOfLine): string {
  const rates = taxRates.map(({ country, region, percentage }) => [country, region, percentage]);
  return JSON.stringify([taxReason, ...rates]);
}

export interface TaxOfLine {
  taxReason: string;
  taxRates: readonly Pick<StoredRate, 'country' | 'region' | 'percentage'>[];
}

type Splittable = LineSums & { inclusive: boolean };

/** The tax that a part of a credit has in proportion. */
export function computePartTax({ total, tax }: LineSums, partMinor: bigint): bigint {
  return total === 0n ? 0n : divideHalfAwayFromZero(tax * partMinor, total);
}

/**
 * Splits a credit: a part of `totalMinor` (negative, no further from 0 than the line), with its tax in
 * proportion unless `taxMinor` says otherwise, and the rest. Both add up to the line, in tax as far as the rest is
 * a credit in every sum. A credit has its discount taken off before.
 */
export function splitCredit<Line extends Splittable>(
  line: Line,
  totalMinor: bigint,
  taxMinor: bigint = computePartTax(line, totalMinor),
): { part: Line; rest: Line } {
  assert(totalMinor <= 0n && totalMinor >= line.total, 'a part is no more than its line');
  assert(line.discount === 0n, 'a credit is of what was left after the discount');
  const part = withTotal(line, totalMinor, taxMinor);
  const restMinor = line.total - totalMinor;
  const restTaxMinor = line.tax - taxMinor;
  // Where rounding took more tax, or more net, than the line had left, there is none in the rest.
  if (restTaxMinor > 0n) return { part, rest: withTotal(line, restMinor, 0n) };
  if (restTaxMinor < restMinor) return { part, rest: withTotal(line, restMinor, restMinor) };
  const rest = withTotal(line, restMinor, restTaxMinor);
  return { part, rest: { ...rest, taxRates: subtractRates(line.taxRates, part.taxRates) } };
}

/** A line without a discount, as far as it is made of whole steps. */
export function cutLine<Line extends Splittable>(line: Line, stepMinor: bigint): Line {
  assert(line.discount === 0n, 'what is cut has its discount taken off before');
  const totalMinor = cutToStep(line.total, stepMinor);
  return totalMinor === line.total ? line : withTotal(line, totalMinor, computePartTax(line, totalMinor));
}

/** A line of a period, lowered to whole steps: what is nobody's is discounted. */
export function lowerLine<Line extends Splittable>(line: Line, stepMinor: bigint): Line {
  const totalMinor = cutToStep(line.total, stepMinor);
  if (totalMinor === line.total) return line;
  const { tax, taxRates, subtotal, total } = withTotal(line, totalMinor, computePartTax(line, totalMinor));
  return { ...line, tax, taxRates, total, discount: line.subtotal - subtotal };
}

function withTotal<Line extends Splittable>(line: Line, total: bigint, tax: bigint): Line {
  const weights = line.taxRates.map(({ amount }) => BigInt(Math.abs(amount)));
  const isUntaxed = weights.every((weight) => weight === 0n);
  const amounts = isUntaxed ? weights : allocate(tax, weights);
  const taxRates = line.taxRates.map((rate, index) => ({
    ...rate,
    taxable: Number(total - tax),
    amount: Number(amounts[index] ?? 0n),
  }));
  const subtotal = line.inclusive ? total : total - tax;
  return { ...line, unitPrice: subtotal, quantity: 1, subtotal, tax, total, taxRates };
}

function subtractRates(from: readonly StoredRate[], taken: readonly StoredRate[]): StoredRate[] {
  return from.map((rate, index) => ({
    ...rate,
    taxable: rate.taxable - (taken[index]?.taxable ?? 0),
    amount: rate.amount - (taken[index]?.amount ?? 0),
  }));
}

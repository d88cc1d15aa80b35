/** What a payment of a subscription is made of: the lines of its period, and those that waited for it. */
import { assert } from '../assert.ts';
import { checkedTotal, smallerAmount } from '../money/money.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import type { DiscountTerms } from '../pricing/discount.ts';
import { computeLineTax } from '../pricing/line-tax.ts';
import { computeTotals, type LineTotals } from '../pricing/totals.ts';
import type { TaxRules } from '../tax/decide-by-table.ts';
import type { LineTaxRule } from '../tax/rate.ts';
import { type ProductType, type TaxCategory, toTaxCategory } from '../tax/taxability.ts';
import {
  type BillingLine,
  computePartTax,
  type LineKind,
  type PlanItem,
  splitCredit,
  toBillingLine,
  toSums,
  toTaxKey,
} from './line.ts';

/** A part of a full interval: the first period up to a chosen anchor costs as much of it as it is long. */
export interface Fraction {
  partMs: number;
  wholeMs: number;
  /** What it costs is a multiple of it, as its processor counts; missing = 1. */
  stepMinor?: bigint;
}

export interface ItemPricing {
  items: readonly PlanItem[];
  /** In force for this payment; null = none. */
  discount: DiscountTerms | null;
  tax: (item: PlanItem) => LineTaxRule;
  fraction: Fraction | null;
}

/** Prices items as a cart is priced. */
export function priceItems({ items, discount, tax, fraction }: ItemPricing): LineTotals[] {
  const priced = items.map((item, index) => ({
    key: String(index),
    offerId: item.offerId,
    unitPriceMinor: item.unitPrice,
    quantity: item.quantity,
    inclusive: item.inclusive,
    item,
  }));
  const { lines } = computeTotals({ lines: priced, discount, tax: ({ item }) => tax(item) });
  return fraction === null ? lines : lines.map((line) => toFractionOf(line, fraction));
}

/** The tax of items by what the provider answered for `toCategories`. */
export function taxBy(rules: TaxRules): (item: PlanItem) => LineTaxRule {
  return (item) => {
    const rule = rules.get(toCategory(item));
    assert(rule, `the tax provider answers for every category, and not for ${toCategory(item)}`);
    return rule;
  };
}

/** What is asked of the tax provider for these items. */
export function toCategories(items: readonly PlanItem[]): TaxCategory[] {
  return [...new Set(items.map(toCategory))];
}

/** An item without a product is taxed as the subscription that it belongs to. */
export function toCategory({ product }: PlanItem): TaxCategory {
  // Short forms are made by us, from the products' own types.
  const type = (product as { type?: ProductType } | null)?.type;
  return toTaxCategory(type ?? 'Subscription');
}

/** round(line × part / whole), taxed on that; with its tax the next whole step below. */
function toFractionOf(line: LineTotals, { partMs, wholeMs, stepMinor = 1n }: Fraction): LineTotals {
  const scale = (minor: bigint) => divideHalfAwayFromZero(minor * BigInt(partMs), BigInt(wholeMs));
  const subtotalMinor = scale(line.subtotalMinor);
  let amountMinor = scale(line.subtotalMinor - line.discountMinor);
  let tax = computeLineTax(amountMinor, line.inclusive, line.rule);
  // Rounding may pass a step over: then it is the one below.
  while (amountMinor > 0n && (tax.netMinor + tax.taxMinor) % stepMinor !== 0n) {
    amountMinor -= 1n;
    tax = computeLineTax(amountMinor, line.inclusive, line.rule);
  }
  return {
    ...line,
    unitPriceMinor: subtotalMinor,
    quantity: 1,
    subtotalMinor,
    discountMinor: subtotalMinor - amountMinor,
    ...tax,
    totalMinor: tax.netMinor + tax.taxMinor,
  };
}

/** The lines of items in a period, each under its item's name. */
export function toPeriodLines(
  pricing: ItemPricing,
  about: {
    kind: LineKind;
    currency: string;
    description: string | null;
    startMs: number | null;
    endMs: number | null;
  },
): BillingLine[] {
  const totals = priceItems(pricing);
  return pricing.items.map((item, index) => {
    const line = totals[index];
    assert(line, 'every item is priced');
    const { kind, currency, description, startMs: periodStart, endMs: periodEnd } = about;
    return toBillingLine(
      item,
      { kind, name: item.name, description, currency, periodStart, periodEnd },
      toSums(line),
    );
  });
}

export interface Composed {
  /** As the payment shows them. Those with an `id` waited and are used up whole. */
  lines: BillingLine[];
  /** Waiting credits of which only a part was used: what is left of each goes on waiting. */
  rests: BillingLine[];
  /** Credits that this payment had no room for. */
  left: BillingLine[];
  subtotalMinor: bigint;
  discountMinor: bigint;
  taxMinor: bigint;
  valueMinor: bigint;
}

/**
 * Puts a payment together from its own lines and those that wait, oldest first. Credits lower charges of their own tax
 * alone, so that each tax stands for itself: neither its value nor its tax falls below 0, a credit beyond that is used in
 * part, and the caller decides what becomes of the rest.
 */
export function composePayment(own: readonly BillingLine[], waiting: readonly BillingLine[]): Composed {
  const all = [...own, ...waiting.filter(isOpen)];
  const charges = all.filter(({ total }) => total >= 0n);
  const credits = [...waiting, ...own].filter(({ total }) => total < 0n);
  const { used, rests, left } = useCredits(charges, credits);
  const lines = [...charges, ...used];
  return {
    lines,
    rests,
    left,
    subtotalMinor: sumOf(lines, 'subtotal'),
    discountMinor: sumOf(lines, 'discount'),
    taxMinor: sumOf(lines, 'tax'),
    valueMinor: sumOf(lines, 'total'),
  };
}

/** A payment of nothing: its own lines wait for the next one, and what waited goes on waiting. */
export function deferPayment(own: readonly BillingLine[]): Composed {
  const nothing = { subtotalMinor: 0n, discountMinor: 0n, taxMinor: 0n, valueMinor: 0n };
  return { lines: [], rests: [], left: [...own], ...nothing };
}

/** Of a credit that was used up its row is left, which says that nothing is left of it. */
function isOpen({ kind, total }: BillingLine): boolean {
  return kind !== 'proration_credit' || total !== 0n;
}

/** What of one tax of a payment credits can still lower. */
interface Room {
  valueMinor: bigint;
  taxMinor: bigint;
}

function useCredits(charges: readonly BillingLine[], credits: readonly BillingLine[]) {
  const used: BillingLine[] = [];
  const rests: BillingLine[] = [];
  const left: BillingLine[] = [];
  const rooms = sumByTax(charges);
  for (const credit of credits) {
    const room = rooms.get(toTaxKey(credit));
    if (!room || room.valueMinor === 0n) {
      left.push(credit);
      continue;
    }
    const { total, tax } = computeUse(credit, room);
    if (total === credit.total && tax === credit.tax) used.push(credit);
    else {
      const { part, rest } = splitCredit(credit, total, tax);
      used.push({ ...part, id: null, sourceLineId: credit.id });
      // A line that waited is kept even at 0: its row is to say that nothing is left of it.
      if (rest.id !== null || rest.total !== 0n) rests.push(rest);
    }
    room.valueMinor += total;
    room.taxMinor += tax;
  }
  return { used, rests, left };
}

/** The sums of lines, tax by tax. */
export function sumByTax(lines: readonly BillingLine[]): Map<string, Room> {
  const sums = new Map<string, Room>();
  for (const line of lines) {
    const key = toTaxKey(line);
    const sum = sums.get(key) ?? { valueMinor: 0n, taxMinor: 0n };
    sums.set(key, { valueMinor: sum.valueMinor + line.total, taxMinor: sum.taxMinor + line.tax });
  }
  return sums;
}

/**
 * How much of a credit there is room for: 0 or negative. What is left of the tax lies between 0 and what is left of the
 * value: of one tax only rounding can be between them, so that those cents go with the credit, and nobody is charged a
 * cent or two of what a credit covers.
 */
function computeUse(credit: BillingLine, { valueMinor, taxMinor }: Room): { total: bigint; tax: bigint } {
  const total = -smallerAmount(-credit.total, valueMinor);
  const share = total === credit.total ? credit.tax : computePartTax(credit, total);
  const leftMinor = taxMinor + share;
  const left = leftMinor < 0n ? 0n : smallerAmount(leftMinor, valueMinor + total);
  return { total, tax: left - taxMinor };
}

/** The sum of a column of lines, within what can be stored. */
export function sumOf(
  lines: readonly BillingLine[],
  column: 'subtotal' | 'discount' | 'tax' | 'total',
): bigint {
  return checkedTotal(lines.reduce((sum, line) => sum + line[column], 0n));
}

/** Whether the discount chosen at purchase lowers the payment that follows `uses` charged ones. */
export function isInForce(
  { duration, durationIntervals }: Pick<DiscountTerms, 'duration' | 'durationIntervals'>,
  uses: number,
): boolean {
  switch (duration) {
    case 'forever':
      return true;
    case 'once':
      return uses < 1;
    case 'repeating':
      return uses < (durationIntervals ?? 1);
  }
}

/**
 * What a change of plan within a period costs: for each item that differs the unused rest of the old price is
 * given back, and the same rest of the new price is charged.
 */
import { assert } from '../assert.ts';
import { currencyDecimals } from '../money/currency.ts';
import { checkedTotal, smallerAmount } from '../money/money.ts';
import { cutToStep, divideHalfAwayFromZero } from '../money/rounding.ts';
import type { DiscountTerms } from '../pricing/discount.ts';
import { computeLineTax } from '../pricing/line-tax.ts';
import type { LineTaxRule } from '../tax/rate.ts';
import { priceItems } from './compose.ts';
import {
  type BillingLine,
  cutLine,
  type PlanItem,
  splitCredit,
  toBillingLine,
  toRule,
  toStoredRates,
} from './line.ts';
import { type ProrationName, writeProrationName, writeProrationSum } from './proration-name.ts';

/** The period that is running, as far as proration looks at it. */
export interface ProratedPeriod {
  startMs: number;
  endMs: number;
  /** T: the length of the period; of a first period that was cut short, that of the full interval. */
  fullMs: number;
  /** From when on the difference counts; within the period. */
  atMs: number;
}

export interface PlanChange {
  before: readonly PlanItem[];
  after: readonly PlanItem[];
  currency: string;
  /** In force in this period. */
  discount: DiscountTerms | null;
  period: ProratedPeriod;
  /** Today's tax of an item. */
  tax: (item: PlanItem) => LineTaxRule;
  /** The most that the credits may come to in all: what was paid for the period, less refunds, plus what waits. */
  creditMaxMinor: bigint;
  /** Who is charged is charged in multiples of it alone: a line's part of one is nobody's. */
  stepMinor: bigint;
}

/** An item before and after; null = it is new, or gone. */
export interface ItemPair {
  before: PlanItem | null;
  after: PlanItem | null;
}

/** The lines of a change within an interval: per item that differs a credit, then a charge. */
export function planProration(change: PlanChange): BillingLine[] {
  const lines = pairDiffering(change).flatMap(({ pair, oldPrice, newPrice }) => [
    ...(pair.before === null ? [] : [toCredit(change, pair, oldPrice)]),
    ...(pair.after === null ? [] : [toCharge(change, pair, newPrice)]),
  ]);
  return limitCredits(lines, change);
}

/** The new items that are charged for the rest of the period. */
export function listCharged(change: PlanChange): PlanItem[] {
  return pairDiffering(change).flatMap(({ pair }) => pair.after ?? []);
}

/**
 * The new items with the tax that a later credit of them is by: today's of one that is charged for now, as it was billed
 * of one that stays, and none of one that no bill has named yet.
 */
export function taxItems(
  { before, after, tax }: Pick<PlanChange, 'before' | 'after' | 'tax'>,
  charged: readonly PlanItem[],
): PlanItem[] {
  return pairItems(before, after).flatMap(({ before: old, after: item }) => {
    if (item === null) return [];
    if (old && toKey(old) === toKey(item) && !charged.includes(item)) {
      return { ...item, taxReason: old.taxReason, taxRates: old.taxRates };
    }
    if (!charged.includes(item)) return { ...item, taxReason: 'outside_scope', taxRates: [] };
    const rule = tax(item);
    const { rates } = computeLineTax(0n, item.inclusive, rule);
    return { ...item, taxReason: rule.reason, taxRates: toStoredRates(rates) };
  });
}

/** The unused rest of everything, when the interval itself changes and a full period begins anew. */
export function planUnusedRest(change: PlanChange): BillingLine[] {
  const prices = computePrices(change.before, change, (item) => toRule(item));
  const credits = pairItems(change.before, change.after).flatMap(({ before, after }) =>
    before === null ? [] : [toCredit(change, { before, after }, prices.get(before) ?? 0n)],
  );
  return limitCredits(credits, change);
}

/** Whether two sets of items are sold alike: nothing is to be changed. */
export function isSamePlan(before: readonly PlanItem[], after: readonly PlanItem[]): boolean {
  return pairItems(before, after).every(
    (pair) => pair.before && pair.after && isSameItem(pair.before, pair.after),
  );
}

/** Matches what stays by its offer or name, and what is left in its order: the first that goes with the first that comes. */
export function pairItems(before: readonly PlanItem[], after: readonly PlanItem[]): ItemPair[] {
  const open = [...before];
  const matched = after.map((item): ItemPair => {
    const index = open.findIndex((candidate) => toKey(candidate) === toKey(item));
    return { before: index < 0 ? null : (open.splice(index, 1)[0] ?? null), after: item };
  });
  const pairs = matched.map((pair) =>
    pair.before === null ? { ...pair, before: open.shift() ?? null } : pair,
  );
  return [...pairs, ...open.map((item) => ({ before: item, after: null }))];
}

function toKey({ offerId, name }: PlanItem): string {
  return offerId === null ? `name:${name}` : `offer:${offerId}`;
}

function isSameItem(before: PlanItem, after: PlanItem): boolean {
  return (
    toKey(before) === toKey(after) &&
    before.unitPrice === after.unitPrice &&
    before.quantity === after.quantity &&
    before.inclusive === after.inclusive
  );
}

interface DifferingPair {
  pair: ItemPair;
  /** P before and after; 0 of an item that is not there. */
  oldPrice: bigint;
  newPrice: bigint;
}

function pairDiffering(change: PlanChange): DifferingPair[] {
  const oldPrices = computePrices(change.before, change, (item) => toRule(item));
  const newPrices = computePrices(change.after, change, change.tax);
  return pairItems(change.before, change.after).flatMap((pair) => {
    const { before, after } = pair;
    const oldPrice = before === null ? 0n : (oldPrices.get(before) ?? 0n);
    const newPrice = after === null ? 0n : (newPrices.get(after) ?? 0n);
    const isSame = before && after && isSameItem(before, after) && oldPrice === newPrice;
    return isSame ? [] : [{ pair, oldPrice, newPrice }];
  });
}

/** P of each item: its full amount for one interval less its share of the discount, in its own tax behaviour. */
function computePrices(
  items: readonly PlanItem[],
  { discount }: PlanChange,
  tax: (item: PlanItem) => LineTaxRule,
): Map<PlanItem, bigint> {
  const lines = priceItems({ items, discount, tax, fraction: null });
  return new Map(
    items.map((item, index) => {
      const line = lines[index];
      assert(line, 'every item is priced');
      return [item, line.subtotalMinor - line.discountMinor];
    }),
  );
}

function toCredit(change: PlanChange, { before, after }: ItemPair, priceMinor: bigint): BillingLine {
  assert(before, 'a credit is of an item that was there');
  return toLine(change, before, {
    kind: 'proration_credit',
    amountMinor: -computeRest(priceMinor, change.period),
    priceMinor,
    // By the bill that named it last; by today's tax where none has.
    rule: before.taxRates.length > 0 ? toRule(before) : change.tax(before),
    name: writeProrationName({
      ...{ part: 'unused', title: toTitle(before), ...toDays(change.period) },
      other: after && toTitle(after),
    }),
  });
}

function toCharge(change: PlanChange, { before, after }: ItemPair, priceMinor: bigint): BillingLine {
  assert(after, 'a charge is of an item that is there now');
  return toLine(change, after, {
    kind: 'proration_charge',
    amountMinor: computeRest(priceMinor, change.period),
    priceMinor,
    rule: change.tax(after),
    name: writeProrationName({
      ...{ part: 'remaining', title: toTitle(after), ...toDays(change.period) },
      other: before && toTitle(before),
    }),
  });
}

/** round(P × S / T). */
function computeRest(priceMinor: bigint, { atMs, endMs, fullMs }: ProratedPeriod): bigint {
  return checkedTotal(divideHalfAwayFromZero(priceMinor * BigInt(endMs - atMs), BigInt(fullMs)));
}

function toLine(
  { currency, period, stepMinor }: PlanChange,
  item: PlanItem,
  line: {
    kind: BillingLine['kind'];
    amountMinor: bigint;
    priceMinor: bigint;
    rule: LineTaxRule;
    name: string;
  },
): BillingLine {
  const { amountMinor, priceMinor, rule, kind, name } = line;
  const tax = computeLineTax(amountMinor, item.inclusive, rule);
  const about = {
    kind,
    name,
    description: describeSum(priceMinor, currency, period),
    currency,
    periodStart: period.atMs,
    periodEnd: period.endMs,
  };
  const whole = toBillingLine(item, about, {
    unitPrice: amountMinor,
    quantity: 1,
    subtotal: amountMinor,
    discount: 0n,
    tax: tax.taxMinor,
    total: checkedTotal(tax.netMinor + tax.taxMinor),
    taxReason: rule.reason,
    taxRates: toStoredRates(tax.rates),
  });
  return cutLine(whole, stepMinor);
}

/** Cuts the credits, in their order, where they would give back more than there is. */
function limitCredits(
  lines: readonly BillingLine[],
  { creditMaxMinor, stepMinor }: PlanChange,
): BillingLine[] {
  let room = creditMaxMinor < 0n ? 0n : creditMaxMinor;
  return lines.map((line) => {
    if (line.total >= 0n) return line;
    const total = -cutToStep(smallerAmount(-line.total, room), stepMinor);
    room += total;
    return total === line.total ? line : splitCredit(line, total).part;
  });
}

function describeSum(priceMinor: bigint, currency: string, { atMs, endMs, fullMs }: ProratedPeriod): string {
  const decimals = currencyDecimals(currency);
  const digits = String(priceMinor).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const price = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return writeProrationSum({ price, currency, restMs: endMs - atMs, fullMs });
}

/** An item is often named after its product: then its plan is what tells two items apart. */
function toTitle({ name, quantity, variant }: PlanItem): string {
  const plan = toPlanName(variant);
  const title = plan === null || name.includes(plan) ? name : `${name} ${plan}`;
  return quantity === 1 ? title : `${quantity} × ${title}`;
}

/** Of the short form that was copied when the item was bought. */
function toPlanName(variant: unknown): string | null {
  if (typeof variant !== 'object' || variant === null || !('name' in variant)) return null;
  return typeof variant.name === 'string' ? variant.name : null;
}

function toDays({ atMs, endMs }: ProratedPeriod): Pick<ProrationName, 'startDay' | 'endDay'> {
  return { startDay: toDay(atMs), endDay: toDay(endMs) };
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

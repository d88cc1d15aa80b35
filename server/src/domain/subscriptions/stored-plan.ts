/** Plans and discounts as they are kept in a subscription's row: as JSON, which holds no bigint. */

import type { BillingLine, PlanItem } from '../billing/line.ts';
import type { DiscountTerms } from '../pricing/discount.ts';
import type { Interval } from './period.ts';

/** A plan that is to take the place of another. */
export interface NextPlan {
  items: PlanItem[];
  interval: Interval;
  /** A full period begins with the change, instead of the running one going on. */
  startsAnew: boolean;
  /** Lines of the change that are not on its payment: they wait once it holds. */
  left: BillingLine[];
  /** Taxes, by their keys, whose waiting credits are paid back once it holds. */
  unborne: string[];
}

type Minors = Record<string, unknown>;
const MINOR_FIELDS = new Set(['unitPrice', 'subtotal', 'discount', 'tax', 'total']);

/** The terms of the discount chosen at purchase; null = none. Limits and windows were asked about then. */
export function readTerms(stored: unknown): DiscountTerms | null {
  if (stored === null || stored === undefined) return null;
  // Written by `storeTerms`.
  const terms = stored as Omit<DiscountTerms, 'amount' | 'heldCount' | 'usedCount'> & { amount: string };
  return { ...terms, amount: BigInt(terms.amount), heldCount: 0, usedCount: 0 };
}

export function storeTerms(terms: DiscountTerms): object {
  const { heldCount: _held, usedCount: _used, amount, ...kept } = terms;
  return { ...kept, amount: String(amount) };
}

export function storePlan(plan: NextPlan): object {
  return { ...plan, items: plan.items.map(storeMinors), left: storeLines(plan.left) };
}

export function readPlan(stored: unknown): NextPlan {
  // Written by `storePlan`.
  const plan = stored as Omit<NextPlan, 'items' | 'left'> & { items: Minors[]; left: Minors[] };
  return {
    ...plan,
    items: plan.items.map((item) => readMinors(item) as unknown as PlanItem),
    left: readLines(plan.left),
    // A plan that was stored before credits were paid back names none.
    unborne: plan.unborne ?? [],
  };
}

export function storeLines(lines: readonly BillingLine[]): object[] {
  return lines.map(storeMinors);
}

export function readLines(stored: readonly unknown[]): BillingLine[] {
  // Written by `storeLines`.
  return (stored as Minors[]).map((line) => readMinors(line) as unknown as BillingLine);
}

function storeMinors(record: object): Minors {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}

function readMinors(record: Minors): Minors {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      MINOR_FIELDS.has(key) && typeof value === 'string' ? BigInt(value) : value,
    ]),
  );
}

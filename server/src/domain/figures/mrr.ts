/** Monthly recurring revenue: what a subscription brings in a month, and what each change of it is called. */
import { priceItems } from '../billing/compose.ts';
import { type PlanItem, type StoredRate, toRule } from '../billing/line.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import type { DiscountTerms } from '../pricing/discount.ts';
import { readTerms } from '../subscriptions/stored-plan.ts';

/** What of an item bears on the sum. */
export type RecurringItem = Pick<
  PlanItem,
  'offerId' | 'unitPrice' | 'quantity' | 'inclusive' | 'taxReason'
> & { taxRates: readonly StoredRate[] };

export interface Recurring {
  status: string;
  /** It was imported, and is still charged elsewhere. */
  waiting: boolean;
  recurringInterval: 'day' | 'week' | 'month' | 'year';
  recurringIntervalCount: number;
  /** As the subscription's row holds it; null = none. */
  discount: unknown;
  items: readonly RecurringItem[];
}

/** Months in one interval, as a fraction: a year has 365 days, and a month is a twelfth of it. */
const MONTHS: Readonly<Record<Recurring['recurringInterval'], readonly [bigint, bigint]>> = {
  month: [1n, 1n],
  year: [1n, 12n],
  week: [365n, 84n],
  day: [365n, 12n],
};

/** A trial, a pause and a time of being unpaid bring nothing. */
export function bringsRevenue(status: string): boolean {
  return status === 'active' || status === 'past_due';
}

/**
 * Minor units a month: the recurring lines of one interval without tax, less a discount that lasts for ever. A discount
 * that ends lowers payments, and not what recurs.
 */
export function computeMrr(recurring: Recurring): bigint {
  if (recurring.waiting || !bringsRevenue(recurring.status)) return 0n;
  const [by, over] = MONTHS[recurring.recurringInterval];
  const netMinor = sumNet(recurring.items, readLasting(recurring.discount));
  return divideHalfAwayFromZero(netMinor * by, over * BigInt(recurring.recurringIntervalCount));
}

function readLasting(stored: unknown): DiscountTerms | null {
  const terms = readTerms(stored);
  return terms?.duration === 'forever' ? terms : null;
}

/** By the rates that the items were last taxed by. */
function sumNet(items: readonly RecurringItem[], discount: DiscountTerms | null): bigint {
  const priced = priceItems({ items: items.map(toPlanItem), discount, tax: toRule, fraction: null });
  return priced.reduce((sum, { netMinor }) => sum + netMinor, 0n);
}

/** What it is called and what it shows bears on no sum. */
function toPlanItem(item: RecurringItem): PlanItem {
  const unnamed = { id: null, productId: null, variantId: null, name: '', internalId: null };
  return { ...unnamed, product: null, variant: null, offer: null, customFields: {}, ...item };
}

export const MOVEMENT_KINDS = [
  'opening',
  'new',
  'imported',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
  'paused',
  'resumed',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** The movement before this one of the same subscription; its `cause` is the status that the change led to. */
export interface LastMovement {
  kind: MovementKind;
  cause: string;
  after: bigint;
}

export interface Change {
  /** Null = the subscription has had none. */
  last: LastMovement | null;
  /** Whether it was above 0 at any time. */
  wasAbove: boolean;
  afterMinor: bigint;
  /** The subscription's status after the change. */
  status: string;
  /** The subscription came from elsewhere, and runs here from now on. */
  isImported: boolean;
  /** Whether its user had subscriptions that brought revenue, and every one of them has ended. */
  isReturn: boolean;
}

/** What a change of the sum is called; null where it stays. */
export function decideMovement(change: Change): { kind: MovementKind; deltaMinor: bigint } | null {
  const beforeMinor = change.last?.after ?? 0n;
  const deltaMinor = change.afterMinor - beforeMinor;
  if (deltaMinor === 0n) return null;
  return { kind: nameMovement(change, beforeMinor), deltaMinor };
}

function nameMovement(change: Change, beforeMinor: bigint): MovementKind {
  const { afterMinor, status } = change;
  if (beforeMinor === 0n) return nameRise(change);
  if (afterMinor > 0n) return afterMinor > beforeMinor ? 'expansion' : 'contraction';
  if (status === 'paused') return 'paused';
  // A plan that costs nothing goes on: nobody has left.
  return bringsRevenue(status) ? 'contraction' : 'churn';
}

/** From 0: by what brought it there, or by its being the first time. */
function nameRise({ last, wasAbove, isImported, isReturn }: Change): MovementKind {
  if (last?.cause === 'paused') return 'resumed';
  if (last?.cause === 'unpaid') return 'reactivation';
  if (wasAbove) return 'expansion';
  if (isImported) return 'imported';
  return isReturn ? 'reactivation' : 'new';
}

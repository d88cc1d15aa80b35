/** What the store holds of a subscription, and what the model says it should: both in plain numbers. */
import type { Interval } from './calendar.ts';
import type { Discount, Item, Line } from './money.ts';

export const DAY_MS = 86_400_000;
export const RETRY_DAYS = [2, 5, 7, 7];
export const ACTION_MS = DAY_MS;

/** A lost answer or a dead worker delays a step by no more than this. */
export const DELAY_MS = 15 * 60_000;

/** In place of the count of stored cards: the buyer has typed this one. */
export const NOT_STORED = -1;

export type Card = 'visa' | 'soft' | 'hard' | 'once' | 'unknown' | 'auth' | 'disputed';

/** What the store holds of a subscription, in the order in which it came into being. */
export interface Books {
  payments: ActualPayment[];
  charges: ActualCharge[];
  disputes: ActualDispute[];
}
export interface ActualPayment {
  type: string;
  status: string;
  value: number;
  refunded: number;
  start: number | null;
  end: number | null;
}
export interface ActualCharge {
  /** Place of its payment among the payments. */
  payment: number;
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  createdAt: number;
  settledAt: number | null;
}

export interface ActualDispute {
  /** Place of its charge among the charges. */
  charge: number;
  status: string;
  amount: number;
  openedAt: number;
  closedAt: number | null;
}

export interface Payment {
  type: 'initial' | 'interval' | 'update' | 'extra';
  status: string;
  value: number;
  refunded: number;
  start: number | null;
  end: number | null;
  lines: Line[];
  carried: Line[];
  /** What went back of it, in order; the credits that it paid back, null = it was asked for. */
  backs: Array<{ amount: number; credits: Line[] | null }>;
  /** Of a change of plan that pays for a period of its own. */
  startsAnew?: boolean;
}

export interface Plan {
  items: Item[];
  interval: Interval;
}

export interface Waited {
  payment: Payment;
  plan: Plan;
  /** Lines that wait for the next payment once the change holds. */
  unplaced: Line[];
  /** Places whose credits are paid back then. */
  unborne: ReadonlySet<string>;
  startsAnew: boolean;
}

export interface Run {
  startedAt: number;
  failures: number;
  hard: boolean;
  /** Null = in the middle of a day of it. */
  retryAt: number | null;
}

export interface UnderWay {
  payment: Payment;
  charge: number;
  card: Card;
  cardCount: number;
  createdAt: number;
}

export interface OrderAmounts {
  value: number;
  tax: number;
  fee: number;
  currency: string;
}

export interface Beginning {
  plan: Plan;
  card: Card;
  trialEnd: number | null;
  anchor: number;
  start: number;
  end: number;
  value: number;
  /** So far. */
  charges: readonly ActualCharge[];
  /** Of the order. */
  amounts: OrderAmounts;
  isTaxed: boolean;
  discount: Discount | null;
}

export type Behavior = 'create_prorations' | 'always_invoice' | 'none';
export type PauseBehavior = 'void' | 'keep_as_draft' | 'mark_uncollectible';

export function isSamePlan(a: readonly Item[], b: readonly Item[]): boolean {
  const key = (items: readonly Item[]) =>
    items.map(({ offerId, quantity }) => `${offerId}:${quantity}`).toSorted();
  return JSON.stringify(key(a)) === JSON.stringify(key(b));
}

export function isEqual(a: Interval, b: Interval): boolean {
  return a.unit === b.unit && a.count === b.count;
}

export const iso = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString());

/** Fails with what was found. */
export function check(isTrue: boolean, must: string, found?: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`${must}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`);
}

/** What a charge by a card must come to; `any` = the buyer decides. */
export function expectOutcome(
  { card, payment, createdAt }: UnderWay,
  settledAt: number,
  paidCards: ReadonlySet<Card>,
): 'paid' | 'declined' | 'any' {
  if (card === 'visa' || card === 'unknown' || card === 'disputed') return 'paid';
  if (card === 'soft' || card === 'hard') return 'declined';
  if (card === 'once') return paidCards.has('once') ? 'declined' : 'paid';
  if (paidCards.has('auth')) return 'paid';
  return payment.type === 'interval' || settledAt >= createdAt + ACTION_MS ? 'declined' : 'any';
}

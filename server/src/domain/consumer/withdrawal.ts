/** What becomes of a withdrawal, as far as the law and the shop's settings decide it. */
import type { ConsumerBlock } from '../settings-blocks.ts';
import { type CanonicalValue, toCanonicalJson } from './canonical-json.ts';
import { computeWithdrawableUntil, type Withdrawable, type WithdrawalRight } from './right.ts';
import { computeUsed, type PaidPart } from './used.ts';

export const WITHDRAWAL_STATUSES = ['received', 'unmatched', 'stopped', 'refunded', 'refused'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];
export const WITHDRAWAL_REASONS = ['late', 'waived', 'business', 'excluded', 'elsewhere', 'other'] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

/** What was stated, and is hashed. */
export interface WithdrawalStatement {
  id: string;
  number: string;
  orderNumber: string;
  part: string | null;
  name: string;
  email: string;
  items: readonly string[] | null;
  source: string;
  receivedAt: number;
}

/** Its canonical JSON: what is hashed. */
export function writeWithdrawal(statement: WithdrawalStatement): string {
  const { id, number, orderNumber, part, name, email, items, source, receivedAt } = statement;
  const stated: Record<string, CanonicalValue> = {
    object: 'withdrawal',
    id,
    number,
    orderNumber,
    part,
    name,
  };
  return toCanonicalJson({ ...stated, email, items, source, receivedAt });
}

export interface JudgedItem {
  id: string;
  kind: Withdrawable;
  quantity: number;
  /** A key was shown or mailed, or a file opened. */
  isBegun: boolean;
}

/** What was ticked, in words; null where nothing was. */
export function nameTicked(
  items: ReadonlyArray<{ id: string; name: string; quantity: number }>,
  ticked: readonly string[] | null,
): string | null {
  if (ticked === null) return null;
  return items
    .filter(({ id }) => ticked.includes(id))
    .map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name))
    .join(', ');
}

export interface JudgedOrder {
  right: WithdrawalRight | null;
  paidAt: number | null;
  isSubscription: boolean;
  items: readonly JudgedItem[];
  /** The buyer agreed that delivery ends their right, and a mail has repeated it. */
  hasWaived: boolean;
}

export interface Judging {
  order: JudgedOrder;
  settings: ConsumerBlock;
  receivedAt: number;
  /** Ids that were ticked; null = the whole order. */
  items: readonly string[] | null;
  /** Words of the buyer's own about what they withdraw from. */
  part: string | null;
}

/** `wait`: the merchant decides, where the law gives nothing with the reason. */
export type Verdict =
  | { kind: 'wait'; reason: WithdrawalReason | null }
  | { kind: 'effect'; itemIds: string[]; isWhole: boolean };

export function judgeWithdrawal(judging: Judging): Verdict {
  const { order, settings, items, part } = judging;
  const reason = findReason(judging);
  if (reason !== null) return { kind: 'wait', reason };
  const asked = order.items.filter(({ id, kind }) => kind !== 'excluded' && (items?.includes(id) ?? true));
  const left = asked.filter((item) => !isWaived(order, item));
  if (left.length === 0) return { kind: 'wait', reason: asked.length === 0 ? 'excluded' : 'waived' };
  const itemIds = left.map(({ id }) => id);
  const isWhole = itemIds.length === order.items.length;
  const needsPerson =
    settings.withdrawalHandling === 'manual' ||
    left.some((item) => needsDecision(judging, item)) ||
    // What was meant stands in words, or a contract that runs on would have to be taken apart.
    (part !== null && order.items.reduce((sum, { quantity }) => sum + quantity, 0) > 1) ||
    (order.isSubscription && !isWhole);
  return needsPerson ? { kind: 'wait', reason: null } : { kind: 'effect', itemIds, isWhole };
}

/** Why the law gives no right at all. */
function findReason({ order, receivedAt }: Judging): WithdrawalReason | null {
  if (order.paidAt === null || order.right === null) return 'other';
  if (order.right !== 'granted') return order.right;
  return receivedAt > computeWithdrawableUntil(order.paidAt) ? 'late' : null;
}

function isWaived({ hasWaived }: JudgedOrder, { kind, isBegun }: JudgedItem): boolean {
  return kind === 'content' && isBegun && hasWaived;
}

/** A key that was read cannot be taken back, and how much of a service was done is not ours to know. */
function needsDecision({ order, settings }: Judging, { kind, isBegun }: JudgedItem): boolean {
  if (kind === 'service') return !order.isSubscription;
  return isBegun && settings.deliveredContent === 'manual';
}

export interface GivingBack {
  /** Newest first. */
  paid: readonly PaidPart[];
  /** Who agreed to an early start pays for what was used until then; null = nobody did. */
  usedUntilMs: number | null;
  /** At most so much in all; null = no bound. */
  mostMinor: bigint | null;
}

/** Paid − used, the used part rounded once; taken from the payments in their order. Nothing for 0. */
export function planWithdrawalRefunds({ paid, usedUntilMs, mostMinor }: GivingBack) {
  const sentBackMinor = paid.reduce((sum, part) => sum + part.sentBackMinor, 0n);
  const allMinor = paid.reduce((sum, { leftMinor }) => sum + leftMinor, sentBackMinor);
  const usedMinor = usedUntilMs === null ? 0n : computeUsed(paid, usedUntilMs);
  const due = allMinor - usedMinor;
  let dueMinor = (mostMinor !== null && mostMinor < due ? mostMinor : due) - sentBackMinor;
  const refunds: Array<{ paymentId: string; amountMinor: bigint }> = [];
  for (const { paymentId, leftMinor } of paid) {
    const amountMinor = leftMinor < dueMinor ? leftMinor : dueMinor;
    if (amountMinor > 0n) refunds.push({ paymentId, amountMinor });
    dueMinor -= amountMinor > 0n ? amountMinor : 0n;
  }
  return refunds;
}

const DAY_MS = 24 * 3_600_000;
/** Who states something without signing in may be somebody else: the mailbox of the order has this long to say so. */
export const OBJECTION_MS = DAY_MS;
/** Money goes back within 14 days of the statement; whoever has it to do is reminded on these days. */
export const WARNING_DAYS = [7, 12] as const;
export const DEADLINE_DAYS = 14;

export interface Looking {
  receivedAt: number;
  effectAt: number | null;
  warnedDays: number;
}

/** When a statement that is open is looked at next; null = nothing happens by itself any more. */
export function findNextLook({ receivedAt, effectAt, warnedDays }: Looking): number | null {
  const day = WARNING_DAYS.find((days) => days > warnedDays);
  const warnAt = day === undefined ? null : receivedAt + day * DAY_MS;
  if (effectAt === null || warnAt === null) return effectAt ?? warnAt;
  return Math.min(effectAt, warnAt);
}

/** The newest warning that is due, in days; null = none. */
export function findDueWarning(
  { receivedAt, warnedDays }: Omit<Looking, 'effectAt'>,
  nowMs: number,
): number | null {
  return WARNING_DAYS.findLast((days) => days > warnedDays && receivedAt + days * DAY_MS <= nowMs) ?? null;
}

/** When the money is to be back. */
export function toDeadlineMs(receivedAt: number): number {
  return receivedAt + DEADLINE_DAYS * DAY_MS;
}

/** When a statement came in whose deadline is then. */
export function toReceivedMs(deadlineMs: number): number {
  return deadlineMs - DEADLINE_DAYS * DAY_MS;
}

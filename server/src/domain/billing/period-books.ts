/** What was paid for a period and what went back of it: the bounds of its credits, and of what can be paid back. */
import { allocate } from '../money/allocate.ts';
import { smallerAmount } from '../money/money.ts';
import { type BillingLine, splitCredit, toTaxKey } from './line.ts';

/** A line of a payment or of a refund, as far as these bounds look at it. A credit is negative. */
export interface BookedLine {
  /** The end of the period that it is of: what names a period. */
  periodEnd: number | null;
  /** As `toTaxKey` makes it. */
  taxKey: string;
  totalMinor: bigint;
}

/** A refund that succeeded or may yet succeed. */
export interface BookedRefund {
  amountMinor: bigint;
  taxMinor: bigint;
  /** The credits that it pays back, negative; null = a refund that somebody asked for. */
  paidBack: readonly BookedLine[] | null;
}

/** A payment that bills periods of a subscription. */
export interface BookedPayment {
  id: string;
  periodEnd: number | null;
  valueMinor: bigint;
  taxMinor: bigint;
  /** Its money was taken, is not disputed, and its processor has not refused to pay back. */
  canPayBack: boolean;
  /** Of one that is not paid for only what had waited before: it was to be billed, and waits again if that fails. */
  lines: readonly BookedLine[];
  /** Oldest first. */
  refunds: readonly BookedRefund[];
}

export function toBookedLine(line: BillingLine): BookedLine {
  return { periodEnd: line.periodEnd, taxKey: toTaxKey(line), totalMinor: line.total };
}

/**
 * How much more may be credited for a period: what was paid for it and what of it is still to be billed, less refunds and
 * the credits that were given already, whether used, waiting or paid back. Below 0 where money went back after its credit
 * was given.
 */
export function computeRoom(
  periodEnd: number,
  payments: readonly BookedPayment[],
  waiting: readonly BookedLine[],
): bigint {
  const paidBack = payments.flatMap(({ refunds }) => refunds.flatMap((refund) => refund.paidBack ?? []));
  const lines = [...payments.flatMap((payment) => payment.lines), ...waiting, ...paidBack];
  const refunded = payments.map((payment) => shareRefunds(payment).get(periodEnd) ?? 0n);
  return sumOfPeriod(lines, periodEnd) - refunded.reduce((sum, minor) => sum + minor, 0n);
}

/** The periods that a payment has lines of, its own first, then the newest. */
export function listPeriods({ periodEnd, lines }: Pick<BookedPayment, 'periodEnd' | 'lines'>): number[] {
  const ends = new Set(lines.flatMap((line) => line.periodEnd ?? []));
  const others = [...ends].filter((end) => end !== periodEnd).toSorted((a, b) => b - a);
  return periodEnd === null ? others : [periodEnd, ...others];
}

/** The refunds that were asked for, by the period that they are of: the payment's own first. */
function shareRefunds(payment: BookedPayment): Map<number, bigint> {
  const asked = payment.refunds.filter(({ paidBack }) => paidBack === null);
  let restMinor = asked.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const shares = new Map<number, bigint>();
  for (const end of listPeriods(payment)) {
    const billedMinor = sumOfPeriod(payment.lines, end);
    const share = smallerAmount(restMinor, billedMinor < 0n ? 0n : billedMinor);
    shares.set(end, share);
    restMinor -= share;
  }
  return shares;
}

function sumOfPeriod(lines: readonly BookedLine[], end: number): bigint {
  return lines.reduce((sum, { periodEnd, totalMinor }) => (periodEnd === end ? sum + totalMinor : sum), 0n);
}

/** What is left of a payment to be given back. */
export interface LeftOfPayment {
  paymentId: string;
  valueMinor: bigint;
  taxMinor: bigint;
  /** By the key of each tax. */
  byTax: Map<string, bigint>;
}

/** Refunds that were asked for took of each tax in proportion, those that paid a credit back of the credit's own. */
export function computeLeft({ id, valueMinor, taxMinor, lines, refunds }: BookedPayment): LeftOfPayment {
  const byTax = new Map<string, bigint>();
  const add = ({ taxKey, totalMinor }: BookedLine) =>
    byTax.set(taxKey, (byTax.get(taxKey) ?? 0n) + totalMinor);
  lines.forEach(add);
  const left = { paymentId: id, valueMinor, taxMinor, byTax };
  for (const refund of refunds) {
    left.valueMinor -= refund.amountMinor;
    left.taxMinor -= refund.taxMinor;
    if (refund.paidBack) refund.paidBack.forEach(add);
    else takeInProportion(byTax, refund.amountMinor);
  }
  return left;
}

function takeInProportion(byTax: Map<string, bigint>, amountMinor: bigint): void {
  const keys = [...byTax.keys()];
  const weights = keys.map((key) => byTax.get(key) ?? 0n).map((minor) => (minor < 0n ? 0n : minor));
  if (weights.every((weight) => weight === 0n)) return;
  const parts = allocate(amountMinor, weights);
  for (const [index, key] of keys.entries()) byTax.set(key, (byTax.get(key) ?? 0n) - (parts[index] ?? 0n));
}

/** Cuts waiting credits of a period by what they are more than they may be, the newest first; oldest come first here. */
export function lowerCredits(
  waiting: readonly BillingLine[],
  { periodEnd, overMinor }: { periodEnd: number; overMinor: bigint },
): Array<{ part: BillingLine; rest: BillingLine }> {
  let restMinor = overMinor;
  const credits = waiting.filter((line) => line.total < 0n && line.periodEnd === periodEnd).toReversed();
  return credits.flatMap((credit) => {
    const minor = smallerAmount(-credit.total, restMinor);
    if (minor <= 0n) return [];
    restMinor -= minor;
    return [splitCredit(credit, -minor)];
  });
}

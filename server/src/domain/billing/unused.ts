/** What of a period's payments is given back when the subscription ends before the period does. */
import { cutToStep, divideHalfAwayFromZero } from '../money/rounding.ts';

export interface PaidForPeriod {
  paymentId: string;
  /** Paid and not refunded, minor units. */
  leftMinor: bigint;
}

export interface UnusedTime {
  startMs: number;
  endMs: number;
  nowMs: number;
  /** Money goes back in multiples of it. */
  stepMinor: bigint;
}

/** round(S/T × what is left) in whole steps, taken from the given payments in their order, newest first; nothing for 0. */
export function planUnusedRefunds(
  paid: readonly PaidForPeriod[],
  { startMs, endMs, nowMs, stepMinor }: UnusedTime,
): Array<{ paymentId: string; amountMinor: bigint }> {
  const totalMs = BigInt(endMs - startMs);
  const restMs = BigInt(Math.min(Math.max(endMs - nowMs, 0), endMs - startMs));
  const leftMinor = paid.reduce((sum, payment) => sum + payment.leftMinor, 0n);
  if (totalMs <= 0n) return [];
  let dueMinor = cutToStep(divideHalfAwayFromZero(leftMinor * restMs, totalMs), stepMinor);
  const refunds: Array<{ paymentId: string; amountMinor: bigint }> = [];
  for (const { paymentId, leftMinor: left } of paid) {
    const amountMinor = left < dueMinor ? left : dueMinor;
    if (amountMinor > 0n) refunds.push({ paymentId, amountMinor });
    dueMinor -= amountMinor;
  }
  return refunds;
}

/** What of a subscription was used until a moment, of what was paid for it. */
import { divideHalfAwayFromZero } from '../money/rounding.ts';

export interface Period {
  startMs: number;
  endMs: number;
}

export interface PaidPart {
  paymentId: string;
  /** Paid and neither given back nor on its way back. */
  leftMinor: bigint;
  /** What this very withdrawal has given back of it: a refund beside it has failed, and what is missing is asked. */
  sentBackMinor: bigint;
  /** What a change of plan has paid back of it, for the rest of a period that it cut short. */
  paidBackMinor: bigint;
  /** What it was paid for; null = for something that is not used up by time. */
  period: Period | null;
  /** What the whole interval costs that began with it, of which a rest may have been set off; null = it began none. */
  intervalMinor: bigint | null;
}

interface Fraction {
  over: bigint;
  under: bigint;
}

const NOTHING: Fraction = { over: 0n, under: 1n };

/**
 * Past periods whole, the running one by its ms; rounded once. A period that a change to another interval cut short ends
 * there: what was used of it is that part's, and its rest was set off against the interval that began.
 */
export function computeUsed(paid: readonly PaidPart[], untilMs: number): bigint {
  const parts = paid.filter(hasPeriod).sort((a, b) => a.period.startMs - b.period.startMs);
  const begun = parts
    .filter(({ intervalMinor }) => intervalMinor !== null)
    .map((part) => part.period.startMs);
  /** What was set off, by where the interval began. */
  const setOff = new Map<number, Fraction>();
  let used = NOTHING;
  for (const part of parts) {
    const { startMs, endMs } = part.period;
    const stood = toStood(part, setOff.get(startMs) ?? NOTHING);
    const cutMs = begun.find((ms) => ms > startMs && ms < endMs && ms <= untilMs);
    const share = toShare(part.period, cutMs ?? untilMs);
    if (cutMs === undefined) {
      used = add(used, multiply(stood, share));
      continue;
    }
    // What was paid back is of the rest: what was used is of the price before.
    const whole = add(stood, toFraction(part.paidBackMinor));
    const usedHere = smaller(multiply(whole, share), stood);
    used = add(used, usedHere);
    setOff.set(cutMs, add(setOff.get(cutMs) ?? NOTHING, subtract(stood, usedHere)));
  }
  return divideHalfAwayFromZero(used.over, used.under);
}

type TimedPart = PaidPart & { period: Period };

function hasPeriod(part: PaidPart): part is TimedPart {
  return part.period !== null;
}

/** Paid for it, with what was set off, which is no more than the interval costs: any more is a credit that nothing has used. */
function toStood({ leftMinor, sentBackMinor, intervalMinor }: PaidPart, setOff: Fraction): Fraction {
  const paid = toFraction(leftMinor + sentBackMinor);
  if (intervalMinor === null || setOff.over === 0n) return paid;
  const price = toFraction(intervalMinor);
  return isLess(price, paid) ? paid : smaller(add(paid, setOff), price);
}

function toShare({ startMs, endMs }: Period, untilMs: number): Fraction {
  if (untilMs >= endMs) return { over: 1n, under: 1n };
  if (untilMs <= startMs) return NOTHING;
  return { over: BigInt(untilMs - startMs), under: BigInt(endMs - startMs) };
}

const toFraction = (minor: bigint): Fraction => ({ over: minor, under: 1n });
const add = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const subtract = (a: Fraction, b: Fraction): Fraction => add(a, { over: -b.over, under: b.under });
const multiply = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});
const isLess = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under;
const smaller = (a: Fraction, b: Fraction): Fraction => (isLess(b, a) ? b : a);

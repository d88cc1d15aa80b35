import { assert } from '../assert.ts';
import { Refusal } from '../errors.ts';

/** The largest amount in minor units, either sign: what a JSON number still carries exactly (2^53 − 1). */
export const MINOR_MAX = 9_007_199_254_740_991n;

/** Minor units of a number that the edge has already checked: a safe integer. */
export function toMinor(amount: number): bigint {
  assert(Number.isSafeInteger(amount), `${amount} is not an amount in minor units`);
  return BigInt(amount);
}

/** The JSON number of an amount in minor units, exact because it is bounded. */
export function toNumber(amountMinor: bigint): number {
  assert(isWithinBounds(amountMinor), `${amountMinor} is beyond the largest amount`);
  return Number(amountMinor);
}

/** Passes a computed amount on, or refuses with `amount_too_large` what no answer could carry. */
export function checkedTotal(amountMinor: bigint): bigint {
  if (!isWithinBounds(amountMinor)) throw new Refusal('amount_too_large');
  return amountMinor;
}

/** The smaller of two amounts; Math.min does not take a bigint. */
export function smallerAmount(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

function isWithinBounds(amountMinor: bigint): boolean {
  return amountMinor <= MINOR_MAX && amountMinor >= -MINOR_MAX;
}

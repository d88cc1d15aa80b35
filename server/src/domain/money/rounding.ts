import { assert } from '../assert.ts';

/**
 * The one rounding rule of all money: to the nearest integer, halves away from zero (2.5 → 3, −2.5 → −3).
 * Exact for any size, because it never leaves the integers.
 */
export function divideHalfAwayFromZero(numerator: bigint, denominator: bigint): bigint {
  assert(denominator !== 0n, 'a division by zero');
  const isNegative = numerator < 0n !== denominator < 0n;
  const dividend = numerator < 0n ? -numerator : numerator;
  const divisor = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * dividend + divisor) / (2n * divisor);
  return isNegative ? -rounded : rounded;
}

/** The nearest multiple of a step that is no further from zero. */
export function cutToStep(amountMinor: bigint, stepMinor: bigint): bigint {
  return amountMinor - (amountMinor % stepMinor);
}

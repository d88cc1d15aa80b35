import { assert } from '../assert.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long each try waits after the one before it; the index is the attempt's `sequence`. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.2;

/**
 * The wait in whole ms before the try that follows attempt `sequence`; null after the last. `randomUnit`
 * (0 to 1) spreads it by ±20 %, so that a receiver that comes back is not met by all at once.
 */
export function nextAttemptDelayMs(sequence: number, randomUnit: number): number | null {
  assert(Number.isSafeInteger(sequence) && sequence >= 0, 'attempts are counted from 0');
  assert(randomUnit >= 0 && randomUnit <= 1, 'a random unit lies between 0 and 1');
  const delayMs = ATTEMPT_DELAYS_MS[sequence + 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - JITTER + 2 * JITTER * randomUnit));
}

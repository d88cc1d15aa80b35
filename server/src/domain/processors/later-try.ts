/** When what a processor told, and could not be read, is tried again. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Eight tries within 32 hours of real time. */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  24 * MINUTE_MS,
  90 * MINUTE_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  18 * HOUR_MS,
];

/** After so many tries that failed; null = there is no other. */
export function findLaterTryMs(tries: number): number | null {
  return DELAYS_MS[tries - 1] ?? null;
}

/** How long a mail that the mail server did not take waits for its next try. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays after each failed try: a little less than five days in all, as mail servers themselves do. */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

/** The delay (ms) after the given number of tries, the first one included; null when there are no more. */
export function nextMailDelayMs(tries: number): number | null {
  return DELAYS_MS[tries - 1] ?? null;
}

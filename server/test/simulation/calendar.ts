/** The calendar once more, written another way than the service's: plain UTC fields, counted from the anchor. */

export interface Interval {
  unit: 'day' | 'week' | 'month' | 'year';
  count: number;
}

const DAY_MS = 86_400_000;

/** The n-th boundary; 0 is the anchor itself. */
export function boundaryAt(anchorMs: number, { unit, count }: Interval, n: number): number {
  if (unit === 'day') return anchorMs + n * count * DAY_MS;
  if (unit === 'week') return anchorMs + n * count * 7 * DAY_MS;
  const anchor = new Date(anchorMs);
  const months = n * count * (unit === 'year' ? 12 : 1) + anchor.getUTCMonth();
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const midnight = Date.UTC(anchor.getUTCFullYear(), months, Math.min(anchor.getUTCDate(), lastDay));
  return midnight + (anchorMs % DAY_MS);
}

/** The first boundary after a moment. */
export function boundaryAfter(anchorMs: number, interval: Interval, atMs: number): number {
  let n = 0;
  while (boundaryAt(anchorMs, interval, n - 1) > atMs) n -= 1;
  while (boundaryAt(anchorMs, interval, n) <= atMs) n += 1;
  return boundaryAt(anchorMs, interval, n);
}

/** The last boundary at or before a moment. */
export function boundaryBefore(anchorMs: number, interval: Interval, atMs: number): number {
  let n = 0;
  while (boundaryAt(anchorMs, interval, n) > atMs) n -= 1;
  while (boundaryAt(anchorMs, interval, n + 1) <= atMs) n += 1;
  return boundaryAt(anchorMs, interval, n);
}

/** The first period of a subscription whose anchor may lie elsewhere than at its start. */
import type { Fraction } from '../billing/compose.ts';
import { boundaryMs, type Interval, periodContaining } from './period.ts';

/**
 * An anchor ahead ends the first period; one that lies back leaves the period of its calendar that is running.
 * Without either the anchor is now.
 */
export function toFirstPeriod(
  anchorMs: number,
  interval: Interval,
  nowMs: number,
): { startMs: number; endMs: number } {
  if (anchorMs > nowMs) return { startMs: nowMs, endMs: anchorMs };
  const { startMs, endMs } = periodContaining(anchorMs, interval, nowMs);
  return { startMs, endMs };
}

/** How much of a full interval a period up to an anchor is; null = all of it. */
export function toFraction(
  anchorMs: number,
  interval: Interval,
  { startMs, endMs }: { startMs: number; endMs: number },
): Fraction | null {
  const wholeMs = computeFullMs(anchorMs, interval, { startMs, endMs });
  return endMs - startMs >= wholeMs ? null : { partMs: endMs - startMs, wholeMs };
}

/** The length of the full interval that ends where the period ends: longer than it only before the anchor. */
export function computeFullMs(
  anchorMs: number,
  interval: Interval,
  { startMs, endMs }: { startMs: number; endMs: number },
): number {
  return endMs <= anchorMs ? anchorMs - boundaryMs(anchorMs, interval, -1) : endMs - startMs;
}

/** Where an imported subscription stands in our calendar. */
import { boundaryMs, type Interval, periodContaining } from '../subscriptions/period.ts';

export interface ImportedPeriod {
  anchorMs: number;
  startMs: number;
  endMs: number;
  /** What was paid for ends between boundaries of the anchor given: from now on it is the anchor. */
  isMoved: boolean;
}

/** The running period: it ends where what was paid for ends. */
export function toImportedPeriod(
  { anchorAt, paidUntil }: { anchorAt: number; paidUntil: number },
  interval: Interval,
): ImportedPeriod {
  const { index, startMs } = periodContaining(anchorAt, interval, paidUntil);
  const isMoved = startMs !== paidUntil;
  const anchorMs = isMoved ? paidUntil : anchorAt;
  return {
    anchorMs,
    startMs: boundaryMs(anchorMs, interval, isMoved ? -1 : index - 1),
    endMs: paidUntil,
    isMoved,
  };
}

/** The moments of the first charges, from the end of what was paid for up to a moment. */
export function listCharges(
  period: Pick<ImportedPeriod, 'anchorMs' | 'endMs'>,
  interval: Interval,
  untilMs: number,
): Array<{ startMs: number; endMs: number }> {
  const charges: Array<{ startMs: number; endMs: number }> = [];
  let startMs = period.endMs;
  while (startMs < untilMs) {
    const { endMs } = periodContaining(period.anchorMs, interval, startMs);
    charges.push({ startMs, endMs });
    startMs = endMs;
  }
  return charges;
}

/** The day of a moment in UTC, such as `2026-11-23`. */
export function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

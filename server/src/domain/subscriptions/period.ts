/**
 * The calendar of a subscription, in UTC. The n-th boundary is always computed from the anchor, never
 * from the boundary before it: 31 January gives 28 February and then 31 March, and nothing drifts.
 */
import { Temporal } from 'temporal-polyfill';
import { assert } from '../assert.ts';

export interface Interval {
  unit: 'day' | 'week' | 'month' | 'year';
  /** At least 1. */
  count: number;
}

/** The period from `startMs` up to but not including `endMs`; the anchor starts period 0. */
export interface Period {
  index: number;
  startMs: number;
  endMs: number;
}

const DAY_MS = 86_400_000;
/** Mean lengths of the Gregorian calendar, only to guess near which period a moment lies. */
const MEAN_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30.436875 * DAY_MS, year: 365.2425 * DAY_MS };

/**
 * The n-th boundary in ms; 0 is the anchor and negative ones lie before it (the full interval that ends
 * at an anchor in the future starts at boundary −1). A day the month does not have becomes its last.
 */
export function boundaryMs(anchorMs: number, interval: Interval, n: number): number {
  assert(
    Number.isSafeInteger(interval.count) && interval.count >= 1,
    'an interval has a count of at least 1',
  );
  const anchor = Temporal.Instant.fromEpochMilliseconds(anchorMs).toZonedDateTimeISO('UTC');
  return anchor.add(toDuration(interval, n), { overflow: 'constrain' }).epochMilliseconds;
}

/** The period that contains `atMs`; its index is negative before the anchor. Costs the same for any distance. */
export function periodContaining(anchorMs: number, interval: Interval, atMs: number): Period {
  let index = Math.floor((atMs - anchorMs) / (MEAN_MS[interval.unit] * interval.count));
  let startMs = boundaryMs(anchorMs, interval, index);
  let endMs = boundaryMs(anchorMs, interval, index + 1);
  // The guess is off by no more than a few days, hence by one or two periods at most.
  while (atMs < startMs) {
    index -= 1;
    endMs = startMs;
    startMs = boundaryMs(anchorMs, interval, index);
  }
  while (atMs >= endMs) {
    index += 1;
    startMs = endMs;
    endMs = boundaryMs(anchorMs, interval, index + 1);
  }
  return { index, startMs, endMs };
}

/** The end of a trial that starts at `startMs`; it becomes the anchor of the calendar. */
export function trialEndMs(startMs: number, trial: Interval): number {
  return boundaryMs(startMs, trial, 1);
}

function toDuration(interval: Interval, n: number): Temporal.DurationLike {
  const amount = interval.count * n;
  switch (interval.unit) {
    case 'day':
      return { days: amount };
    case 'week':
      return { weeks: amount };
    case 'month':
      return { months: amount };
    case 'year':
      return { years: amount };
  }
}

/** Whether a change of plan goes up or down: by what a day costs. */
import type { Interval } from '../subscriptions/period.ts';

export interface DailyPrice {
  /** Of one interval, minor units. */
  priceMinor: bigint;
  interval: Interval;
}

/** Days of ten thousand units, so that a month and a year of days are whole. */
const LENGTHS: Record<Interval['unit'], bigint> = {
  day: 10_000n,
  week: 70_000n,
  month: 304_375n,
  year: 3_652_500n,
};

export function isUpgrade(from: DailyPrice, to: DailyPrice): boolean {
  return to.priceMinor * toLength(from.interval) > from.priceMinor * toLength(to.interval);
}

const toLength = ({ unit, count }: Interval): bigint => LENGTHS[unit] * BigInt(count);

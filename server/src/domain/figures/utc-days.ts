/** Days of the calendar in UTC, by which checkouts are counted. */
import type { Span } from './buckets.ts';

export const DAY_MS = 86_400_000;
/** The shortest day of any zone; a bucket that is shorter is none. */
const SHORTEST_DAY_MS = DAY_MS - 2 * 3_600_000;

/** The days that begin within a span, counted from 1970-01-01, so that spans that follow each other share none. */
export function toDays({ fromMs, toMs }: Span): { fromDay: number; toDay: number } {
  return { fromDay: Math.ceil(fromMs / DAY_MS), toDay: Math.ceil(toMs / DAY_MS) };
}

export const isDayAtLeast = ({ fromMs, toMs }: Span): boolean => toMs - fromMs >= SHORTEST_DAY_MS;

/** `2026-03-31` */
export const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

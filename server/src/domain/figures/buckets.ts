/** Windows of figures on the calendar of a zone: a day is as long as it is there, 23, 24 or 25 hours. */
import { Temporal } from 'temporal-polyfill';

export const BUCKET_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type BucketInterval = (typeof BUCKET_INTERVALS)[number];
export const COMPARISONS = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const BUCKETS_MAX = 400;
const HOUR_MS = 3_600_000;
export const QUARTER_MS = HOUR_MS / 4;
export const DAY_MS = 24 * HOUR_MS;

/** `[fromMs, toMs)`. */
export interface Span {
  fromMs: number;
  toMs: number;
}

export interface Bucket extends Span {
  /** Whether it is a whole one of the calendar; the first and the last may be cut by the window. */
  isWhole: boolean;
}

type Zoned = Temporal.ZonedDateTime;

const toZoned = (ms: number, zone: string): Zoned =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

/** The parts of the calendar that the window lies in, cut by the window; null where there are more than the limit. */
export function listBuckets({ fromMs, toMs }: Span, interval: BucketInterval, zone: string): Bucket[] | null {
  const buckets: Bucket[] = [];
  let startMs = startOf(fromMs, interval, zone);
  while (startMs < toMs) {
    if (buckets.length === BUCKETS_MAX) return null;
    const endMs = endAfter(startMs, interval, zone);
    const cut = { fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, toMs) };
    buckets.push({ ...cut, isWhole: cut.fromMs === startMs && cut.toMs === endMs });
    startMs = endMs;
  }
  return buckets;
}

function startOf(ms: number, interval: BucketInterval, zone: string): number {
  const at = toZoned(ms, zone);
  if (interval === 'hour')
    return Math.min(at.round({ smallestUnit: 'hour', roundingMode: 'floor' }).epochMilliseconds, ms);
  return toStart(toFirstDate(at.toPlainDate(), interval), zone);
}

function toFirstDate(
  date: Temporal.PlainDate,
  interval: Exclude<BucketInterval, 'hour'>,
): Temporal.PlainDate {
  switch (interval) {
    case 'day':
      return date;
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 });
    case 'month':
      return date.with({ day: 1 });
  }
}

/** The first moment of a date: not midnight where a clock is put forward over it. */
function toStart(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
}

function endAfter(startMs: number, interval: BucketInterval, zone: string): number {
  if (interval === 'hour') return endOfHour(startMs, zone);
  const date = toZoned(startMs, zone).toPlainDate();
  const next = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }[interval];
  return toStart(toFirstDate(date.add(next), interval), zone);
}

/** Where clocks are put by half an hour, an hour of the wall ends after 30 or 90 minutes. */
function endOfHour(startMs: number, zone: string): number {
  const endMs = startOf(startMs + HOUR_MS, 'hour', zone);
  return endMs > startMs ? endMs : startMs + HOUR_MS;
}

/**
 * The window that a window is compared with. The one before is as many months, weeks or days long as the window where
 * it is made of such in the zone, else as many ms.
 */
export function toCompared({ fromMs, toMs }: Span, comparison: Comparison, zone: string): Span | null {
  if (comparison === 'none') return null;
  const [from, to] = [toZoned(fromMs, zone), toZoned(toMs, zone)];
  if (comparison === 'year') return { fromMs: yearBefore(from), toMs: yearBefore(to) };
  const before = toWholeBefore(from, to);
  return { fromMs: before ?? fromMs - (toMs - fromMs), toMs: fromMs };
}

function yearBefore(at: Zoned): number {
  return at.subtract({ years: 1 }).epochMilliseconds;
}

/** Null where the window is not made of whole days. */
function toWholeBefore(from: Zoned, to: Zoned): number | null {
  if (!isStartOfDay(from) || !isStartOfDay(to)) return null;
  const zone = from.timeZoneId;
  const [first, last] = [from.toPlainDate(), to.toPlainDate()];
  if (first.day === 1 && last.day === 1) {
    const { months } = first.until(last, { largestUnit: 'months' });
    return toStart(first.subtract({ months }), zone);
  }
  // Weeks are seven days wherever they begin.
  const { days } = first.until(last, { largestUnit: 'days' });
  return toStart(first.subtract({ days }), zone);
}

function isStartOfDay(at: Zoned): boolean {
  return toStart(at.toPlainDate(), at.timeZoneId) === at.epochMilliseconds;
}

/** Which part of buckets is read from kept sums, and which from the rows. */
export interface Cover {
  /** Null = nothing. Whole quarter hours. */
  kept: Span | null;
  live: Span[];
}

/** `edges` are the bounds of the buckets; sums are kept of what lies before `closedUntilMs`. */
export function coverBuckets(edges: readonly number[], closedUntilMs: number): Cover {
  const fromMs = edges[0] ?? 0;
  const toMs = edges.at(-1) ?? 0;
  const keptFromMs = Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS;
  const keptToMs = Math.floor(Math.min(toMs, closedUntilMs) / QUARTER_MS) * QUARTER_MS;
  // A bound within a quarter hour, as zones had them long ago, splits what was summed up as one.
  const isSplit = edges.slice(1, -1).some((edge) => edge % QUARTER_MS !== 0);
  if (isSplit || keptToMs <= keptFromMs) return { kept: null, live: [{ fromMs, toMs }] };
  const live = [
    { fromMs, toMs: keptFromMs },
    { fromMs: keptToMs, toMs },
  ].filter((span) => span.toMs > span.fromMs);
  return { kept: { fromMs: keptFromMs, toMs: keptToMs }, live };
}

/** Kept sums of one length that belong to a bucket. */
export interface KeptStretch extends Span {
  /** Counted from 0. */
  bucket: number;
}

/**
 * Which sums are read of the part of the buckets that is kept: days of UTC where a bucket holds whole ones, and quarter
 * hours before and after them. All bounds are those of quarter hours.
 */
export function listKept(
  edges: readonly number[],
  kept: Span,
): { days: KeptStretch[]; quarters: KeptStretch[] } {
  const days: KeptStretch[] = [];
  const quarters: KeptStretch[] = [];
  for (const [bucket, edge] of edges.slice(0, -1).entries()) {
    const fromMs = Math.max(edge, kept.fromMs);
    const toMs = Math.min(edges[bucket + 1] ?? edge, kept.toMs);
    if (toMs <= fromMs) continue;
    const firstDayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
    const lastDayMs = Math.floor(toMs / DAY_MS) * DAY_MS;
    if (lastDayMs <= firstDayMs) {
      quarters.push({ bucket, fromMs, toMs });
      continue;
    }
    days.push({ bucket, fromMs: firstDayMs, toMs: lastDayMs });
    if (fromMs < firstDayMs) quarters.push({ bucket, fromMs, toMs: firstDayMs });
    if (lastDayMs < toMs) quarters.push({ bucket, fromMs: lastDayMs, toMs });
  }
  return { days, quarters };
}

/** Figures of windows, from the sums of their rows. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type { Span } from '../../domain/figures/buckets.ts';
import {
  computeMetric,
  definitionOf,
  METRIC_NAMES,
  type Measure,
  type Metric,
  type Sums,
  toRatio,
  type Window,
} from '../../domain/figures/metrics.ts';
import { isDayAtLeast, toDays } from '../../domain/figures/utc-days.ts';
import { listCheckoutCounts } from '../checkouts/checkout-figures.queries.ts';
import { findOpeningMs } from './mrr.queries.ts';
import { findClosedUntil, type SummedUp, sumMeasures } from './sums.queries.ts';

export type FigureValue = bigint | number | null;

/** What of a store is read for every figure. */
export interface Books {
  closedUntilMs: number;
  /** When a store from before began to write movements; null = with its first subscription. */
  openedMs: number | null;
}

export async function findBooks(db: Db, scope: Scope): Promise<Books> {
  return { closedUntilMs: await findClosedUntil(db, scope), openedMs: await findOpeningMs(db, scope) };
}

export interface AskedFigures {
  metrics: readonly Metric[];
  buckets: readonly Span[];
  /** Null = every one that was sold in, and `home`. */
  currency: string | null;
  /** The store's own; null = it has none. */
  home: string | null;
  groupBy: 'type' | 'country' | null;
}

export interface Series {
  metric: Metric;
  currency: string;
  group: string | null;
  /** One for each bucket. */
  values: FigureValue[];
}

/** The figures of consecutive buckets, a series for each metric, currency and group. */
export async function loadSeries(
  db: Db,
  scope: Scope,
  { books, ...asked }: AskedFigures & { books: Books },
): Promise<Series[]> {
  const { metrics, buckets, currency, groupBy } = asked;
  const [first] = buckets;
  if (!first) return [];
  const before = unite(metrics.map((metric) => definitionOf(metric).before));
  // What stands at the beginning of a later bucket is what stood at the first one, and what came since.
  const within = unite([before, ...metrics.map((metric) => definitionOf(metric).within)]);
  const edges = [first.fromMs, ...buckets.map(({ toMs }) => toMs)];
  const reading = { currency, groupBy, closedUntilMs: books.closedUntilMs };
  const summed = await sumMeasures(db, scope, { ...reading, measures: within, edges });
  const stood = await sumMeasures(db, scope, {
    ...reading,
    groupBy: null,
    measures: before,
    edges: [0, first.fromMs],
  });
  const conversions = metrics.includes('checkoutConversion') ? await loadConversions(db, scope, buckets) : [];
  const lines = listLines(asked, [...summed, ...stood]);
  return lines.flatMap((line) => {
    const windows = toWindows({ line, summed, stood, count: buckets.length });
    return metrics.map((metric) => ({
      ...{ metric, ...line },
      values: buckets.map((bucket, index) => {
        if (metric !== 'checkoutConversion')
          return computeMetric(metric, windows[index] ?? NOTHING, { ...bucket, openedMs: books.openedMs });
        // A page that was looked at and left was in no currency but the store's.
        return line.currency === asked.home ? (conversions[index]?.share ?? null) : null;
      }),
    }));
  });
}

interface Conversion {
  paid: number;
  /** Of those that were looked at; null over none, and for less than a day. */
  share: number | null;
}

/** Of consecutive buckets: checkouts that were paid, by the UTC day on which they were looked at. */
async function loadConversions(db: Db, scope: Scope, buckets: readonly Span[]): Promise<Conversion[]> {
  const days = buckets.map(toDays);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const all = { fromDay: first.fromDay, toDay: last.toDay, elementIds: [], offerIds: [] };
  const counts = await listCheckoutCounts(db, scope, all);
  return days.map(({ fromDay, toDay }, index) => {
    const own = counts.filter(({ day }) => day >= fromDay && day < toDay);
    const [paid, viewed] = [sumOf(own, 'paid'), sumOf(own, 'viewed')];
    const isDay = isDayAtLeast(buckets[index] ?? { fromMs: 0, toMs: 0 });
    return { paid, share: isDay ? toRatio(BigInt(paid), BigInt(viewed)) : null };
  });
}

const sumOf = (counts: ReadonlyArray<Record<'paid' | 'viewed', number>>, name: 'paid' | 'viewed') =>
  counts.reduce((sum, one) => sum + one[name], 0);

const NOTHING: Window = { within: {}, before: {} };

interface Line {
  currency: string;
  group: string | null;
}

function listLines({ currency, home, groupBy }: AskedFigures, summed: readonly SummedUp[]): Line[] {
  const asked = currency ?? home;
  const own = asked === null ? [] : [asked];
  const currencies = unite([own, summed.map((one) => one.currency)]);
  if (groupBy === null) return currencies.map((one) => ({ currency: one, group: null }));
  return currencies.flatMap((one) => {
    const groups = summed.filter((row) => row.currency === one).map(({ group }) => group);
    return [...new Set(groups)].sort().map((group) => ({ currency: one, group }));
  });
}

function unite<T extends string>(lists: ReadonlyArray<readonly T[]>): T[] {
  return [...new Set(lists.flat())];
}

interface Summed {
  line: Line;
  summed: readonly SummedUp[];
  stood: readonly SummedUp[];
  count: number;
}

function toWindows({ line, summed, stood, count }: Summed): Window[] {
  const own = summed.filter((row) => row.currency === line.currency && row.group === line.group);
  const byBucket = new Map(own.map((row) => [row.bucket, row.sums]));
  let before: Sums = stood.find((row) => row.currency === line.currency)?.sums ?? {};
  return Array.from({ length: count }, (_, index) => {
    const window = { within: byBucket.get(index) ?? {}, before };
    before = addUp(before, window.within);
    return window;
  });
}

function addUp(a: Sums, b: Sums): Sums {
  const names = unite([Object.keys(a), Object.keys(b)]) as Measure[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0n) + (b[name] ?? 0n)]));
}

export interface OverviewLine {
  metric: Metric;
  currency: string;
  value: FigureValue;
  previous: FigureValue;
}

/** Every metric of a window, beside the window that it is compared with. */
export async function loadOverview(
  db: Db,
  scope: Scope,
  {
    window,
    compared,
    ...asked
  }: { window: Span; compared: Span | null } & Pick<AskedFigures, 'currency' | 'home'>,
): Promise<OverviewLine[]> {
  const books = await findBooks(db, scope);
  const all = { ...asked, metrics: METRIC_NAMES, groupBy: null, books };
  const now = await loadSeries(db, scope, { ...all, buckets: [window] });
  const then = compared ? await loadSeries(db, scope, { ...all, buckets: [compared] }) : [];
  return now.map(({ metric, currency, values: [value = null] }) => {
    const match = then.find((one) => one.metric === metric && one.currency === currency);
    // A currency that was not sold in then has 0, as one that is not sold in now has.
    const none = compared && !match ? computeMetric(metric, NOTHING, { ...compared, ...books }) : null;
    return { metric, currency, value, previous: match ? (match.values[0] ?? null) : none };
  });
}

/** The figure of one window alone, of one group where one is asked for: what its rows come to. */
export async function loadTotal(
  db: Db,
  scope: Scope,
  {
    metric,
    window,
    currency,
    group,
  }: {
    metric: Metric;
    window: Span;
    currency: string;
    group: { by: 'type' | 'country'; value: string | null } | null;
  },
): Promise<FigureValue> {
  if (metric === 'checkoutConversion') {
    const [conversion] = await loadConversions(db, scope, [window]);
    return BigInt(conversion?.paid ?? 0);
  }
  const books = await findBooks(db, scope);
  const groupBy = group?.by ?? null;
  const asked = { metrics: [metric], buckets: [window], currency, home: currency, groupBy, books };
  const series = await loadSeries(db, scope, asked);
  const own = series.find((one) => one.group === (group?.value ?? null));
  return own?.values[0] ?? computeMetric(metric, NOTHING, { ...window, openedMs: books.openedMs });
}

/** Figures of a store: of a window, of its buckets, and the rows that they are sums of. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { invalidField } from '../domain/errors.ts';
import { listBuckets, type Span, toCompared } from '../domain/figures/buckets.ts';
import { definitionOf, type Metric } from '../domain/figures/metrics.ts';
import { DAY_MS } from '../domain/figures/utc-days.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { type Route, read } from '../http/route.ts';
import { listCheckoutCounts } from '../resources/checkouts/checkout-figures.queries.ts';
import { TAKE_DEFAULT, TAKE_MAX } from '../resources/paging.ts';
import {
  CheckoutsData,
  CheckoutsQuery,
  DefinitionsData,
  OverviewData,
  OverviewQuery,
  RowsData,
  RowsQuery,
  TimeseriesData,
  TimeseriesQuery,
  toCheckoutRows,
  toDefinitions,
  toFigure,
  toUnit,
} from '../resources/reports/reports.schema.ts';
import { findBooks, loadOverview, loadSeries, loadTotal } from '../resources/reports/reports.view.ts';
import { listRows, type RowsCursor } from '../resources/reports/rows.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/** Of one answer that tells days apart. */
const CHECKOUT_DAYS_MAX = 400;

/** A month of sales. */
const MONTH = { from: '1767225600000', to: '1769904000000' };

const overview = read({
  method: 'GET',
  path: '/v0/reports/overview',
  fromReports: true,
  operationId: 'getReportOverview',
  tag: 'reports',
  needsSecret: true,
  summary: 'Show every figure of a window, beside the one that it is compared with',
  query: OverviewQuery,
  exampleQuery: MONTH,
  data: OverviewData,
  handler: async ({ db, scope, query }) => {
    const window = toWindow(query);
    const { zone, home } = await findTerms(db, scope, query.timezone);
    const compared = toCompared(window, query.compare ?? 'previous', zone);
    const currency = query.currency ?? null;
    const lines = await loadOverview(db, scope, { window, compared, currency, home });
    return {
      timezone: zone,
      compared: compared && { from: Math.max(compared.fromMs, 0), to: Math.max(compared.toMs, 0) },
      metrics: lines.map(({ value, previous, ...line }) => ({
        ...line,
        unit: toUnit(line.metric),
        value: toFigure(value),
        previous: toFigure(previous),
      })),
    };
  },
});

const timeseries = read({
  method: 'GET',
  path: '/v0/reports/timeseries',
  fromReports: true,
  operationId: 'getReportTimeseries',
  tag: 'reports',
  needsSecret: true,
  needsClock: true,
  summary: 'Show figures by hours, days, weeks or months',
  description: 'Buckets follow the calendar of the zone: a day on which clocks are put forward has 23 hours.',
  query: TimeseriesQuery,
  exampleQuery: { ...MONTH, metrics: 'grossVolume,mrr', interval: 'day', timezone: 'Europe/Berlin' },
  data: TimeseriesData,
  handler: async ({ db, scope, query, ctx }) => {
    const { zone, home } = await findTerms(db, scope, query.timezone);
    const buckets = listBuckets(toWindow(query), query.interval, zone);
    if (buckets === null) throw invalidField('interval', 'makes more than 400 buckets of this window');
    const groupBy = query.groupBy ?? null;
    const metrics = [...new Set(query.metrics)];
    for (const metric of metrics) checkGrouped(metric, groupBy);
    const currency = query.currency ?? null;
    const books = await findBooks(db, scope);
    const series = await loadSeries(db, scope, { metrics, buckets, currency, home, groupBy, books });
    return {
      timezone: zone,
      series: series.map(({ metric, values, ...line }) => ({
        ...{ metric, unit: toUnit(metric), ...line },
        points: buckets.map(({ fromMs: from, toMs: to, isWhole }, index) => ({
          ...{ from, to },
          value: from > ctx.nowMs ? null : toFigure(values[index] ?? null),
          complete: isWhole && to <= ctx.nowMs,
        })),
      })),
    };
  },
});

const rows = read({
  method: 'GET',
  path: '/v0/reports/rows',
  operationId: 'listReportRows',
  tag: 'reports',
  needsSecret: true,
  summary: 'List the rows that a figure is the sum of, newest first',
  description:
    'Rows of a ratio name the part that they belong to, the numerator first. Rows of a level are what it stands for at the end of the window.',
  query: RowsQuery,
  exampleQuery: { ...MONTH, metric: 'grossVolume', currency: 'EUR' },
  data: RowsData,
  handler: async ({ db, scope, query }) => {
    const { metric, groupBy } = query;
    const window = toWindow(query);
    const currency = query.currency ?? (await getStore(db, scope)).currency;
    if (currency === null) throw invalidField('currency', 'must be given: the store has none of its own');
    checkGrouped(metric, groupBy ?? null);
    if (query.group !== undefined && !groupBy) throw invalidField('group', 'needs groupBy');
    const group = groupBy ? { by: groupBy, value: query.group ?? null } : null;
    const take = Math.min(query.take ?? TAKE_DEFAULT, TAKE_MAX);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const total = await loadTotal(db, scope, { metric, window, currency, group });
    const found = await listRows(db, { scope, ...window, currency, group }, { metric, take, after });
    const shown = found.slice(0, take);
    const last = shown.at(-1);
    const hasMore = found.length > take;
    return {
      ...{ metric, unit: toUnit(metric), currency, total: toFigure(total) },
      rows: shown.map(({ cursor: _cursor, amount, ...row }) => ({ ...row, amount: Number(amount) })),
      cursor: hasMore && last ? encodeCursor(last.cursor) : null,
      hasMore,
    };
  },
});

const checkouts = read({
  method: 'GET',
  path: '/v0/reports/checkouts',
  fromReports: true,
  operationId: 'getCheckoutReport',
  tag: 'reports',
  needsSecret: true,
  summary: 'Show what became of checkouts',
  description:
    'By the UTC day on which a page was first looked at, of all days that the window touches. A checkout is viewed ' +
    'when its page was in sight for a second, started at the first valid e-mail address. Nothing is stored in the browser for it.',
  query: CheckoutsQuery,
  exampleQuery: { ...MONTH, groupBy: 'frame' },
  data: CheckoutsData,
  handler: async ({ db, scope, query }) => {
    const { fromMs, toMs } = toWindow(query);
    const { groupBy = null, checkoutIds: elementIds = [], offersIds: offerIds = [] } = query;
    const [fromDay, toDay] = [Math.floor(fromMs / DAY_MS), Math.ceil(toMs / DAY_MS)];
    if (groupBy !== 'frame' && toDay - fromDay > CHECKOUT_DAYS_MAX)
      throw invalidField('to', `must lie within ${CHECKOUT_DAYS_MAX} days of from`);
    const counts = await listCheckoutCounts(db, scope, { fromDay, toDay, elementIds, offerIds });
    const { currency } = await getStore(db, scope);
    return { currency, rows: toCheckoutRows(counts, groupBy) };
  },
});

const definitions = read({
  method: 'GET',
  path: '/v0/reports/definitions',
  operationId: 'listReportDefinitions',
  tag: 'reports',
  needsSecret: true,
  summary: 'List how each figure is computed',
  data: DefinitionsData,
  handler: async () => ({ definitions: toDefinitions() }),
});

function toWindow({ from: fromMs, to: toMs }: { from: number; to: number }): Span {
  if (toMs <= fromMs) throw invalidField('to', 'must lie after from');
  return { fromMs, toMs };
}

function checkGrouped(metric: Metric, groupBy: 'type' | 'country' | null): void {
  if (groupBy !== null && !definitionOf(metric).isGrouped)
    throw invalidField('groupBy', `tells nothing of ${metric}`);
}

async function findTerms(
  db: Db,
  scope: Scope,
  asked: string | undefined,
): Promise<{ zone: string; home: string | null }> {
  if (asked !== undefined && !isTimeZone(asked))
    throw invalidField('timezone', 'must be an IANA time zone or an offset such as +02:00');
  const { settings, currency } = await getStore(db, scope);
  const own = settings.timezone;
  return { zone: asked ?? (typeof own === 'string' ? own : 'UTC'), home: currency };
}

function encodeCursor({ part, at, key }: RowsCursor): string {
  return Buffer.from(JSON.stringify([part, at, key])).toString('base64url');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function decodeCursor(text: string): RowsCursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && parsed.length === 3) {
      const [part, at, key] = parsed as unknown[];
      const isPlaced = Number.isSafeInteger(part) && Number.isSafeInteger(at);
      if (isPlaced && typeof key === 'string' && UUID.test(key))
        return { part: Number(part), at: Number(at), key };
    }
  } catch {
    // Not ours: answered like any other invalid value.
  }
  throw invalidField('cursor', 'is not a cursor of this list');
}

export const reportRoutes: Route[] = [overview, timeseries, rows, checkouts, definitions];

/** Tax as a seller has to know it: rates with their sources, what was taken, and what asks to be registered. */
import { invalidField } from '../domain/errors.ts';
import { toSettings } from '../domain/settings.ts';
import { listRates } from '../domain/tax/listed-rates.ts';
import { type Route, read } from '../http/route.ts';
import { encodeCursor, toPage } from '../resources/paging.ts';
import { sumBookedTax, sumDocumentTaxes, type TaxSum } from '../resources/tax/tax-summary.queries.ts';
import {
  ListTaxRates,
  TaxRatesData,
  TaxSummaryData,
  TaxThresholdsData,
  TaxWindow,
  toSummaryRow,
  toTableRate,
  toThreshold,
} from '../resources/tax/tax-tables.schema.ts';
import { loadThresholds } from '../resources/tax/thresholds.view.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/** The rows of the table have no ids: a cursor tells how many come before. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

const rates = read({
  method: 'GET',
  path: '/v0/tax/rates/list',
  operationId: 'listTaxRates',
  tag: 'tax',
  needsSecret: true,
  needsClock: true,
  summary: 'List the rates of tax that hold at a moment, with their sources and the store’s own beside them',
  query: ListTaxRates,
  data: TaxRatesData,
  handler: async ({ ctx, db, scope, query }) => {
    const { taxRateOverrides } = toSettings((await getStore(db, scope)).settings);
    const asked = {
      country: query.country ?? null,
      atMs: query.at ?? ctx.nowMs,
      overrides: taxRateOverrides,
    };
    const all = listRates(asked);
    const page = toPage(query);
    const place = page.before ?? page.after;
    const end = page.before ? Number(place?.value) : null;
    const start = end === null ? Number(place?.value ?? page.skip) : Math.max(end - page.take, 0);
    const next = end ?? start + page.take;
    const hasMore = next < all.length;
    return {
      rates: all.slice(start, next).map(toTableRate),
      count: all.length,
      cursor: hasMore ? encodeCursor({ value: next, id: NO_ID }) : null,
      previousCursor: start > 0 ? encodeCursor({ value: start, id: NO_ID, isBefore: true }) : null,
      hasMore,
    };
  },
});

const summary = read({
  method: 'GET',
  path: '/v0/tax/summary',
  operationId: 'getTaxSummary',
  tag: 'tax',
  needsSecret: true,
  summary: 'Sum up the tax that was taken in a window, by currency, country and rate',
  description:
    'By the documents of the window: credit notes take away what invoices added. The sum of `tax` is the figure `taxCollected`.',
  query: TaxWindow,
  exampleQuery: { from: '1767225600000', to: '1769904000000' },
  data: TaxSummaryData,
  handler: async ({ db, scope, query: { from: fromMs, to: toMs } }) => {
    if (toMs <= fromMs) throw invalidField('to', 'must lie after from');
    const told = await sumDocumentTaxes(db, scope, { fromMs, toMs });
    const booked = await sumBookedTax(db, scope, { fromMs, toMs });
    return { rows: [...told, ...listUntold(told, booked)].map(toSummaryRow) };
  },
});

/** What the books have and no document tells of stands in a row of its own, so that the sums agree. */
function listUntold(
  told: readonly TaxSum[],
  booked: ReadonlyArray<{ currency: string; tax: bigint }>,
): TaxSum[] {
  const currencies = new Set([...told, ...booked].map(({ currency }) => currency));
  const sumOf = (rows: ReadonlyArray<{ currency: string; tax: bigint }>, currency: string) =>
    rows.filter((row) => row.currency === currency).reduce((sum, { tax }) => sum + tax, 0n);
  return [...currencies].flatMap((currency) => {
    const tax = sumOf(booked, currency) - sumOf(told, currency);
    if (tax === 0n) return [];
    const nowhere = { country: null, region: null, name: null, percentage: null };
    return [{ currency, ...nowhere, taxable: 0n, tax, payments: 0 }];
  });
}

const thresholds = read({
  method: 'GET',
  path: '/v0/tax/thresholds',
  operationId: 'listTaxThresholds',
  tag: 'tax',
  needsSecret: true,
  needsClock: true,
  summary: 'List from how much on a seller must register somewhere, beside the sales that count',
  description:
    'Each with the day from which it holds and its source. Sales are those of the figures, net of tax and refunds; those ' +
    'to businesses are among them although some schemes leave them out, so that a seller hears too early rather than ' +
    'too late. Nothing is converted: what was sold in another currency stands beside the ratio and is not in it. The ' +
    'states of the US, whose thresholds are their own, are not among them.',
  data: TaxThresholdsData,
  handler: async ({ ctx, db, scope }) => {
    const { sellerCountry } = toSettings((await getStore(db, scope)).settings);
    const standing = await loadThresholds(db, scope, { nowMs: ctx.nowMs, sellerCountry });
    return { thresholds: standing.map(toThreshold) };
  },
});

export const taxTableRoutes: Route[] = [rates, summary, thresholds];

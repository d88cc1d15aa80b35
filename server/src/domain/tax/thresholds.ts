/**
 * From how much on a seller must register somewhere, by date. As rates are: closed and followed, never changed. A scheme
 * that knows no such amount, since it asks for tax from the first sale on, is not here.
 */
import { isEuMember } from './eu.ts';

/** Over which time sales are added up. */
export type ThresholdPeriod = 'calendar_year' | 'twelve_months';

/**
 * Whose sales count: those to the scheme's countries; of these only what leaves the seller's own country; or those to
 * everywhere.
 */
export type ThresholdSales = 'there' | 'cross_border' | 'everywhere';

export interface Threshold {
  scheme: string;
  name: string;
  /** ISO 3166-1 alpha-2, or `EU`. */
  country: string;
  currency: string;
  amountMinor: bigint;
  fromMs: number;
  toMs: number | null;
  period: ThresholdPeriod;
  sales: ThresholdSales;
  /** Who may stay below it; others owe the tax from the first sale on. */
  seller: 'anybody' | 'established';
  source: string;
}

type Scheme = Omit<Threshold, 'amountMinor' | 'fromMs' | 'toMs'>;

/** An amount in whole units from a date (YYYY-MM-DD) until the next step. */
type Step = readonly [from: string, units: bigint];

function throughTime(scheme: Scheme, steps: readonly Step[]): Threshold[] {
  return steps.map(([from, units], index) => {
    const next = steps[index + 1];
    return {
      ...scheme,
      amountMinor: units * 100n,
      fromMs: Date.parse(from),
      toMs: next === undefined ? null : Date.parse(next[0]),
    };
  });
}

export const THRESHOLDS: readonly Threshold[] = [
  ...throughTime(
    {
      ...{ scheme: 'eu_cross_border', name: 'EU, sales to consumers in other member states', country: 'EU' },
      ...{ currency: 'EUR', period: 'calendar_year', sales: 'cross_border', seller: 'established' },
      source: 'Directive 2006/112/EC, Article 59c (before July 2021 Article 58(2))',
    },
    [['2019-01-01', 10_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'gb_vat', name: 'United Kingdom, VAT registration', country: 'GB' },
      ...{ currency: 'GBP', period: 'twelve_months', sales: 'there', seller: 'established' },
      source:
        'Value Added Tax Act 1994, Schedule 1, paragraph 1; The VAT (Increase of Registration Limits) Order 2024',
    },
    [
      ['2017-04-01', 85_000n],
      ['2024-04-01', 90_000n],
    ],
  ),
  ...throughTime(
    {
      ...{ scheme: 'ch_vat', name: 'Switzerland and Liechtenstein, VAT', country: 'CH' },
      ...{ currency: 'CHF', period: 'calendar_year', sales: 'everywhere', seller: 'anybody' },
      source: 'Mehrwertsteuergesetz, Art. 10',
    },
    [['2018-01-01', 100_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'no_voec', name: 'Norway, VAT on electronic services', country: 'NO' },
      ...{ currency: 'NOK', period: 'twelve_months', sales: 'there', seller: 'anybody' },
      source: 'Merverdiavgiftsloven § 2-1',
    },
    [['2011-07-01', 50_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'au_gst', name: 'Australia, GST', country: 'AU' },
      ...{ currency: 'AUD', period: 'twelve_months', sales: 'there', seller: 'anybody' },
      source: 'A New Tax System (Goods and Services Tax) Act 1999, section 23-15',
    },
    [['2017-07-01', 75_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'nz_gst', name: 'New Zealand, GST on remote services', country: 'NZ' },
      ...{ currency: 'NZD', period: 'twelve_months', sales: 'there', seller: 'anybody' },
      source: 'Goods and Services Tax Act 1985, section 51',
    },
    [['2016-10-01', 60_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'ca_gst', name: 'Canada, GST/HST of the digital economy', country: 'CA' },
      ...{ currency: 'CAD', period: 'twelve_months', sales: 'there', seller: 'anybody' },
      source: 'Excise Tax Act, Part IX, Division II, Subdivision E',
    },
    [['2021-07-01', 30_000n]],
  ),
  ...throughTime(
    {
      ...{ scheme: 'sg_gst', name: 'Singapore, GST on remote services', country: 'SG' },
      ...{ currency: 'SGD', period: 'calendar_year', sales: 'there', seller: 'anybody' },
      source:
        'Goods and Services Tax Act 1993, Seventh Schedule (beside a turnover of 1,000,000 SGD everywhere)',
    },
    [['2020-01-01', 100_000n]],
  ),
];

/** What holds at a moment, of each scheme. */
export function findThresholds(atMs: number): Threshold[] {
  return THRESHOLDS.filter(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs));
}

/** Whether this seller may stay below it; null country = not told. */
export function isForSeller({ country, seller }: Threshold, sellerCountry: string | null): boolean {
  if (seller === 'anybody') return true;
  if (sellerCountry === null) return false;
  return country === 'EU' ? isEuMember(sellerCountry) : sellerCountry === country;
}

/** Whether a sale to a buyer of this country counts; null = of an unknown one. */
export function isCounted(
  { country, sales }: Threshold,
  { buyerCountry, sellerCountry }: { buyerCountry: string | null; sellerCountry: string | null },
): boolean {
  if (sales === 'everywhere') return true;
  if (buyerCountry === null) return false;
  const isThere =
    country === 'EU'
      ? isEuMember(buyerCountry)
      : buyerCountry === country || (country === 'CH' && buyerCountry === 'LI');
  return isThere && (sales === 'there' || buyerCountry !== sellerCountry);
}

/** The window of a scheme that ends now: from the first of the year (UTC), or the same day a year before. */
export function toThresholdStart(period: ThresholdPeriod, nowMs: number): number {
  const now = new Date(nowMs);
  if (period === 'calendar_year') return Date.UTC(now.getUTCFullYear(), 0, 1);
  return new Date(nowMs).setUTCFullYear(now.getUTCFullYear() - 1);
}

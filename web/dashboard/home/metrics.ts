import { numberOf, type Row, textOf } from '../api/objects.ts';
import type { Locale } from '../ui/locale.tsx';

export const METRICS_OF_HOME = ['grossVolume', 'netVolume', 'mrr', 'activeSubscriptions'] as const;

export interface MetricValue {
  metric: string;
  unit: string;
  currency: string | null;
  value: number | null;
  previous: number | null;
}

/** One value per currency: sums of different money are never added up. */
export function readMetrics(rows: readonly Row[]): Map<string, MetricValue[]> {
  const found = new Map<string, MetricValue[]>();
  for (const row of rows) {
    const metric = textOf(row, 'metric');
    const value: MetricValue = {
      metric,
      unit: textOf(row, 'unit'),
      currency: textOf(row, 'currency') || null,
      value: numberOf(row, 'value'),
      previous: numberOf(row, 'previous'),
    };
    found.set(metric, [...(found.get(metric) ?? []), value]);
  }
  return found;
}

export function writeMetric(
  value: number | null,
  of: { unit: string; currency: string | null },
  locale: Locale,
): string {
  if (value === null) return '–';
  if (of.currency && of.unit === 'minor') return locale.money(value, of.currency);
  if (of.unit === 'ratio') return locale.percentage(Math.round(value * 1e6) / 1e4);
  return locale.number(value);
}

/** Of these less is better; what is lost of the MRR is below nothing already. */
const BURDENS = new Set([
  'refunds',
  'fees',
  'accountFees',
  'failedPaymentRate',
  'refundRate',
  'disputeRate',
  'subscriberChurnRate',
  'mrrChurnRate',
]);

/** Whether a change of a figure is good news; `by` is how much it grew, below nothing if it shrank. */
export const toneOf = (metric: string, by: number): 'good' | 'bad' =>
  by < 0 === BURDENS.has(metric) ? 'good' : 'bad';

/** Ratios of sums of money; all others are of counts. */
const MONEY_RATIOS = new Set(['refundRate', 'mrrChurnRate']);

export interface AmountBehind {
  metric: string;
  unit: string;
  currency: string | null;
  part: string | null;
  amount: number;
}

/** What a row adds to a figure: money, or so many of what is counted. */
export function writeAmountBehind(of: AmountBehind, locale: Locale): string {
  const { metric, unit, currency, part, amount } = of;
  const isMoney =
    unit === 'minor'
      ? !(metric === 'averageOrderValue' && part === 'denominator')
      : unit === 'ratio' && MONEY_RATIOS.has(metric);
  return isMoney && currency ? locale.money(amount, currency) : locale.number(amount);
}

/** Of conversions the rows tell the numerator alone, and so does their total. */
export function writeTotal(
  of: { metric: string; unit: string; currency: string | null; total: number | null },
  locale: Locale,
): string {
  const unit = of.metric === 'checkoutConversion' ? 'count' : of.unit;
  return writeMetric(of.total, { ...of, unit }, locale);
}

/** By how much it grew, in whole percent; null over nothing. */
export function growth(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null;
  return Math.round(((value - previous) / Math.abs(previous)) * 100);
}

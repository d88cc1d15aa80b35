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

/** By how much it grew, in whole percent; null over nothing. */
export function growth(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null;
  return Math.round(((value - previous) / Math.abs(previous)) * 100);
}

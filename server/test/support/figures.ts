/** Figures of a store, asked for as the dashboard does. */
import { expect } from 'vitest';
import { METRIC_NAMES, type Metric } from '../../src/domain/figures/metrics.ts';
import type { TestStore } from './harness.ts';

type Query = Record<string, string>;

export interface ShownRow {
  object: string;
  id: string;
  number: string | null;
  amount: number;
  at: number;
  part: 'numerator' | 'denominator' | null;
}

/** Value of each metric in a window, in one currency. */
export async function overviewOf(store: TestStore, query: Query): Promise<Record<Metric, number | null>> {
  const { body, text } = await store.get('/v0/reports/overview', { query: { compare: 'none', ...query } });
  expect(body.data, text).toBeDefined();
  const metrics: Array<{ metric: Metric; value: number | null }> = body.data.metrics;
  expect(metrics.map(({ metric }) => metric)).toEqual(METRIC_NAMES);
  return Object.fromEntries(metrics.map(({ metric, value }) => [metric, value])) as Record<
    Metric,
    number | null
  >;
}

/** All rows behind a metric, page by page, with what the answer says that they come to. */
export async function rowsOf(
  store: TestStore,
  query: Query,
): Promise<{ rows: ShownRow[]; total: number | null }> {
  const rows: ShownRow[] = [];
  let cursor: string | null = null;
  for (;;) {
    const asked: Query = { take: '3', ...query, ...(cursor ? { cursor } : {}) };
    const { body, text } = await store.get('/v0/reports/rows', { query: asked });
    expect(body.data, text).toBeDefined();
    rows.push(...body.data.rows);
    cursor = body.data.cursor;
    if (cursor === null) return { rows, total: body.data.total };
  }
}

/** What rows come to: their sum, or the parts of a ratio over each other. */
export function sumRows(metric: Metric, rows: readonly ShownRow[]): number | null {
  const sum = (part: ShownRow['part']) =>
    rows.filter((row) => row.part === part).reduce((total, { amount }) => total + amount, 0);
  if (!rows.some(({ part }) => part !== null)) return sum(null);
  const under = sum('denominator');
  if (under === 0) return null;
  const ratio = sum('numerator') / under;
  return metric === 'averageOrderValue' ? Math.round(ratio) : Math.round(ratio * 1e6) / 1e6;
}

/** Every point is what its rows come to, and what the answer with the rows says. */
export async function expectRowsToAddUp(store: TestStore, query: Query): Promise<void> {
  const values = await overviewOf(store, query);
  for (const metric of METRIC_NAMES) {
    const { rows, total } = await rowsOf(store, { ...query, metric });
    if (metric === 'checkoutConversion') {
      // Its rows are those that bought; who only looked has left none.
      expect(total, metric).toBe(rows.length);
      continue;
    }
    expect(total, metric).toBe(values[metric]);
    if (rows.length > 0) expect(sumRows(metric, rows), metric).toBe(total);
    else expect(total ?? 0, metric).toBe(0);
    const keys = rows.map(({ id, at, part, amount }) => `${id} ${at} ${part} ${amount}`);
    expect(new Set(keys).size, metric).toBe(keys.length);
  }
}

import { expect, it } from 'vitest';
import { growth, readMetrics } from './metrics.ts';

it('keeps currencies apart', () => {
  const rows = [
    { metric: 'mrr', unit: 'money', currency: 'EUR', value: 1, previous: 2 },
    { metric: 'mrr', unit: 'money', currency: 'USD', value: 3, previous: null },
  ];
  expect(
    readMetrics(rows)
      .get('mrr')
      ?.map(({ currency, value }) => [currency, value]),
  ).toEqual([
    ['EUR', 1],
    ['USD', 3],
  ]);
});

it('grows by nothing where nothing was before', () => {
  expect([growth(15, 10), growth(5, 10), growth(5, 0), growth(null, 3), growth(-5, -10)]).toEqual([
    50,
    -50,
    null,
    null,
    50,
  ]);
});

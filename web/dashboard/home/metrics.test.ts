import { expect, it } from 'vitest';
import type { Locale } from '../ui/locale.tsx';
import { growth, readMetrics, toneOf, writeAmountBehind, writeTotal } from './metrics.ts';

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

const locale = {
  money: (amount: number, currency: string) => `${currency} ${amount}`,
  number: (value: number) => `${value}`,
  percentage: (value: number) => `${value} %`,
} as Locale;

it('D42 a row behind a figure is money only where the figure is of money', () => {
  const write = (metric: string, unit: string, part: string | null = null) =>
    writeAmountBehind({ metric, unit, currency: 'EUR', part, amount: 1 }, locale);
  expect(write('grossVolume', 'minor')).toBe('EUR 1');
  expect(write('activeSubscriptions', 'count')).toBe('1');
  expect(write('averageOrderValue', 'minor', 'numerator')).toBe('EUR 1');
  expect(write('averageOrderValue', 'minor', 'denominator')).toBe('1');
  expect(write('refundRate', 'ratio', 'denominator')).toBe('EUR 1');
  expect(write('failedPaymentRate', 'ratio', 'numerator')).toBe('1');
});

it('D42 the total is the point, and of conversions the numerator', () => {
  const write = (metric: string, unit: string, total: number | null) =>
    writeTotal({ metric, unit, currency: 'EUR', total }, locale);
  expect([write('orders', 'count', 7), write('refundRate', 'ratio', 0.5)]).toEqual(['7', '50 %']);
  expect([write('checkoutConversion', 'ratio', 3), write('mrr', 'minor', null)]).toEqual(['3', '–']);
});

it('takes a fall of what burdens the shop for good news', () => {
  expect([toneOf('netVolume', -0.1), toneOf('netVolume', 0.1)]).toEqual(['bad', 'good']);
  expect([toneOf('refunds', -1), toneOf('refundRate', 0.2)]).toEqual(['good', 'bad']);
});

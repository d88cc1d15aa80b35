import { expect, it } from 'vitest';
import { toSeries } from './numbering.ts';

it('begins a series with each year in UTC, prefix and mode', () => {
  const atMs = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
  expect(toSeries('INV', { testMode: false, atMs })).toBe('INV-2026');
  expect(toSeries('INV', { testMode: false, atMs: atMs + 1 })).toBe('INV-2027');
  expect(toSeries('CN', { testMode: true, atMs })).toBe('TEST-CN-2026');
});

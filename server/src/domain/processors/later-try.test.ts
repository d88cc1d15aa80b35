import { expect, it } from 'vitest';
import { findLaterTryMs } from './later-try.ts';

it('P36 what cannot be read is tried eight times in 32 hours', () => {
  const delays: number[] = [];
  for (let tries = 1; ; tries += 1) {
    const laterMs = findLaterTryMs(tries);
    if (laterMs === null) break;
    delays.push(laterMs);
  }
  expect(delays).toHaveLength(7);
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect(delays.reduce((sum, one) => sum + one, 0)).toBe(32 * 3_600_000);
});

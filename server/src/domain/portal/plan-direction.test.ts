import { expect, it } from 'vitest';
import { isUpgrade } from './plan-direction.ts';

const monthly = (priceMinor: bigint) => ({ priceMinor, interval: { unit: 'month' as const, count: 1 } });
const yearly = (priceMinor: bigint) => ({ priceMinor, interval: { unit: 'year' as const, count: 1 } });

it('goes up with the price of a day, whatever the interval', () => {
  expect(isUpgrade(monthly(1000n), monthly(1001n))).toBe(true);
  expect(isUpgrade(monthly(1000n), monthly(1000n))).toBe(false);
  expect(isUpgrade(monthly(1000n), yearly(10_000n))).toBe(false);
  expect(isUpgrade(yearly(10_000n), monthly(1000n))).toBe(true);
});

/** What of a subscription was used until a withdrawal, of what was paid for it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeUsed, type PaidPart } from './used.ts';

const DAY_MS = 86_400_000;
const days = (start: number, end: number) => ({ startMs: start * DAY_MS, endMs: end * DAY_MS });
const part = (fields: Partial<PaidPart>): PaidPart => ({
  ...{
    paymentId: 'p',
    leftMinor: 0n,
    sentBackMinor: 0n,
    paidBackMinor: 0n,
    period: null,
    intervalMinor: null,
  },
  ...fields,
});

describe('S30 what was used of a subscription whose interval was changed', () => {
  it('is the month until the change, and of the year what its whole price comes to from then on', () => {
    const month = part({ leftMinor: 3_570n, period: days(0, 28) });
    // 35,700 less the unused 23 days of the month.
    const year = part({ leftMinor: 32_768n, period: days(5, 370), intervalMinor: 35_700n });
    // 3,570 × 5/28 = 637.5, and 35,700 × 5/365 = 489.04.
    expect(computeUsed([year, month], 10 * DAY_MS)).toBe(1_127n);
  });

  it('counts no rest twice that was paid back, nor one that waits as a credit', () => {
    const month = part({ period: days(5, 35), intervalMinor: 3_000n });
    const paidBack = part({ leftMinor: 3_500n, paidBackMinor: 33_000n, period: days(0, 365) });
    // 36,500 × 5/365, and 3,000 × 6/30.
    expect(computeUsed([month, paidBack], 11 * DAY_MS)).toBe(1_100n);
    const waits = part({ leftMinor: 36_500n, period: days(0, 365) });
    expect(computeUsed([month, waits], 11 * DAY_MS)).toBe(1_100n);
  });

  it('sets nothing off where the new interval was paid in full, and never counts more than stands', () => {
    const first = part({ leftMinor: 3_000n, period: days(0, 30) });
    const full = part({ leftMinor: 7_000n, period: days(10, 17), intervalMinor: 7_000n });
    expect(computeUsed([full, first], 12 * DAY_MS)).toBe(3_000n);
    const givenBack = part({ leftMinor: 100n, paidBackMinor: 2_900n, period: days(0, 30) });
    expect(computeUsed([full, givenBack], 12 * DAY_MS)).toBe(2_100n);
  });

  it('is of the first interval alone as long as the change is still ahead', () => {
    const month = part({ leftMinor: 3_000n, period: days(0, 30) });
    const year = part({ leftMinor: 34_000n, period: days(20, 385), intervalMinor: 35_000n });
    expect(computeUsed([year, month], 10 * DAY_MS)).toBe(1_000n);
  });

  it('is at least 0, at most all that stands, and no less a day later', () => {
    const money = fc.bigInt({ min: 0n, max: 10n ** 9n });
    const lives = fc.record({
      first: money,
      paidBack: money,
      second: money,
      price: money,
      cut: fc.integer({ min: 1, max: 29 }),
      length: fc.integer({ min: 1, max: 366 }),
      day: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(lives, ({ first, paidBack, second, price, cut, length, day }) => {
        const paid = [
          part({ leftMinor: second, period: days(cut, cut + length), intervalMinor: price }),
          part({ leftMinor: first, paidBackMinor: paidBack, period: days(0, 30) }),
        ];
        const used = computeUsed(paid, day * DAY_MS);
        expect(used >= 0n && used <= first + second).toBe(true);
        if (day > cut) expect(computeUsed(paid, (day + 1) * DAY_MS) >= used).toBe(true);
      }),
    );
  });
});

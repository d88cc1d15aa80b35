import { describe, expect, it } from 'vitest';
import { planUnusedRefunds } from './unused.ts';

const period = { startMs: 0, endMs: 300, nowMs: 100, stepMinor: 1n };

describe('planUnusedRefunds', () => {
  it('gives back the share of the time that is left, rounded half away from zero', () => {
    expect(planUnusedRefunds([{ paymentId: 'a', leftMinor: 1000n }], period)).toEqual([
      { paymentId: 'a', amountMinor: 667n },
    ]);
  });

  it('gives back whole steps alone', () => {
    const paid = [{ paymentId: 'a', leftMinor: 100_000n }];
    expect(planUnusedRefunds(paid, { ...period, stepMinor: 100n })).toEqual([
      { paymentId: 'a', amountMinor: 66_600n },
    ]);
    expect(planUnusedRefunds(paid, { ...period, nowMs: 299, stepMinor: 100_000n })).toEqual([]);
  });

  it('takes it from the newest payment first', () => {
    const paid = [
      { paymentId: 'newest', leftMinor: 500n },
      { paymentId: 'older', leftMinor: 1000n },
    ];
    expect(planUnusedRefunds(paid, period)).toEqual([
      { paymentId: 'newest', amountMinor: 500n },
      { paymentId: 'older', amountMinor: 500n },
    ]);
  });

  it('gives everything back at the start and nothing at the end', () => {
    const paid = [{ paymentId: 'a', leftMinor: 1000n }];
    expect(planUnusedRefunds(paid, { ...period, nowMs: 0 })).toEqual([
      { paymentId: 'a', amountMinor: 1000n },
    ]);
    expect(planUnusedRefunds(paid, { ...period, nowMs: 300 })).toEqual([]);
  });

  it('gives nothing back of what was refunded or cost nothing', () => {
    expect(planUnusedRefunds([{ paymentId: 'a', leftMinor: 0n }], period)).toEqual([]);
    expect(planUnusedRefunds([], period)).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_DELAYS_MS, nextAttemptDelayMs } from './retry-schedule.ts';

describe('nextAttemptDelayMs', () => {
  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and tries 10 times in all', () => {
    const delaysS = Array.from(
      { length: 9 },
      (_, sequence) => (nextAttemptDelayMs(sequence, 0.5) ?? 0) / 1000,
    );
    expect(delaysS).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(nextAttemptDelayMs(9, 0.5)).toBeNull();
    expect(ATTEMPT_DELAYS_MS).toHaveLength(10);
    expect(ATTEMPT_DELAYS_MS[0]).toBe(0);
  });

  it('spreads each wait over the whole of ±20 % and no further', () => {
    expect(nextAttemptDelayMs(0, 0)).toBe(4000);
    expect(nextAttemptDelayMs(0, 1)).toBe(6000);
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), unit, (sequence, randomUnit) => {
        const delayMs = nextAttemptDelayMs(sequence, randomUnit) ?? Number.NaN;
        const plainMs = ATTEMPT_DELAYS_MS[sequence + 1] ?? Number.NaN;
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(Math.abs(delayMs - plainMs)).toBeLessThanOrEqual(plainMs * 0.2);
      }),
    );
  });
});

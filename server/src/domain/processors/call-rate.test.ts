import { describe, expect, it } from 'vitest';
import { type CallTimes, findRate, findWaitMs, noteCall, readCallRates, slowDown } from './call-rate.ts';

describe('PROCESSOR_RATE', () => {
  it('is two figures, or one for both, and 0 is no limit', () => {
    expect(readCallRates('80/20')).toEqual({ all: 80, endpoint: 20 });
    expect(readCallRates('50')).toEqual({ all: 50, endpoint: 50 });
    expect(readCallRates('0')).toEqual({ all: null, endpoint: null });
    expect(readCallRates('80/0')).toEqual({ all: 80, endpoint: null });
    expect(readCallRates('0/20')).toEqual({ all: null, endpoint: 20 });
    for (const wrong of ['', '-1', '80/', '1.5', '80/20/5', '1000001'])
      expect(readCallRates(wrong)).toBeNull();
  });
});

/** When so many calls are made, each as soon as it may be. */
function listTimes(perSecond: number, count: number): number[] {
  const times: CallTimes = [];
  const made: number[] = [];
  let nowMs = 0;
  for (let n = 0; n < count; n += 1) {
    nowMs += findWaitMs(times, perSecond, nowMs);
    noteCall(times, perSecond, nowMs);
    made.push(nowMs);
  }
  return made;
}

describe('a rate', () => {
  it.each([20, 6.67, 5, 0.5])('of %f calls a second is passed in no second', (perSecond) => {
    const made = listTimes(perSecond, 60);
    for (const from of made) {
      const within = made.filter((atMs) => atMs >= from && atMs < from + 1000).length;
      expect(within).toBeLessThanOrEqual(Math.max(1, Math.floor(perSecond)));
    }
    const overS = ((made.at(-1) ?? 0) - (made[0] ?? 0)) / 1000;
    expect(overS).toBeLessThanOrEqual(60 / Math.min(perSecond, Math.floor(perSecond) || perSecond));
  });

  it('is halved for ten seconds where it was too much, and comes back by one a second', () => {
    const slowed = slowDown(null, 20, 1_000);
    expect(findRate(slowed, 20, 1_000)).toBe(10);
    expect(findRate(slowed, 20, 11_000)).toBe(10);
    expect(findRate(slowed, 20, 14_000)).toBe(13);
    expect(findRate(slowed, 20, 60_000)).toBe(20);
    expect(slowDown(slowed, 20, 14_000).perSecond).toBe(6.5);
    expect(slowDown({ sinceMs: 0, perSecond: 0.5 }, 20, 1).perSecond).toBe(0.5);
  });
});

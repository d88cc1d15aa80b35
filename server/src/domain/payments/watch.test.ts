import { describe, expect, it } from 'vitest';
import { computeNextLookMs, computeNextWatchMs } from './watch.ts';

const MINUTE_MS = 60_000;

describe('computeNextLookMs', () => {
  it('asks after a minute, five minutes, an hour, then daily', () => {
    const delays = [0, 1, 2, 3, 4, 50].map((looks) => computeNextLookMs(0, looks, null));
    expect(delays).toEqual([1, 5, 60, 1440, 1440, 1440].map((minutes) => minutes * MINUTE_MS));
  });

  it('follows the processor’s hint when it is earlier and lies ahead', () => {
    expect(computeNextLookMs(1000, 2, 5000)).toBe(5000);
    expect(computeNextLookMs(1000, 0, 1000 + 2 * MINUTE_MS)).toBe(1000 + MINUTE_MS);
    expect(computeNextLookMs(1000, 0, 1000)).toBe(1000 + MINUTE_MS);
    expect(computeNextLookMs(1000, 0, 999)).toBe(1000 + MINUTE_MS);
  });
});

describe('computeNextWatchMs', () => {
  it('is the lapse of the holds while they are held, else the end of the order', () => {
    expect(computeNextWatchMs({ holds: 'held', holdsUntil: 30, expiresAt: 90 })).toBe(30);
    expect(computeNextWatchMs({ holds: 'held', holdsUntil: 95, expiresAt: 90 })).toBe(90);
    expect(computeNextWatchMs({ holds: 'lapsed', holdsUntil: 30, expiresAt: 90 })).toBe(90);
    expect(computeNextWatchMs({ holds: 'held', holdsUntil: 30, expiresAt: null })).toBe(30);
    expect(computeNextWatchMs({ holds: 'none', holdsUntil: null, expiresAt: null })).toBeNull();
  });
});

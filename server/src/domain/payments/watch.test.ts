import { describe, expect, it } from 'vitest';
import {
  computeBuyerLookMs,
  computeNextLookMs,
  computeNextWatchMs,
  computeSilentLookMs,
  FIRST_LOOK_MS,
} from './watch.ts';

const MINUTE_MS = 60_000;

describe('a charge that is not decided', () => {
  it('is looked at after 10 s, a minute, five minutes, an hour, then every six hours', () => {
    const delays = [0, 1, 2, 3, 4, 50].map((looks) => computeNextLookMs(0, looks, null));
    expect(delays).toEqual([10_000, ...[1, 5, 60, 360, 360].map((minutes) => minutes * MINUTE_MS)]);
    expect(delays[0]).toBe(FIRST_LOOK_MS);
  });

  it('is looked at when the processor says so, if that is earlier and lies ahead', () => {
    expect(computeNextLookMs(1000, 2, 5000)).toBe(5000);
    expect(computeNextLookMs(1000, 0, 1000 + 2 * MINUTE_MS)).toBe(11_000);
    expect(computeNextLookMs(1000, 0, 1000)).toBe(11_000);
    expect(computeNextLookMs(1000, 0, 999)).toBe(11_000);
  });

  it('is looked at after 2 and 10 minutes and an hour while it waits for its buyer, and at the end', () => {
    const endMs = 1440 * MINUTE_MS;
    const delays = [0, 1, 2, 3, 50].map((looks) => computeBuyerLookMs(0, looks, endMs));
    expect(delays).toEqual([2, 10, 60, 1440, 1440].map((minutes) => minutes * MINUTE_MS));
    expect(computeBuyerLookMs(0, 1, 5 * MINUTE_MS)).toBe(5 * MINUTE_MS);
  });

  it('is asked for again after a minute when there was no answer, doubling to an hour', () => {
    const delays = [0, 1, 2, 5, 6, 7, 5000].map((silent) => computeSilentLookMs(0, silent));
    expect(delays).toEqual([1, 2, 4, 32, 60, 60, 60].map((minutes) => minutes * MINUTE_MS));
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

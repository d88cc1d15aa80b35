import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, isDayAtLeast, toDate, toDays } from './utc-days.ts';

describe('UTC days', () => {
  it('of spans that follow each other share none and leave none out', () => {
    const moment = fc.integer({ min: 0, max: 400 * DAY_MS });
    fc.assert(
      fc.property(moment, moment, moment, (x, y, z) => {
        const [a = 0, b = 0, c = 0] = [x, y, z].sort((one, other) => one - other);
        const first = toDays({ fromMs: a, toMs: b });
        const second = toDays({ fromMs: b, toMs: c });
        expect(first.toDay).toBe(second.fromDay);
        expect(toDays({ fromMs: a, toMs: c })).toEqual({ fromDay: first.fromDay, toDay: second.toDay });
      }),
    );
  });

  it('tells a day from an hour, and a day of 23 hours from none', () => {
    expect(isDayAtLeast({ fromMs: 0, toMs: 23 * 3_600_000 })).toBe(true);
    expect(isDayAtLeast({ fromMs: 0, toMs: 3_600_000 })).toBe(false);
    expect(toDate(20_543)).toBe('2026-03-31');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryMs, type Interval, periodContaining, trialEndMs } from './period.ts';

const DAY_MS = 86_400_000;
const day = (date: string): number => Date.parse(`${date}T09:30:15.250Z`);
const dates = (anchor: string, interval: Interval, indexes: number[]): string[] =>
  indexes.map((n) => new Date(boundaryMs(day(anchor), interval, n)).toISOString().slice(0, 10));

const monthly: Interval = { unit: 'month', count: 1 };
const yearly: Interval = { unit: 'year', count: 1 };

/** The same calendar in plain arithmetic: whole days, and months counted from year 0. */
function oracleMs(anchorMs: number, interval: Interval, n: number): number {
  const amount = interval.count * n;
  if (interval.unit === 'day') return anchorMs + amount * DAY_MS;
  if (interval.unit === 'week') return anchorMs + amount * 7 * DAY_MS;
  const anchor = new Date(anchorMs);
  const months =
    anchor.getUTCFullYear() * 12 + anchor.getUTCMonth() + (interval.unit === 'year' ? 12 * amount : amount);
  const year = Math.floor(months / 12);
  const month = months - year * 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDayMs = ((anchorMs % DAY_MS) + DAY_MS) % DAY_MS;
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + timeOfDayMs;
}

const anyAnchor = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) });
const anyInterval: fc.Arbitrary<Interval> = fc.record({
  unit: fc.constantFrom('day', 'week', 'month', 'year'),
  count: fc.integer({ min: 1, max: 13 }),
});

describe('boundaryMs', () => {
  it('bills an anchor of the 31st on the last day of shorter months, and on the 31st again', () => {
    expect(dates('2023-01-31', monthly, [0, 1, 2, 3, 4])).toEqual([
      '2023-01-31',
      '2023-02-28',
      '2023-03-31',
      '2023-04-30',
      '2023-05-31',
    ]);
    expect(dates('2024-01-31', monthly, [1, 2])).toEqual(['2024-02-29', '2024-03-31']);
  });

  it('keeps an anchor of 31 March 2021 for years', () => {
    expect(dates('2021-03-31', monthly, [23, 25, 35])).toEqual(['2023-02-28', '2023-04-30', '2024-02-29']);
  });

  it('bills quarterly from 30 November for five years without drift', () => {
    expect(dates('2019-11-30', { unit: 'month', count: 3 }, [1, 2, 5, 9, 13, 17, 20])).toEqual([
      '2020-02-29',
      '2020-05-30',
      '2021-02-28',
      '2022-02-28',
      '2023-02-28',
      '2024-02-29',
      '2024-11-30',
    ]);
  });

  it('bills yearly from 29 February on the 28th, and on the 29th of leap years', () => {
    expect(dates('2020-02-29', yearly, [1, 2, 3, 4, 5])).toEqual([
      '2021-02-28',
      '2022-02-28',
      '2023-02-28',
      '2024-02-29',
      '2025-02-28',
    ]);
  });

  it('never moves a yearly anchor of 28 February to the 29th', () => {
    expect(dates('2019-02-28', yearly, [1, 5])).toEqual(['2020-02-28', '2024-02-28']);
  });

  it('keeps the time of day across the days on which clocks are changed', () => {
    const anchorMs = Date.parse('2024-03-09T07:30:00Z');
    expect(new Date(boundaryMs(anchorMs, { unit: 'day', count: 1 }, 1)).toISOString()).toBe(
      '2024-03-10T07:30:00.000Z',
    );
  });

  it('agrees with plain calendar arithmetic', () => {
    fc.assert(
      fc.property(anyAnchor, anyInterval, fc.integer({ min: -30, max: 130 }), (anchorMs, interval, n) => {
        expect(boundaryMs(anchorMs, interval, n)).toBe(oracleMs(anchorMs, interval, n));
      }),
    );
  });

  it('agrees with it through ten years, for 150 anchors around the ends of months', () => {
    const intervals: Interval[] = [
      { unit: 'day', count: 1 },
      { unit: 'week', count: 1 },
      { unit: 'month', count: 1 },
      { unit: 'year', count: 1 },
    ];
    const boundariesOfTenYears = { day: 3653, week: 522, month: 120, year: 10 };
    // Days and weeks have no ends to fall over: a part of theirs will do.
    const steps = { day: 29, week: 5, month: 1, year: 1 };
    // The last five days of 30 months, two leap years among them, each at another time of day.
    const anchors = Array.from({ length: 150 }, (_, index) => {
      const nextMonthMs = Date.UTC(2023, 1 + Math.floor(index / 5), 1);
      return nextMonthMs - (1 + (index % 5)) * DAY_MS + index * 575_999;
    });
    for (const interval of intervals) {
      const counts = Array.from(
        { length: Math.floor(boundariesOfTenYears[interval.unit] / steps[interval.unit]) + 1 },
        (_, n) => n * steps[interval.unit],
      );
      for (const anchorMs of anchors) {
        const given = counts.map((n) => boundaryMs(anchorMs, interval, n));
        expect(given).toEqual(counts.map((n) => oracleMs(anchorMs, interval, n)));
      }
    }
  }, 180_000);

  it('crashes on an interval of no length', () => {
    expect(() => boundaryMs(0, { unit: 'day', count: 0 }, 1)).toThrow('at least 1');
  });
});

describe('periodContaining', () => {
  it('starts a period at its boundary and ends it one millisecond before the next', () => {
    const anchorMs = day('2023-01-31');
    const endMs = day('2023-02-28');
    expect(periodContaining(anchorMs, monthly, anchorMs)).toEqual({ index: 0, startMs: anchorMs, endMs });
    expect(periodContaining(anchorMs, monthly, endMs - 1).index).toBe(0);
    expect(periodContaining(anchorMs, monthly, endMs).index).toBe(1);
    expect(periodContaining(anchorMs, monthly, anchorMs - 1).index).toBe(-1);
  });

  it('finds the one period between two boundaries that holds the moment', () => {
    const anyMoment = fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(anyAnchor, anyInterval, anyMoment, (anchorMs, interval, atMs) => {
        const { index, startMs, endMs } = periodContaining(anchorMs, interval, atMs);
        expect(startMs).toBe(oracleMs(anchorMs, interval, index));
        expect(endMs).toBe(oracleMs(anchorMs, interval, index + 1));
        expect(startMs <= atMs && atMs < endMs).toBe(true);
      }),
    );
  });

  it('finds the period that begins at any boundary', () => {
    fc.assert(
      fc.property(anyAnchor, anyInterval, fc.integer({ min: -30, max: 130 }), (anchorMs, interval, n) => {
        expect(periodContaining(anchorMs, interval, boundaryMs(anchorMs, interval, n)).index).toBe(n);
      }),
    );
  });
});

describe('trialEndMs', () => {
  it('is one trial interval after the start', () => {
    expect(trialEndMs(day('2024-01-31'), { unit: 'month', count: 1 })).toBe(day('2024-02-29'));
    expect(trialEndMs(day('2024-01-31'), { unit: 'day', count: 14 })).toBe(day('2024-02-14'));
  });
});

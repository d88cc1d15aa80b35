import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BucketInterval,
  coverBuckets,
  DAY_MS,
  listBuckets,
  listKept,
  QUARTER_MS,
  toCompared,
} from './buckets.ts';

const HOUR_MS = 3_600_000;
const utc = (text: string) => Date.parse(`${text}Z`);

function lengthsOf(from: string, to: string, interval: BucketInterval, zone: string) {
  const buckets = listBuckets({ fromMs: utc(from), toMs: utc(to) }, interval, zone) ?? [];
  return buckets.map(({ fromMs, toMs, isWhole }) => [(toMs - fromMs) / HOUR_MS, isWhole]);
}

describe('D43 buckets', () => {
  it.each([
    ['a day in spring', '2026-03-28T23:00', '2026-03-29T22:00', 'Europe/Berlin', 23],
    ['a day in autumn', '2026-10-24T22:00', '2026-10-25T23:00', 'Europe/Berlin', 25],
    [
      'a day where clocks are put by half an hour',
      '2026-10-03T13:30',
      '2026-10-04T13:00',
      'Australia/Lord_Howe',
      23.5,
    ],
    ['a day that begins at a quarter past', '2026-01-01T18:15', '2026-01-02T18:15', 'Asia/Kathmandu', 24],
    [
      'a day that begins at one, since midnight is left out',
      '2018-11-04T03:00',
      '2018-11-05T02:00',
      'America/Sao_Paulo',
      23,
    ],
  ])('are as long as it is: %s', (_what, from, to, zone, hours) => {
    expect(lengthsOf(from, to, 'day', zone)).toEqual([[hours, true]]);
    expect(lengthsOf(from, to, 'hour', zone).reduce((sum, [length]) => sum + Number(length), 0)).toBe(hours);
  });

  it('begin weeks on Monday and months on the first, and say what the window has cut', () => {
    // 2026-01-01 is a Thursday.
    const weeks = lengthsOf('2026-01-01T00:00', '2026-01-20T12:00', 'week', 'UTC');
    expect(weeks).toEqual([
      [96, false],
      [168, true],
      [168, true],
      [36, false],
    ]);
    const months = lengthsOf('2026-01-01T00:00', '2026-04-01T00:00', 'month', 'UTC');
    expect(months).toEqual([
      [31 * 24, true],
      [28 * 24, true],
      [31 * 24, true],
    ]);
  });

  it('follow each other without gap or overlap in every zone', () => {
    for (const zone of [
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/St_Johns',
      '+05:45',
    ]) {
      for (const interval of ['hour', 'day', 'week', 'month'] as const) {
        const span = { fromMs: utc('2026-03-25T05:07'), toMs: utc('2026-04-08T21:13') };
        const buckets = listBuckets(span, interval, zone) ?? [];
        expect(buckets[0]?.fromMs).toBe(span.fromMs);
        expect(buckets.at(-1)?.toMs).toBe(span.toMs);
        for (const [index, { fromMs, toMs }] of buckets.entries()) {
          expect(toMs).toBeGreaterThan(fromMs);
          if (index > 0) expect(fromMs).toBe(buckets[index - 1]?.toMs);
        }
      }
    }
  });

  it('are 400 at most', () => {
    const fromMs = utc('2026-01-01T00:00');
    expect(listBuckets({ fromMs, toMs: fromMs + 400 * HOUR_MS }, 'hour', 'UTC')).toHaveLength(400);
    expect(listBuckets({ fromMs, toMs: fromMs + 401 * HOUR_MS }, 'hour', 'UTC')).toBeNull();
  });
});

describe('a window is compared', () => {
  const compare = (from: string, to: string, comparison: 'previous' | 'year', zone = 'UTC') => {
    const span = toCompared({ fromMs: utc(from), toMs: utc(to) }, comparison, zone);
    return span && [new Date(span.fromMs), new Date(span.toMs)].map((at) => at.toISOString().slice(0, 16));
  };

  it.each([
    ['a month with the month before', '2026-03-01T00:00', '2026-04-01T00:00', 'UTC', '2026-02-01T00:00'],
    ['a quarter with the quarter before', '2026-04-01T00:00', '2026-07-01T00:00', 'UTC', '2026-01-01T00:00'],
    ['ten days with the ten before', '2026-03-11T00:00', '2026-03-21T00:00', 'UTC', '2026-03-01T00:00'],
    [
      'a month of the zone with its month before',
      '2026-03-31T22:00',
      '2026-04-30T22:00',
      'Europe/Berlin',
      '2026-02-28T23:00',
    ],
    [
      'a day after clocks were put forward',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
      'Europe/Berlin',
      '2026-03-28T23:00',
    ],
    [
      'what is no whole days with as many ms',
      '2026-03-01T12:00',
      '2026-03-01T18:00',
      'UTC',
      '2026-03-01T06:00',
    ],
  ])('%s', (_what, from, to, zone, expected) => {
    expect(compare(from, to, 'previous', zone)).toEqual([expected, from]);
  });

  it('with the year before, and with nothing', () => {
    expect(compare('2026-03-01T00:00', '2026-04-01T00:00', 'year')).toEqual([
      '2025-03-01T00:00',
      '2025-04-01T00:00',
    ]);
    expect(toCompared({ fromMs: 0, toMs: 1 }, 'none', 'UTC')).toBeNull();
  });
});

describe('what is summed up', () => {
  const at = (quarters: number) => quarters * QUARTER_MS;

  it('covers the whole quarter hours of the past, and rows the rest', () => {
    expect(coverBuckets([at(1), at(5), at(9)], at(7))).toEqual({
      kept: { fromMs: at(1), toMs: at(7) },
      live: [{ fromMs: at(7), toMs: at(9) }],
    });
    expect(coverBuckets([at(1) + 5, at(9) + 5], at(20))).toEqual({
      kept: { fromMs: at(2), toMs: at(9) },
      live: [
        { fromMs: at(1) + 5, toMs: at(2) },
        { fromMs: at(9), toMs: at(9) + 5 },
      ],
    });
  });

  it('covers nothing where nothing is closed, or a bound splits a quarter hour', () => {
    expect(coverBuckets([at(1), at(2)], 0).kept).toBeNull();
    expect(coverBuckets([at(1), at(2) + 1, at(3)], at(9)).kept).toBeNull();
  });

  it('is read by whole days of UTC, and by quarter hours where a bucket begins or ends within one', () => {
    expect(listKept([at(90), at(300), at(310)], { fromMs: at(95), toMs: at(305) })).toEqual({
      days: [{ bucket: 0, fromMs: at(96), toMs: at(288) }],
      quarters: [
        { bucket: 0, fromMs: at(95), toMs: at(96) },
        { bucket: 0, fromMs: at(288), toMs: at(300) },
        { bucket: 1, fromMs: at(300), toMs: at(305) },
      ],
    });
  });

  it('is read once, and each quarter hour for the bucket that it lies in', () => {
    const quarters = fc.integer({ min: 0, max: 1_000 });
    const asked = fc.record({
      bounds: fc.uniqueArray(quarters, { minLength: 2, maxLength: 12 }),
      closedUntil: fc.integer({ min: 0, max: 1_100 }),
    });
    fc.assert(
      fc.property(asked, ({ bounds, closedUntil }) => {
        const edges = bounds.sort((a, b) => a - b).map(at);
        const { kept, live } = coverBuckets(edges, at(closedUntil));
        const { days, quarters } = kept ? listKept(edges, kept) : { days: [], quarters: [] };
        for (const { fromMs, toMs } of days) expect([fromMs % DAY_MS, toMs % DAY_MS]).toEqual([0, 0]);
        const bucketOf = (ms: number) => edges.filter((edge) => edge <= ms).length - 1;
        const read = [...days, ...quarters].flatMap(({ bucket, fromMs, toMs }) => {
          const moments = Array.from(
            { length: (toMs - fromMs) / QUARTER_MS },
            (_, n) => fromMs + n * QUARTER_MS,
          );
          for (const moment of moments) expect(bucketOf(moment)).toBe(bucket);
          return moments;
        });
        const lived = live.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / QUARTER_MS, 0);
        expect(new Set(read).size).toBe(read.length);
        expect(read.length + lived).toBe(((edges.at(-1) ?? 0) - (edges[0] ?? 0)) / QUARTER_MS);
      }),
    );
  });
});

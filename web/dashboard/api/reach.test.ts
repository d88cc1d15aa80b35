import { expect, it } from 'vitest';
import { delayOf, isAway } from './reach.ts';

it('tells a service that is away from one that refuses', () => {
  const answers = [
    { status: 0, code: 'no_answer' },
    { status: 503, code: 'unavailable' },
    { status: 503, code: 'store_busy' },
    { status: 502, code: 'no_answer' },
    { status: 503, code: 'store_held' },
    { status: 503, code: 'processor_unreachable' },
    { status: 500, code: 'internal_error' },
    { status: 429, code: 'rate_limited' },
  ];
  expect(answers.map(isAway)).toEqual([true, true, true, true, false, false, false, false]);
});

it('asks again after longer each time, or when the service says', () => {
  expect([0, 1, 2, 3, 9].map((failures) => delayOf(failures, null))).toEqual([
    500, 1_000, 2_000, 4_000, 4_000,
  ]);
  expect([delayOf(3, 1), delayOf(0, 60)]).toEqual([1_000, 4_000]);
});

import { describe, expect, it } from 'vitest';
import { toRetryAfterMs } from './retry-after.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

describe('toRetryAfterMs', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no wait', '0', 0],
    ['a date', 'Thu, 01 Jan 2026 12:02:00 GMT', 120_000],
    ['a date that is over', 'Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['more than a day', '999999', DAY_MS],
    ['a number beyond all bounds', '9'.repeat(400), DAY_MS],
    ['nothing', undefined, null],
    ['an empty value', '', null],
    ['a word', 'soon', null],
  ])('reads %s', (_name, header, expected) => {
    expect(toRetryAfterMs(header, NOW_MS)).toBe(expected);
  });
});

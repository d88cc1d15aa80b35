import { describe, expect, it } from 'vitest';
import { computeLastDayMs, findDueWarning, findNextWarning } from './card-expiry.ts';

const card = { year: 2028, month: 2 };
const at = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe('P29 the warnings of a card', () => {
  it('are counted from its last day, which is that of its month', () => {
    expect(computeLastDayMs(card)).toBe(at('2028-02-29'));
    expect(computeLastDayMs({ year: 2027, month: 12 })).toBe(at('2027-12-31'));
  });

  it('come 30 and 7 days before, one after the other', () => {
    const first = { atMs: at('2028-01-30'), daysBefore: 30 };
    const second = { atMs: at('2028-02-22'), daysBefore: 7 };
    expect(findNextWarning(card, at('2027-06-01'))).toEqual(first);
    expect(findNextWarning(card, first.atMs)).toEqual(second);
    expect(findNextWarning(card, second.atMs)).toBeNull();
  });

  it('are due from their moment on, until the card is over', () => {
    expect(findDueWarning(card, at('2028-01-29'))).toBeNull();
    expect(findDueWarning(card, at('2028-01-30'))?.daysBefore).toBe(30);
    expect(findDueWarning(card, at('2028-02-25'))?.daysBefore).toBe(7);
    expect(findDueWarning(card, at('2028-03-01'))).toBeNull();
  });
});

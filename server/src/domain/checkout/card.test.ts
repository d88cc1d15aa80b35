import { describe, expect, it } from 'vitest';
import { checkCard } from './card.ts';

const NOW_MS = Date.UTC(2026, 5, 15);
const good = { number: '4242 4242 4242 4242', expiry: '12/35', cvc: '123', name: null };

function pathsOf(fields: Partial<typeof good>): string[] {
  return checkCard({ ...good, ...fields }, NOW_MS).map(({ path }) => path);
}

describe('checkCard', () => {
  it('takes a card however it is spaced', () => {
    for (const number of ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242']) {
      expect(pathsOf({ number })).toEqual([]);
    }
    for (const expiry of ['12/35', '1235', '12 / 35', '12/2035']) expect(pathsOf({ expiry })).toEqual([]);
  });

  it('holds a card good through the last day of its month', () => {
    expect(pathsOf({ expiry: '06/26' })).toEqual([]);
    expect(pathsOf({ expiry: '05/26' })).toEqual(['card.expiry']);
  });

  it('names each field that is wrong', () => {
    expect(pathsOf({ number: '4242424242424241', expiry: '13/35', cvc: '12' })).toEqual([
      'card.number',
      'card.expiry',
      'card.cvc',
    ]);
  });

  it('asks four digits of American Express and three of others', () => {
    const amex = '378282246310005';
    expect(pathsOf({ number: amex, cvc: '1234' })).toEqual([]);
    expect(pathsOf({ number: amex, cvc: '123' })).toEqual(['card.cvc']);
    expect(pathsOf({ cvc: '1234' })).toEqual(['card.cvc']);
  });

  it('shows nothing of the number in its messages', () => {
    const issues = checkCard({ ...good, number: '4242424242424241' }, NOW_MS);
    expect(JSON.stringify(issues)).not.toContain('4242');
  });
});

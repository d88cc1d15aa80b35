import { expect, it } from 'vitest';
import { fillText } from './texts.ts';

it.each([
  ['1', '1 day is left'],
  [1, '1 day is left'],
  [0, '0 days are left'],
  ['1,001', '1,001 days are left'],
  [21, '21 days are left'],
])('counts %s by the word that stands beside it', (days, told) => {
  expect(fillText('{days} {days?day is|days are} left', { days })).toBe(told);
});

it('chooses before it fills in, so that a name with braces stays as it is', () => {
  expect(fillText('{name}: {count?one|many}', { name: '{count?a|b}', count: 1 })).toBe('{count?a|b}: one');
});

import { expect, it } from 'vitest';
import { closeTurns } from './close-turns.ts';
import { fillText } from './mails/texts.ts';

it.each([
  ['Chess', 'Chess'],
  ['\u202eChess', '\u202eChess\u202c'],
  ['\u2067Ch\u202aess', '\u2067Ch\u202aess\u202c\u2069'],
  ['\u2067Ch\u202aess\u2069!', '\u2067Ch\u202aess\u202c\u2069!'],
  ['\u202aChess\u202c', '\u202aChess\u202c'],
  ['Chess\u2069\u202c', 'Chess'],
  ['\u200fשחמט\u200f', '\u200fשחמט\u200f'],
])('%j goes into a sentence as %j', (typed, closed) => {
  expect(closeTurns(typed)).toBe(closed);
});

it('a date and an amount behind a product’s name are read as they are written', () => {
  const values = { product: 'Che\u202ess', seller: '\u2067Nebula', date: 'May 1', amount: '$19.00' };
  const text = fillText('en', 'trial_ending.text', values);
  expect(text).toContain('Che\u202ess\u202c at \u2067Nebula\u2069 ends on May 1. Then $19.00');
});

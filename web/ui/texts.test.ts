import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillText } from './texts.ts';

const FOLDER = new URL('texts/', import.meta.url);
const PORTAL = new URL('../portal/texts/', import.meta.url);
/** What the buyer meets whom the shop, its processor or the amount keeps from paying, or whose try came to nothing. */
const CODES = [
  ...['sold_out', 'method_not_offered', 'payment_token_invalid', 'card_declined', 'store_held'],
  ...['workspace_suspended', 'workspace_archived', 'amount_below_minimum', 'amount_not_chargeable'],
];

describe('S48 what refuses a payment', () => {
  it.each(readdirSync(FOLDER))(
    'has words of its own in %s, also where what was typed pays nothing',
    (file) => {
      const texts = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, string>;
      for (const code of CODES) {
        expect([code, texts[`error.${code}`]]).toEqual([code, expect.stringMatching(/\S/)]);
      }
    },
  );
});

it.each(readdirSync(PORTAL))('S15 says in %s that the downloads are used up', (file) => {
  const texts = JSON.parse(readFileSync(new URL(file, PORTAL), 'utf8')) as Record<string, string>;
  expect(texts['error.download_limit_reached']).toMatch(/\S/);
});

describe('fillText', () => {
  it('fills every place, and leaves one without a value visible', () => {
    expect(fillText('{a} and {a}, {b}', { a: 1 })).toBe('1 and 1, {b}');
  });

  it('lets no name turn the order of the words behind it', () => {
    expect(fillText('{name} costs {price}', { name: '\u2067Che\u202ess', price: '$19.00' })).toBe(
      'Chess costs $19.00',
    );
    // Names that are read from the right need no such letters.
    expect(fillText('{name}', { name: 'שחמט\u200f!' })).toBe('שחמט\u200f!');
  });
});

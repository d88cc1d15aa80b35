import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillText } from './texts.ts';

const FOLDER = new URL('texts/', import.meta.url);

describe('S48 what refuses a payment', () => {
  it.each(readdirSync(FOLDER))(
    'has words of its own in %s, also where what was typed pays nothing',
    (file) => {
      const texts = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, string>;
      for (const code of ['sold_out', 'method_not_offered', 'payment_token_invalid', 'card_declined']) {
        expect([code, texts[`error.${code}`]]).toEqual([code, expect.stringMatching(/\S/)]);
      }
    },
  );
});

describe('fillText', () => {
  it('fills every place, and leaves one without a value visible', () => {
    expect(fillText('{a} and {a}, {b}', { a: 1 })).toBe('1 and 1, {b}');
  });
});

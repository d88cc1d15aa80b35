import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { keepLetter } from './kept-letter.ts';
import { MAIL_KINDS } from './kinds.ts';
import { packLetter, unpackLetter } from './packed-letter.ts';
import { sampleOf } from './values.testing.ts';
import { writeLetter } from './write-mail.ts';

/** Packed on the day on which letters were packed first: what is kept opens for ever. */
const FIRST = {
  letter:
    '{"subject":"Grüße 🎮","title":"Receipt","preview":"","blocks":[{"kind":"text","text":"€ 9,99 – danke!"}]}',
  packed: '1.Q07x7kWH9xyen6rwYX7fOqTUHwQp0kjNBI+a1ihY6lhaKjxqmKyQkpiXnaqoVBtbCwA=',
};

describe('a packed letter', () => {
  it('opens to what it was, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 4_000 }), (text) => {
        const letter = JSON.stringify({ subject: text, blocks: [{ kind: 'text', text }] });
        expect(unpackLetter(packLetter(letter))).toBe(letter);
      }),
    );
  });

  it('opens as it did on its first day', () => {
    expect(unpackLetter(FIRST.packed)).toBe(FIRST.letter);
  });

  it('is told from one that was written before', () => {
    expect(unpackLetter(FIRST.letter)).toBe(FIRST.letter);
  });

  it.each(LANGUAGES)('takes less than two thirds of its room in %s', (language) => {
    const letters = MAIL_KINDS.map((kind) => keepLetter(writeLetter(sampleOf(kind, language))));
    const bytes = (texts: string[]) => Buffer.byteLength(texts.join(''));
    expect(bytes(letters.map(packLetter)) / bytes(letters)).toBeLessThan(2 / 3);
  });
});

import { describe, expect, it } from 'vitest';
import { firstCharacters, isLongerThan, lastCharacters } from './characters.ts';

const EMOJI = '\u{1f600}';

describe('isLongerThan', () => {
  it.each([
    ['abcd', 4, false],
    ['abcde', 4, true],
    [EMOJI.repeat(4), 4, false],
    [EMOJI.repeat(5), 4, true],
    ['', 0, false],
  ])('%s than %i: %s', (text, max, isLonger) => {
    expect(isLongerThan(text, max)).toBe(isLonger);
  });
});

describe('lastCharacters and firstCharacters', () => {
  it.each([
    ['abcdef', 4, 'cdef', 'abcd'],
    [`abc${EMOJI}bcd`, 4, `${EMOJI}bcd`, `abc${EMOJI}`],
    [EMOJI.repeat(6), 4, EMOJI.repeat(4), EMOJI.repeat(4)],
    [`${EMOJI}a${EMOJI}bc`, 4, `a${EMOJI}bc`, `${EMOJI}a${EMOJI}b`],
    ['ab', 4, 'ab', 'ab'],
    ['', 4, '', ''],
  ])('of %s, %i: %s and %s, none of them halved', (text, count, last, first) => {
    expect(lastCharacters(text, count)).toBe(last);
    expect(firstCharacters(text, count)).toBe(first);
  });
});

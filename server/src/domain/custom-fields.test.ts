import { describe, expect, it } from 'vitest';
import { type CustomFieldTerms, checkCustomFields, checkPattern, matchesPattern } from './custom-fields.ts';

function text(key: string, terms: Partial<CustomFieldTerms> = {}): CustomFieldTerms {
  return { key, label: 'Nickname', type: 'text', required: true, options: [], pattern: null, ...terms };
}

/** A pattern that goes back over what it has read would take years: a busy machine tells nothing here. */
const NOT_FOR_EVER_MS = 20_000;

describe('checkPattern', () => {
  it.each(['[a-z]+', '^\\d{4}-\\d{2}$', '(red|blue)', '\\p{L}+', '(?i)yes'])('takes %s', (pattern) => {
    expect(() => checkPattern(pattern)).not.toThrow();
  });

  it.each(['(', '[z-a]', 'a**', '(?=a)b', '(a)\\1', 'a{5000}', '.{1000}.{1000}.{1000}', 'a'.repeat(201)])(
    'refuses %s',
    (pattern) => {
      expect(() => checkPattern(pattern)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    },
  );

  it('counts whole characters, of which an emoji is one', () => {
    expect(() => checkPattern('\u{1f600}'.repeat(200))).not.toThrow();
    expect(() => checkPattern('\u{1f600}'.repeat(201))).toThrow('pattern must have at most 200 characters');
  });

  it('Y17 refuses a pattern that would take long, and runs one that was stored before', () => {
    expect(() => checkPattern('[a-z]{200}')).not.toThrow();
    expect(() => checkPattern('[a-z]{600}')).toThrow('pattern repeats too much');
    expect(matchesPattern('[a-z]{600}', 'a'.repeat(600))).toBe(true);
  });
});

describe('matchesPattern', () => {
  it('asks the whole value to match', () => {
    expect(matchesPattern('[a-z]+', 'abc')).toBe(true);
    expect(matchesPattern('[a-z]+', 'abc1')).toBe(false);
    expect(matchesPattern('a|ab', 'ab')).toBe(true);
  });

  it('stays quick on a pattern and value that hold a backtracking engine for ever', () => {
    const startedMs = performance.now();
    expect(matchesPattern('(a+)+$', `${'a'.repeat(499)}!`)).toBe(false);
    expect(matchesPattern('(.*a){20}', 'a'.repeat(499).concat('!'))).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(NOT_FOR_EVER_MS);
  });
});

describe('checkCustomFields', () => {
  it('finds nothing wrong with values that fit', () => {
    const size = text('size', { type: 'dropdown', options: ['S', 'L'] });
    const note = text('note', { required: false });
    expect(
      checkCustomFields([text('nick', { pattern: '\\w+' }), size, note], { nick: 'Ada', size: 'L' }),
    ).toEqual([]);
  });

  it.each([
    ['a required value that is missing', text('nick'), {}, 'Nickname is required'],
    ['a required value of blanks', text('nick'), { nick: '  ' }, 'Nickname is required'],
    ['a required value that nobody sees', text('nick'), { nick: '\u200b' }, 'Nickname is required'],
    [
      'a value that nobody sees and that is no choice',
      text('nick', { type: 'dropdown', options: ['S'], required: false }),
      { nick: '\u200b' },
      'Nickname must be one of the choices',
    ],
    [
      'a value off the pattern',
      text('nick', { pattern: '\\d+' }),
      { nick: 'x' },
      'Nickname does not have the expected form',
    ],
    [
      'a value above 500 characters',
      text('nick'),
      { nick: 'x'.repeat(501) },
      'Nickname must have at most 500 characters',
    ],
    [
      'a choice that is not offered',
      text('nick', { type: 'dropdown', options: ['S'] }),
      { nick: 'M' },
      'Nickname must be one of the choices',
    ],
  ])('names %s', (_case, definition, values, message) => {
    expect(checkCustomFields([definition], values)).toEqual([{ path: 'customFields.nick', message }]);
  });

  it('names a value that nobody asked for', () => {
    expect(checkCustomFields([], { other: 'x' })).toEqual([
      { path: 'customFields.other', message: 'is not a known field' },
    ]);
  });

  it('does not take a property of every object for a value', () => {
    expect(checkCustomFields([text('constructor')], {})).toHaveLength(1);
  });
});

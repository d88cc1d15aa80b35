import { describe, expect, it } from 'vitest';
import { findWanted } from './wanted-language.ts';

describe('findWanted', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['*', undefined],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['sv-SE,sv;q=0.9,de;q=0.7,en;q=0.5', 'de'],
    ['de;q=0.2, en-GB;q=0.7', 'en'],
    ['de;q=0,ja', 'ja'],
    ['pt-PT', 'pt-BR'],
    ['DE', 'de'],
    ['constructor;q=x;;,,', undefined],
  ])('reads %j as %s', (acceptLanguage, language) => {
    expect(findWanted({ acceptLanguage })).toBe(language);
  });

  it('takes what is asked for before what is known, and that before the browser', () => {
    expect(findWanted({ asked: 'fr', known: 'de', acceptLanguage: 'en' })).toBe('fr');
    expect(findWanted({ asked: 'xx', known: 'de', acceptLanguage: 'en' })).toBe('de');
  });

  it('passes over what is not among them', () => {
    expect(findWanted({ acceptLanguage: 'fr, de;q=0.5' }, ['en', 'de'])).toBe('de');
  });
});

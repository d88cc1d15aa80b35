import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, PAGE_LANGUAGES } from './language.ts';

describe('chooseLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-FR,fr;q=0.9,de;q=0.7,en;q=0.5', 'de'],
    ['de;q=0.2, en-GB;q=0.7', 'en'],
    ['de;q=0,ja', 'en'],
    ['DE', 'de'],
    ['constructor;q=x;;,,', 'en'],
  ])('reads %j as %s', (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });

  it('knows every language that the pages have texts for', () => {
    const folder = new URL('../../../web/ui/texts/', import.meta.url);
    const files = readdirSync(folder).map((file) => file.replace('.json', ''));
    expect([...PAGE_LANGUAGES].sort()).toEqual(files.sort());
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillText } from './texts.ts';

const folder = new URL('./texts/', import.meta.url);
const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const english = read('en.json');
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(readdirSync(folder))('the texts of %s', (file) => {
  it('has every English key and no other', () => {
    expect(Object.keys(read(file)).sort()).toEqual(Object.keys(english).sort());
  });

  it('keeps the places to fill', () => {
    for (const [key, text] of Object.entries(read(file))) {
      expect([key, places(text)]).toEqual([key, places(english[key] ?? '')]);
    }
  });
});

describe('fillText', () => {
  it('fills every place, and leaves one without a value visible', () => {
    expect(fillText('{a} and {a}, {b}', { a: 1 })).toBe('1 and 1, {b}');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The words before a workspace, those of its screens, and those of a room alone. */
const FOLDERS = ['./texts/', './app/texts/', './imports/texts/', './payments/texts/'];
const read = (folder: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${folder}${file}`, import.meta.url), 'utf8'));
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(FOLDERS)('the German texts of %s', (folder) => {
  it('are complete, and keep the places to fill', () => {
    const [english, german] = [read(folder, 'en.json'), read(folder, 'de.json')];
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(german)) {
      expect([key, places(text)]).toEqual([key, places(english[key] ?? '')]);
    }
  });
});

it('has no word twice', () => {
  const names = FOLDERS.flatMap((folder) => Object.keys(read(folder, 'en.json')));
  expect(names.length).toBe(new Set(names).size);
});

/** Every file of the dashboard that could name a text. */
function listSources(at: URL): string[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const url = new URL(entry.isDirectory() ? `${entry.name}/` : entry.name, at);
    if (entry.isDirectory()) return entry.name === 'texts' ? [] : listSources(url);
    return /\.tsx?$/.test(entry.name) ? [readFileSync(url, 'utf8')] : [];
  });
}

describe.each(FOLDERS)('the texts of %s', (folder) => {
  it('are all used by name or by what their name begins with', () => {
    const sources = listSources(new URL('./', import.meta.url)).join('\n');
    const unused = Object.keys(read(folder, 'en.json')).filter((key) => {
      const prefix = key.slice(0, key.lastIndexOf('.') + 1);
      return (
        !sources.includes(`'${key}'`) && !(prefix && new RegExp(`['"\`]${prefix}(['"]|\\$)`).test(sources))
      );
    });
    expect(unused).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The words before a workspace, those of its frame and Home, of its other screens, and of a room alone. */
const FOLDERS = [
  '',
  'app/',
  'work/',
  'audit/',
  'exports/',
  'home/',
  'imports/',
  'payments/',
  'refusals/',
].map((room) => `./${room}texts/`);
const read = (folder: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${folder}${file}`, import.meta.url), 'utf8'));
/** A word that is chosen by a count asks for that count, too; German has some that are one word for all counts. */
const listPlaces = (text: string) => [...new Set(text.match(/\{\w+(?=[?}])/g) ?? [])].sort();
/** An amount is filled in as money, which says its currency. */
const places = (text: string) => {
  const all = listPlaces(text);
  return all.includes('{amount') ? all.filter((place) => place !== '{currency') : all;
};

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

/** The texts that these files name, whole or by what their name begins with. */
function listNamed(sources: Iterable<string>, keys: readonly string[]): string[] {
  const names = new Set(
    [...sources]
      .flatMap((source) => source.match(/(['"])[\w.-]+\1|`[\w.-]+\$/g) ?? [])
      .map((name) => name.slice(1, -1)),
  );
  return keys.filter((key) => names.has(key) || names.has(key.slice(0, key.lastIndexOf('.') + 1)));
}

describe.each(FOLDERS)('the texts of %s', (folder) => {
  it('are all used by name or by what their name begins with', () => {
    const keys = Object.keys(read(folder, 'en.json'));
    expect(listNamed(listSources(new URL('./', import.meta.url)), keys)).toEqual(keys);
  });
});

const IMPORTED = /^(?:import|export) (?!type )[^;]*?'(\.[^']+\.tsx?)';$/gms;
const LATER = /\blater\(\(\) => import\('(\.[^']+)'\)\)/g;

/** The files that are drawn while only the words of the frame are there: their imports, and what comes by `later`. */
function listDrawnFirst(from: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const open = from.map((path) => new URL(path, import.meta.url));
  for (let url = open.pop(); url; url = open.pop()) {
    if (found.has(url.href)) continue;
    const source = readFileSync(url, 'utf8');
    found.set(url.href, source);
    for (const [, path = ''] of [...source.matchAll(IMPORTED), ...source.matchAll(LATER)]) {
      open.push(new URL(path, url));
    }
  }
  return found;
}

it('D48 the frame and Home do without the words of the other screens', () => {
  const drawn = listDrawnFirst(['./dashboard.tsx', './app/workspace.tsx', './home/home.tsx']);
  expect([...drawn.keys()].some((path) => path.endsWith('/search/key-list.tsx'))).toBe(true);
  expect(listNamed(drawn.values(), Object.keys(read('./work/texts/', 'en.json')))).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { showRows } from '../src/show.ts';
import { widthOf } from '../src/width.ts';

function toTable(names: readonly string[]): string[] {
  const lines: string[] = [];
  const io = { out: (line: string) => lines.push(line), err: () => {}, isTable: true };
  // Of what a program has of a terminal, tables take the way out alone.
  showRows(io as unknown as Parameters<typeof showRows>[0], {
    rows: names.map((name) => ({ name, status: 'PAID' })),
    columns: ['name', 'status'],
    isJson: false,
  });
  return lines;
}

it('the columns of a table stand one below the other, whatever the script of a name', () => {
  const names = [
    'Chess',
    'とても長い日本語の製品名',
    '한국어',
    'ｆｕｌｌ',
    'Émilie 👩‍👩‍👧',
    '🇯🇵 flag',
    '❤️',
    'e\u0301',
    'a\u200bb',
  ];
  const lines = toTable(names);
  const starts = new Set(lines.map((line) => widthOf(line.replace(/(?:STATUS|PAID)$/, ''))));
  expect([...starts]).toEqual([26]);
  expect(lines[1]).toBe(`Chess${' '.repeat(21)}PAID`);
  expect(lines[3]).toBe(`한국어${' '.repeat(20)}PAID`);
});

it('a long cell is cut between characters, by its width', () => {
  const [, wide = '', picture = ''] = toTable(['長'.repeat(30), `${'a'.repeat(38)}👩‍👩‍👧b`]);
  expect(wide).toMatch(/^長{19}… +PAID$/);
  expect(picture).toMatch(/^a{38}… +PAID$/);
});

it('a name turns no line round', () => {
  expect(toTable(['ab\u202egnp.exe\u2066']).join('\n')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

it('every moment of a table is told as one, and what is only called so stays', async () => {
  const lines: string[] = [];
  const io = { out: (line: string) => lines.push(line), err: () => {}, isTable: true };
  const show = (columns: string[], rows: Array<Record<string, unknown>>) =>
    showRows(io as unknown as Parameters<typeof showRows>[0], { rows, columns, isJson: false });
  const described = JSON.parse(
    await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as Described;
  const shown = Object.values(described.paths)
    .flatMap((path) => Object.values(path))
    .flatMap((one) => (one['x-sdk'] ? one['x-sdk'].columns : []));
  const moments = Object.values(described.components.schemas)
    .flatMap(({ properties }) => Object.entries(properties ?? {}))
    .filter(([, { description }]) => description?.endsWith('(Unix ms).'))
    .map(([name]) => name);
  const columns = [...new Set(moments)].filter((name) => shown.includes(name));
  expect(columns).toEqual(expect.arrayContaining(['createdAt', 'currentIntervalEnd', 'at', 'to']));
  show(columns, [Object.fromEntries(columns.map((name) => [name, Date.UTC(2026, 10, 29)]))]);
  expect(lines.at(-1)?.split(/ +/)).toEqual(columns.map(() => '2026-11-29T00:00:00Z'));
  show(['to', 'attempts'], [{ to: 'ada@example.com', attempts: 3 }]);
  expect(lines.at(-1)).toBe('ada@example.com  3');
});

interface Described {
  paths: Record<string, Record<string, { 'x-sdk'?: { columns: string[] } | false }>>;
  components: { schemas: Record<string, { properties?: Record<string, { description?: string }> }> };
}

/** What a field's pattern wants is said in words, and in German at the fields of the German dashboard. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toIssues } from '../../src/resources/input-issues.schema.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, ROOT), 'utf8'));

/** What no person types: names at a processor and in a converter's file, and what our own pages send. */
const OF_PROGRAMS = [
  '^cus_',
  '^pm_',
  '^[a-z0-9_-]{1,40}$',
  '^[a-z0-9_]{1,50}$',
  '^\\d{4}$',
  '^/[A-Za-z0-9/_-]{0,200}$',
  '^[\\w.-]{1,100}$',
];

const patterns = new Set<string>();
function collect(one: unknown): void {
  if (typeof one !== 'object' || one === null) return;
  for (const [name, value] of Object.entries(one)) {
    if (name === 'pattern' && typeof value === 'string') patterns.add(value);
    else collect(value);
  }
}
const { paths, components } = read('docs/openapi.json');
collect([paths, components.schemas]);
const typed = [...patterns].filter((pattern) => !OF_PROGRAMS.some((start) => pattern.startsWith(start)));
const english = new Set<unknown>(Object.values(read('web/dashboard/refusals/texts/en.json')));

test('the description has patterns', () => {
  expect(typed.length).toBeGreaterThan(10);
});

test.each(typed)('%s is said in words that the dashboard knows', (pattern) => {
  const message = `must match pattern "${pattern}"`;
  const [issue] = toIssues([{ instancePath: '/field', keyword: 'pattern', message, params: { pattern } }]);
  expect(issue?.message).not.toContain('pattern');
  expect(english).toContain(issue?.message);
});

/** Those that are checked; the others only say what a field is for. */
const formats = [...JSON.stringify([paths, components.schemas]).matchAll(/"format":"([a-z-]+)"/g)]
  .map(([, format]) => format)
  .filter((format) => format !== 'binary' && format !== 'password');

test.each([...new Set(formats)])('the format %s is said in words that the dashboard knows', (format) => {
  const message = `must match format "${format}"`;
  const [issue] = toIssues([{ instancePath: '/field', keyword: 'format', message, params: { format } }]);
  expect(issue?.message).not.toContain('format');
  expect(english).toContain(issue?.message);
});

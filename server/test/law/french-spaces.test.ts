/** French sets a space before its double marks, at which no line breaks: else a line begins with a colon. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles, ROOT } from '../../../scripts/source-files.ts';

const files = listFiles('.', /(?:^|\/)texts\/fr\.json$/);

test('there are French texts of mails, documents and pages', () => {
  expect(files.length).toBeGreaterThan(6);
});

test.each(files)('S48 no line breaks before a mark in %s', (file) => {
  const texts = Object.entries(JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')) as Record<string, string>);
  const broken = texts.filter(([, text]) => /[^\u202f?!][?!;»]|[^\u202f]:(?!\/\/)|«[^\u202f]/.test(text));
  expect(broken).toEqual([]);
});

/**
 * What is filled into a text may begin with a vowel: a product "Abo", or the 8th and the 11th in Italian. A word that would
 * have to be cut before it stands before none of them.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles, ROOT } from '../../../scripts/source-files.ts';

/** Places of money are none: what an amount begins with is never cut before. */
const CUT: Record<string, RegExp> = {
  it: /(?:^|[\s(])(?:il|al|dal|del|nel|sul) \{|\b(?:il|al|dal|del)$/i,
  fr: /(?:^|[\s(])(?:de|que|le|la) \{(?!date\}|amount\}|before\}|count\}|length\})/i,
};

const files = listFiles('.', /(?:^|\/)texts\/(?:it|fr)\.json$/);

test('there are Italian and French texts of mails, documents and pages', () => {
  expect(files.length).toBeGreaterThan(12);
});

test.each(files)('S48 no word before a place has to be cut in %s', (file) => {
  const cut = CUT[file.slice(-'it.json'.length, -'.json'.length)] as RegExp;
  const texts = Object.entries(JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')) as Record<string, string>);
  expect(texts.filter(([, text]) => cut.test(text))).toEqual([]);
});

test('German mails say a day in words with its article: “bis zum 1. April”', () => {
  for (const file of ['de.json', 'team/de.json']) {
    const texts = readFileSync(`${ROOT}/server/src/domain/mails/texts/${file}`, 'utf8');
    expect(texts.match(/\b(?:bis|vor|nach|seit) \{date\}/g)).toBeNull();
  }
});

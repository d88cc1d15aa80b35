import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sayIssue } from './issues.ts';

const read = (language: string) =>
  JSON.parse(readFileSync(new URL(`./texts/${language}.json`, import.meta.url), 'utf8'));
const german = { english: read('en'), words: read('de') };

it.each([
  ['is required', 'Bitte ausfüllen.'],
  ['must NOT have more than 100 characters', 'Höchstens 100 Zeichen.'],
  ['must NOT have fewer than 1 characters', 'Bitte ausfüllen.'],
  ['must be >= 1', 'Mindestens 1.'],
  ['must be one of ACTIVE, DRAFT', 'Möglich ist: ACTIVE, DRAFT.'],
  ['must match pattern "^[a-z]{2,}$"', 'Das hat nicht die verlangte Form.'],
  ['must be EUR', 'Das muss EUR sein.'],
  ['must be at most 100 percent', 'Höchstens 100 Prozent.'],
  ['must be a network such as 203.0.113.0/24, not "here"', '„here“ ist kein Netz wie 203.0.113.0/24.'],
  ['is said by nobody else', 'is said by nobody else'],
])('says "%s" in German', (message, said) => {
  expect(sayIssue(message, german)).toBe(said);
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sayIssue } from './refusals.ts';

const german = JSON.parse(readFileSync(new URL('./texts/de.json', import.meta.url), 'utf8'));

it.each([
  ['is required', 'Bitte ausfüllen.'],
  ['must NOT have more than 100 characters', 'Höchstens 100 Zeichen.'],
  ['must be >= 1', 'Mindestens 1.'],
  ['must be one of ACTIVE, DRAFT', 'Möglich ist: ACTIVE, DRAFT.'],
  ['is said by nobody else', 'is said by nobody else'],
])('says "%s" in German', (message, said) => {
  expect(sayIssue(message, german)).toBe(said);
});

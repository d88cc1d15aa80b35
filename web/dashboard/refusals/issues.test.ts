import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { namesMoney, sayIssue } from './issues.ts';

const read = (language: string) =>
  JSON.parse(readFileSync(new URL(`./texts/${language}.json`, import.meta.url), 'utf8'));
const german = { english: read('en'), words: read('de'), language: 'de' };

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

it.each([
  [
    'must be what the payment asks for in EUR: 199900',
    'Das muss der Betrag sein, den die Zahlung verlangt: 1.999,00\u00a0€.',
    'must be what the payment asks for in EUR: €1,999.00',
  ],
  [
    'is below the least that can be charged in JPY: 50',
    'Das ist weniger als der kleinste Betrag, der sich abbuchen lässt: 50\u00a0¥.',
    'is below the least that can be charged in JPY: ¥50',
  ],
])('writes the amount of "%s" as money', (message, inGerman, inEnglish) => {
  expect(sayIssue(message, german)).toBe(inGerman);
  expect(sayIssue(message, { english: read('en'), words: read('en'), language: 'en' })).toBe(inEnglish);
  expect(namesMoney(message)).toBe(true);
});

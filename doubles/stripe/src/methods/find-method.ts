import { BANKS } from './banks.ts';
import { CARDS, toBrand } from './cards.ts';
import type { TestMethod } from './test-method.ts';

const ALL: readonly TestMethod[] = [...CARDS, ...BANKS];
const BY_NAME = new Map(ALL.map((method) => [method.name, method]));

export function findByName(name: string): TestMethod | undefined {
  return BY_NAME.get(name);
}

/** A number that no table has is an ordinary one. */
export function findByNumber(type: TestMethod['type'], typed: string): TestMethod {
  const number = typed.replace(/[\s-]/g, '').toUpperCase();
  const known = ALL.find((method) => method.type === type && method.number === number);
  if (known) return known;
  const country = type === 'sepa_debit' ? number.slice(0, 2) : type === 'bacs_debit' ? 'GB' : 'US';
  return { name: number, number, type, brand: toBrand(number), country, funding: 'credit', afterMs: 1_000 };
}

export function passesLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

export function passesIban(iban: string): boolean {
  const turned = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  if (!/^\d{10,40}$/.test(turned)) return false;
  return [...turned].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** How card details are written while they are typed. Whether they are right is the server's to say. */
export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';

export interface CardValues {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

export const EMPTY_CARD: CardValues = { number: '', expiry: '', cvc: '', name: '' };

const BRAND_PREFIXES: Array<[CardBrand, RegExp]> = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^(30[0-5]|36|38|39)/],
  ['jcb', /^35/],
  ['unionpay', /^62/],
];
const NUMBER_DIGITS_MAX = 19;

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The brand that the first digits belong to, as soon as they tell. */
export function findCardBrand(number: string): CardBrand | null {
  const digits = digitsOf(number);
  return BRAND_PREFIXES.find(([, prefix]) => prefix.test(digits))?.[0] ?? null;
}

/** Groups the digits as they are printed on the card: 4-6-5 for amex, 4-6-4 for diners, else fours. */
export function formatCardNumber(text: string): string {
  const digits = digitsOf(text).slice(0, NUMBER_DIGITS_MAX);
  const brand = findCardBrand(digits);
  const sizes = brand === 'amex' || (brand === 'diners' && digits.length <= 14) ? [4, 6, 5] : [4, 4, 4, 4, 3];
  const groups: string[] = [];
  let start = 0;
  for (const size of sizes) {
    if (start < digits.length) groups.push(digits.slice(start, start + size));
    start += size;
  }
  if (start < digits.length) groups.push(digits.slice(start));
  return groups.join(' ');
}

/** Only whole: while it is typed, `2035` has become `02/03` long before its month comes. */
const YEAR_FIRST = /^20(\d\d)\W(0\d|1[0-2])$/;

/**
 * Writes `MM/YY` out of what is typed, pasted or filled in by the browser: `1235`, `12/35`, `1/35`, `12 / 2035`; and
 * out of `2035-12`, as a password manager writes it. The slash comes with the first digit of the year, so that it can
 * be deleted again.
 */
export function formatExpiry(given: string): string {
  const text = given.replace(YEAR_FIRST, '$2/$1');
  const isShortMonth = /^\s*\d\s*\//.test(text) || /^\D*[2-9]/.test(text);
  const digits = (isShortMonth ? '0' : '') + digitsOf(text);
  const month = digits.slice(0, 2);
  const year = digits.slice(2);
  if (year === '') return month.length === 2 && text.includes('/') ? `${month}/` : month;
  const isLongYear = year.length >= 4 && year.startsWith('20');
  if (isLongYear) return `${month}/${year.slice(2, 4)}`;
  return `${month}/${year.slice(0, year.startsWith('20') ? 3 : 2)}`;
}

/** Where the caret belongs after formatting: behind as many digits as it stood behind before. */
export function findCaret(formatted: string, digitsBefore: number): number {
  if (digitsBefore === 0) return 0;
  let seen = 0;
  for (const [index, character] of [...formatted].entries()) {
    if (/\d/.test(character)) seen += 1;
    if (seen === digitsBefore) return index + 1;
  }
  return formatted.length;
}

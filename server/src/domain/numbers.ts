/**
 * The numbers people read: of an order, of its payments and of the subscription it began.
 */
import { assert } from './assert.ts';

/** Digits and capitals without I, L, O and U, which are misread or spell words: 32 of them, 5 bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const NUMBER_LENGTH = 12;
/** A `#` that was percent-encoded once too often (`%23`) is taken as well. */
const SIGN = '(#|%23)';
const NUMBER = '([0-9A-Za-z]{12,32}|[0-9]+)(-[0-9]+)?';
const ID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const SIGN_AT_START = new RegExp(`^${SIGN}`);
const BARE_NUMBER = new RegExp(`^${NUMBER}$`);

/** An id in the one spelling that the store knows. */
export const WHOLE_ID = new RegExp(`^${ID}$`);
/** What names an order, a payment or a subscription: its id, or its number with or without `#`. */
export const ID_OR_NUMBER = `^(${ID}|${SIGN}?${NUMBER})$`;

/**
 * An unguessable order number of 12 characters, from at least 12 random bytes (60 bits are used).
 * 256 is a multiple of 32, so that taking the low five bits of a byte favours no character.
 */
export function orderNumberFrom(randomBytes: Uint8Array): string {
  assert(randomBytes.length >= NUMBER_LENGTH, 'an order number needs 12 random bytes');
  return Array.from(randomBytes.subarray(0, NUMBER_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');
}

/** What names a finalised document: its id, or its number with or without `#`. */
export const ID_OR_DOCUMENT_NUMBER = `^(${ID}|${SIGN}?[0-9A-Za-z][0-9A-Za-z-]{0,40}-[0-9]{4}-[0-9]{6,12})$`;

/** The number a caller wrote, in the form it is stored in: without `#` and in capitals; null when it can be none. */
export function parseNumber(input: string): string | null {
  const bare = input.replace(SIGN_AT_START, '');
  return BARE_NUMBER.test(bare) ? bare.toUpperCase() : null;
}

/**
 * An order's number as it stands on receipts: with or without `#`, in any case, or that of one of its payments. A Japanese
 * keyboard types wide letters, and what was copied may bring signs that nobody sees.
 */
export function toOrderNumber(typed: string): string | null {
  const bare = typed
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase();
  const [, number] = /^#?([0-9A-Z]{12})(-\d{1,9})?$/.exec(bare) ?? [];
  return number ?? null;
}

/** The number of an order's n-th payment: the first (n = 0) carries the order's own. */
export function paymentNumber(orderNumber: string, n: number): string {
  assert(Number.isSafeInteger(n) && n >= 0, 'payments are counted from 0');
  return n === 0 ? orderNumber : `${orderNumber}-${n}`;
}

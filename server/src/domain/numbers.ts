/**
 * The numbers people read: of an order, of its payments and of the subscription it began.
 */
import { assert } from './assert.ts';

/** Digits and capitals without I, L, O and U, which are misread or spell words: 32 of them, 5 bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const NUMBER_LENGTH = 12;
const PATTERN = /^([0-9A-Za-z]{12,32}|[0-9]+)(-[0-9]+)?$/;

/**
 * An unguessable order number of 12 characters, from at least 12 random bytes (60 bits are used).
 * 256 is a multiple of 32, so that taking the low five bits of a byte favours no character.
 */
export function orderNumberFrom(randomBytes: Uint8Array): string {
  assert(randomBytes.length >= NUMBER_LENGTH, 'an order number needs 12 random bytes');
  return Array.from(randomBytes.subarray(0, NUMBER_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');
}

/**
 * The number a caller wrote, in the form it is stored in: without `#` and in capitals; null when it can
 * be no number. A `#` that was percent-encoded once too often (`%23`) is taken as well.
 */
export function parseNumber(input: string): string | null {
  const bare = input.replace(/^(#|%23)/, '');
  return PATTERN.test(bare) ? bare.toUpperCase() : null;
}

/** The number of an order's n-th payment: the first (n = 0) carries the order's own. */
export function paymentNumber(orderNumber: string, n: number): string {
  assert(Number.isSafeInteger(n) && n >= 0, 'payments are counted from 0');
  return n === 0 ? orderNumber : `${orderNumber}-${n}`;
}

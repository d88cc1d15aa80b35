import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExpired, isValidCvc, parseCardNumber, parseExpiry } from './cards.ts';

describe('parseCardNumber', () => {
  it.each([
    ['4242424242424242', '4242424242424242'],
    ['4242 4242 4242 4242', '4242424242424242'],
    ['3782-822463-10005', '378282246310005'],
    [' 3056 930009 020004 ', '3056930009020004'],
  ])('reads %j', (input, digits) => {
    expect(parseCardNumber(input)).toBe(digits);
  });

  it.each(['', '4242424242424241', '42424242424', '4242424242424242x', '0', '42424242424242424242'])(
    'refuses %j',
    (input) => {
      expect(parseCardNumber(input)).toBeNull();
    },
  );

  it('refuses every number with one digit mistyped', () => {
    const place = fc.integer({ min: 0, max: 15 });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 9 }), (at, shift) => {
        const digits = [...'4000002500003155'];
        digits[at] = String((Number(digits[at]) + shift) % 10);
        expect(parseCardNumber(digits.join(''))).toBeNull();
      }),
    );
  });
});

describe('parseExpiry', () => {
  it.each(['12/35', '1235', '12 / 2035', '12/2035', ' 12-35 ', '12 35', '122035'])('reads %j', (input) => {
    expect(parseExpiry(input)).toEqual({ year: 2035, month: 12 });
  });

  it('reads a month of one digit before a slash', () => {
    expect(parseExpiry('1/35')).toEqual({ year: 2035, month: 1 });
  });

  it.each(['', '13/35', '00/35', '135', '12/3', '12/035', '12/', 'ab/cd'])('refuses %j', (input) => {
    expect(parseExpiry(input)).toBeNull();
  });
});

describe('isExpired', () => {
  it('takes a card until the end of the month it names', () => {
    const expiry = { year: 2035, month: 12 };
    expect(isExpired(expiry, Date.UTC(2036, 0, 1) - 1)).toBe(false);
    expect(isExpired(expiry, Date.UTC(2036, 0, 1))).toBe(true);
  });
});

describe('isValidCvc', () => {
  it('wants four digits on amex and three on the others', () => {
    expect(isValidCvc('123', 'visa')).toBe(true);
    expect(isValidCvc('1234', 'visa')).toBe(false);
    expect(isValidCvc('1234', 'amex')).toBe(true);
    expect(isValidCvc('123', 'amex')).toBe(false);
    expect(isValidCvc('', 'visa')).toBe(false);
    expect(isValidCvc('12a', 'visa')).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOf, findCardBrand, findCaret, formatCardNumber, formatExpiry } from './card.ts';

const typeIn = (text: string, format: (text: string) => string) =>
  [...text].reduce((value, character) => format(value + character), '');

describe('formatCardNumber', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 4242.4242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['3056930009020004', '3056 9300 0902 0004'],
    ['30569309025904', '3056 930902 5904'],
    ['6200000000000000003', '6200 0000 0000 0000 003'],
    ['42', '42'],
    ['', ''],
  ])('groups %s as %s', (text, formatted) => {
    expect(formatCardNumber(text)).toBe(formatted);
  });

  it('ends the same whether the number is typed or pasted', () => {
    const number = fc.stringMatching(/^\d{1,19}$/);
    fc.assert(fc.property(number, (text) => typeIn(text, formatCardNumber) === formatCardNumber(text)));
  });

  it('never loses a digit of up to 19', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,19}$/), (text) => digitsOf(formatCardNumber(text)) === text),
    );
  });
});

describe('formatExpiry', () => {
  it.each([
    ['1235', '12/35'],
    ['12/35', '12/35'],
    ['12 / 35', '12/35'],
    ['12/2035', '12/35'],
    ['122035', '12/35'],
    ['1/35', '01/35'],
    ['0935', '09/35'],
    ['935', '09/35'],
    ['12/', '12/'],
    ['12', '12'],
    ['1', '1'],
    ['4', '04'],
    ['', ''],
    ['2035-12', '12/35'],
    ['2035/01', '01/35'],
  ])('reads %s as %s', (text, formatted) => {
    expect(formatExpiry(text)).toBe(formatted);
  });

  it.each(['1235', '12/35', '12/2035', '1/35'])('ends the same when %s is typed', (text) => {
    expect(typeIn(text, formatExpiry)).toBe(formatExpiry(text));
  });

  it('lets the slash be deleted', () => {
    expect(formatExpiry('12/3'.slice(0, -1))).toBe('12/');
    expect(formatExpiry('12/'.slice(0, -1))).toBe('12');
  });

  it('keeps the year 2020 to 2029 whole, although it may be the start of a long year', () => {
    expect(typeIn('12/29', formatExpiry)).toBe('12/29');
    expect(typeIn('1220', formatExpiry)).toBe('12/20');
  });
});

describe('findCardBrand', () => {
  it.each([
    ['4', 'visa'],
    ['5555', 'mastercard'],
    ['2223', 'mastercard'],
    ['3782', 'amex'],
    ['6011', 'discover'],
    ['3056', 'diners'],
    ['3566', 'jcb'],
    ['6200', 'unionpay'],
    ['9', null],
    ['', null],
  ])('tells %s as %s', (number, brand) => {
    expect(findCardBrand(number)).toBe(brand);
  });
});

describe('findCaret', () => {
  it('stays behind the digit it was behind', () => {
    expect(findCaret('4242 4242', 4)).toBe(4);
    expect(findCaret('4242 4242', 5)).toBe(6);
    expect(findCaret('4242 4242', 0)).toBe(0);
    expect(findCaret('12/3', 9)).toBe(4);
  });
});

import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencyDecimals } from '../../server/src/domain/money/currency.ts';
import { decimalsOf, formatMoney, formatPercentage, toDecimalString } from './money.ts';

describe('toDecimalString', () => {
  it.each([
    [4900, 2, '49.00'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [-1250, 2, '-12.50'],
    [4900, 0, '4900'],
    [1, 3, '0.001'],
    [9007199254740991, 2, '90071992547409.91'],
  ])('writes %i with %i decimals as %s', (amount, decimals, text) => {
    expect(toDecimalString(amount, decimals)).toBe(text);
  });
});

describe('formatMoney', () => {
  it('writes the currency as the language does', () => {
    const euro = { currency: 'EUR', currencyDecimals: 2 };
    expect(formatMoney(123450, euro, 'en')).toBe('€1,234.50');
    expect(formatMoney(123450, euro, 'de')).toBe('1.234,50\u00a0€');
  });

  it('follows the decimals of the data where the browser has others', () => {
    expect(formatMoney(4900, { currency: 'JPY', currencyDecimals: 0 }, 'en')).toBe('¥4,900');
    expect(formatMoney(4900, { currency: 'HUF', currencyDecimals: 0 }, 'en')).toBe('HUF\u00a04,900');
    expect(formatMoney(4900, { currency: 'HUF', currencyDecimals: 2 }, 'en')).toBe('HUF\u00a049.00');
  });

  it('keeps every cent of a sum beyond the precision of a float', () => {
    expect(formatMoney(9007199254740991, { currency: 'USD', currencyDecimals: 2 }, 'en')).toBe(
      '$90,071,992,547,409.91',
    );
  });
});

describe('formatPercentage', () => {
  it('keeps the decimals of a rate', () => {
    expect(formatPercentage(19, 'en')).toBe('19%');
    expect(formatPercentage(9.975, 'en')).toBe('9.975%');
    expect(formatPercentage(8.1, 'de')).toBe('8,1\u00a0%');
  });
});

describe('decimalsOf', () => {
  it('is the server’s table for every currency of the API, whatever the browser counts', () => {
    const told = (of: (code: string) => number) => CURRENCIES.map((code) => `${code} ${of(code)}`);
    expect(told(decimalsOf)).toEqual(told(currencyDecimals));
  });
});

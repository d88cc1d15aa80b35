import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencyDecimals, isCurrency } from './currency.ts';

describe('currencies', () => {
  it('lists every code once, in three capitals and in order', () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
    expect([...CURRENCIES].sort()).toEqual(CURRENCIES);
    for (const code of CURRENCIES) expect(code).toMatch(/^[A-Z]{3}$/);
    expect(CURRENCIES.length).toBeGreaterThanOrEqual(150);
  });

  it('knows the odd ones of the list and no others', () => {
    for (const code of ['EUR', 'XCG', 'HRK', 'MRO', 'VED', 'SLE']) expect(isCurrency(code)).toBe(true);
    for (const code of ['eur', 'EURO', '', 'BTC', 'XXX', 'ZWL']) expect(isCurrency(code)).toBe(false);
  });

  it('has no decimals for exactly sixteen of them', () => {
    expect(CURRENCIES.filter((code) => currencyDecimals(code) === 0).join(' ')).toBe(
      'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
    );
  });

  it('has three decimals for exactly five of them', () => {
    expect(CURRENCIES.filter((code) => currencyDecimals(code) === 3).join(' ')).toBe('BHD JOD KWD OMR TND');
  });

  it.each(['AFN', 'ALL', 'COP', 'HUF', 'IDR', 'LAK', 'LBP', 'MGA', 'MMK', 'PKR', 'SOS', 'YER'])(
    'gives %s the two decimals of ISO 4217, whatever Intl says',
    (code) => {
      expect(currencyDecimals(code)).toBe(2);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { checkTaxNumber, hasVatPrefix, isInVies } from './tax-number.ts';

// One published number of each member state, as an invoice shows it.
const EU_NUMBERS =
  'ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 ' +
  'ESB58378431 FI20774740 FR40303265045 HR33392005961 HU12892312 IE6433435F IT00743110157 LT119511515 ' +
  'LU15027442 LV40003521600 MT11679112 NL004495445B01 PL8567346215 PT501964843 RO18547290 SE123456789701 ' +
  'SI50223054 SK2022749619';

const numbers = EU_NUMBERS.split(' ').map((number) => {
  const prefix = number.slice(0, 2);
  return { country: prefix === 'EL' ? 'GR' : prefix, number, bare: number.slice(2) };
});

describe('checkTaxNumber in the EU', () => {
  it('has a number of every member state to test with', () => {
    expect(numbers).toHaveLength(27);
  });

  it.each(numbers)('takes $number of $country with and without its prefix', ({ country, number, bare }) => {
    expect(checkTaxNumber(country, number)).toEqual({ valid: true, normalised: number });
    expect(checkTaxNumber(country, bare)).toEqual({ valid: true, normalised: number });
  });

  it.each(numbers)('refuses $number of $country with two digits too many', ({ country, number }) => {
    expect(checkTaxNumber(country, `${number}77`).valid).toBe(false);
  });

  it('refuses a wrong check digit', () => {
    expect(checkTaxNumber('DE', 'DE136695977').valid).toBe(false);
    expect(checkTaxNumber('PL', 'PL8567346216').valid).toBe(false);
  });

  it("refuses another member state's number", () => {
    expect(checkTaxNumber('FR', 'DE136695976').valid).toBe(false);
    expect(checkTaxNumber('DE', 'ATU13585627').valid).toBe(false);
  });

  it('reads lower case, spaces, dots and dashes', () => {
    expect(checkTaxNumber('de', ' de 136.695-976 ')).toEqual({ valid: true, normalised: 'DE136695976' });
  });

  it('knows Greece as EL and GR, and writes EL', () => {
    for (const written of ['EL094259216', 'GR094259216', '094259216']) {
      expect(checkTaxNumber('GR', written)).toEqual({ valid: true, normalised: 'EL094259216' });
    }
  });

  it("takes Monaco's numbers for the French ones that they are", () => {
    expect(checkTaxNumber('MC', 'FR40303265045')).toEqual({ valid: true, normalised: 'FR40303265045' });
  });

  it('takes the Belgian numbers that begin with 1', () => {
    expect(checkTaxNumber('BE', 'BE1000000021').valid).toBe(true);
  });
});

describe('isInVies', () => {
  it.each([
    ['GR', 'EL094259216', true],
    ['MC', 'FR40303265045', true],
    ['GB', 'XI980780684', true],
    ['GB', 'GB980780684', false],
    ['CH', 'CHE107787577IVA', false],
    ['NO', '995525828MVA', false],
  ])('%s %s: %s', (country, number, expected) => {
    expect(isInVies(country, number)).toBe(expected);
  });
});

describe('checkTaxNumber elsewhere', () => {
  it.each([
    ['GB', 'GB 980 7806 84', 'GB980780684'],
    ['GB', '980780684', 'GB980780684'],
    ['GB', 'XI980780684', 'XI980780684'],
    ['NO', '995 525 828 MVA', '995525828MVA'],
    ['CH', 'CHE-107.787.577 IVA', 'CHE107787577IVA'],
    ['AU', '51 824 753 556', '51824753556'],
    ['NZ', '49-091-850', '49091850'],
    ['SG', '00192200M', '00192200M'],
    ['KR', '116-82-00276', '1168200276'],
    ['IN', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
  ])('takes %s %s', (country, number, normalised) => {
    expect(checkTaxNumber(country, number)).toEqual({ valid: true, normalised });
  });

  it.each([
    ['AU', '51 824 753 557'],
    ['GB', 'GB980780685'],
    ['GB', 'DE136695976'],
    ['XK', '810000000'],
    ['ZZ', '12345678'],
    ['DE', ''],
    ['DE', '...'],
    ['DE', 'DE136695976'.repeat(50)],
  ])('does not take %s %s', (country, number) => {
    expect(checkTaxNumber(country, number).valid).toBe(false);
  });
});

describe('hasVatPrefix', () => {
  it.each([
    ['DE', 'DE136695976', true],
    ['de', 'DE 136 695 976', true],
    ['GR', 'EL094259216', true],
    ['GB', 'XI123456789', true],
    ['DE', '30/123/45678', false],
    ['DE', 'FR40303265045', false],
    ['IT', 'ITTMRA85T10A562S', false],
    ['IT', 'IT00743110157', true],
    ['US', 'US-12-3456789', false],
    ['IN', '27AAPFU0939F1ZV', false],
  ])('%s: %s is %s', (country, number, isOne) => {
    expect(hasVatPrefix(country, number)).toBe(isOne);
  });
});

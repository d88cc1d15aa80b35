import { describe, expect, it } from 'vitest';
import { type BuyerForm, checkBuyer, EMPTY_FORM } from './buyer.ts';

function pathsOf(form: Partial<BuyerForm>, address = true): string[] {
  return checkBuyer({ ...EMPTY_FORM, email: 'ada@example.com', ...form }, { address }).map(
    ({ path }) => path,
  );
}

describe('checkBuyer', () => {
  it('asks an e-mail of everybody and a country of those who pay', () => {
    expect(pathsOf({ email: null })).toEqual(['email', 'countryCode']);
    expect(pathsOf({ email: null }, false)).toEqual(['email']);
    expect(pathsOf({}, false)).toEqual([]);
    expect(pathsOf({ countryCode: 'DE' })).toEqual([]);
  });

  it.each(['US', 'CA', 'UA', 'IN'])('asks a postal code in %s', (countryCode) => {
    expect(pathsOf({ countryCode })).toEqual(['postalCode']);
    expect(pathsOf({ countryCode, postalCode: 'nonsense' })).toEqual(['postalCode']);
  });

  it.each([
    ['US', '94103'],
    ['US', '94103-1234'],
    ['CA', 'M5V 3L9'],
    ['CA', 'm5v3l9'],
    ['UA', '01001'],
    ['IN', '560001'],
    ['IN', '560 001'],
  ])('takes the postal code of %s as %s', (countryCode, postalCode) => {
    expect(pathsOf({ countryCode, postalCode })).toEqual([]);
  });

  it('asks no postal code elsewhere and takes any', () => {
    expect(pathsOf({ countryCode: 'DE', postalCode: 'whatever' })).toEqual([]);
  });

  it('refuses countries that are none', () => {
    for (const countryCode of ['ZZ', 'de', 'EU', 'UK', ''])
      expect(pathsOf({ countryCode })).toEqual(['countryCode']);
  });

  it('asks the name of a company', () => {
    expect(pathsOf({ countryCode: 'DE', type: 'company' })).toEqual(['companyName']);
    expect(pathsOf({ countryCode: 'DE', type: 'company', companyName: 'Ada GmbH' })).toEqual([]);
  });
});

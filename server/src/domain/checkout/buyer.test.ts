import { describe, expect, it } from 'vitest';
import { type BuyerForm, checkBuyer, EMPTY_FORM, toBuyerNeeds } from './buyer.ts';

const OFF = { buyerName: 'off', buyerAddress: 'off' } as const;

function pathsOf(form: Partial<BuyerForm>, isBilled = true, block: Block = OFF, isOnPage = false): string[] {
  const buyer = { ...EMPTY_FORM, email: 'ada@example.com', ...form };
  return checkBuyer(buyer, toBuyerNeeds(buyer, { block, isBilled, isOnPage })).map(({ path }) => path);
}

type Block = Parameters<typeof toBuyerNeeds>[1]['block'];

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

  it('asks a company on the page for its address, without a postal code where there are none', () => {
    const company = { type: 'company', companyName: 'Ada Ltd' } as const;
    const address = ['address', 'city', 'postalCode'];
    expect(pathsOf({ ...company, countryCode: 'DE' }, true, OFF, true)).toEqual(address);
    expect(pathsOf({ ...company, countryCode: 'US' }, true, OFF, true)).toEqual([
      'postalCode',
      'address',
      'city',
    ]);
    expect(pathsOf({ ...company, countryCode: 'HK' }, true, OFF, true)).toEqual(['address', 'city']);
    expect(pathsOf(company, false, OFF, true)).toEqual([]);
  });

  it('asks a person on the page for what the shop insists on alone', () => {
    const asking = { buyerName: 'required', buyerAddress: 'optional' } as const;
    expect(pathsOf({ countryCode: 'DE' }, true, asking, true)).toEqual(['firstName', 'lastName']);
    expect(pathsOf({ countryCode: 'DE' }, true, { ...asking, buyerAddress: 'required' }, true)).toEqual([
      ...['firstName', 'lastName', 'address', 'city', 'postalCode'],
    ]);
    expect(pathsOf({ countryCode: 'DE' }, true, asking)).toEqual([]);
    expect(pathsOf({}, false, asking, true)).toEqual([]);
  });
});

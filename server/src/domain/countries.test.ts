import isoCountries from 'i18n-iso-countries';
import { describe, expect, it } from 'vitest';
import { COUNTRIES, isCountry } from './countries.ts';

describe('COUNTRIES', () => {
  it('is ISO 3166-1 and Kosovo, as a data package has it', () => {
    const known = new Set([...Object.keys(isoCountries.getAlpha2Codes()), 'XK']);
    expect([...COUNTRIES].sort()).toEqual([...known].sort());
  });

  it('names each country once', () => {
    expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length);
  });
});

describe('isCountry', () => {
  it('knows codes in upper case and nothing else', () => {
    expect(['DE', 'XK', 'US'].every(isCountry)).toBe(true);
    expect(['de', 'ZZ', 'UK', 'EU', '', 'DEU', '__proto__'].some(isCountry)).toBe(false);
  });
});

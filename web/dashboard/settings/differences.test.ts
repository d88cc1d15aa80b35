import { describe, expect, it } from 'vitest';
import { findDifferences, toChange } from './differences.ts';

const live = {
  object: 'settings',
  version: 4,
  portalSlug: 'first',
  currency: null,
  graceDays: 7,
  seller: { name: null, city: 'Berlin' },
  branding: { accent: null, logo: '/files/live.png' },
  registrations: [],
};

describe('the difference of settings', () => {
  it('is told field by field, without what is the store’s own', () => {
    const test = {
      ...live,
      version: 9,
      currency: 'EUR',
      graceDays: 3,
      seller: { name: 'Nebula', city: 'Berlin' },
      branding: { accent: '#14603f', logo: '/files/test.png' },
      registrations: [{ country: 'DE', region: null, number: null }],
    };
    const differences = findDifferences(live, test);
    expect(differences.map(({ path }) => path)).toEqual([
      'graceDays',
      'seller.name',
      'branding.accent',
      'registrations',
    ]);
    expect(toChange(differences)).toEqual({
      graceDays: 3,
      seller: { name: 'Nebula' },
      branding: { accent: '#14603f' },
      registrations: [{ country: 'DE', region: null, number: null }],
    });
  });

  it('is empty where nothing differs', () => {
    expect(findDifferences(live, { ...live, version: 5 })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { toPlace } from '../../domain/tax/location.ts';
import { taxTable } from './tax-provider.ts';

const REQUEST = {
  customer: { type: 'individual' as const, taxNumber: null, taxNumberValid: false },
  seller: { countryCode: null },
  settings: { taxCollection: 'everywhere' as const, registrations: [] },
  supplyDateMs: Date.parse('2026-11-20T00:00:00Z'),
};

describe('the tax table as a provider', () => {
  it('answers a rule for every category that it is asked for', async () => {
    const place = toPlace({ countryCode: 'DE', state: null, postalCode: null });
    const rules = taxTable.decide({ ...REQUEST, place, categories: ['software', 'voucher'] });
    expect(rules.get('software')?.rates.map(({ ratePpm }) => ratePpm)).toEqual([190_000]);
    expect(rules.get('voucher')?.reason).toBe('outside_scope');
  });

  it('taxes nothing while the place is not known', async () => {
    const rules = taxTable.decide({ ...REQUEST, place: null, categories: ['saas'] });
    expect(rules.get('saas')).toEqual({ reason: 'outside_scope', rates: [], sentence: null });
  });
});

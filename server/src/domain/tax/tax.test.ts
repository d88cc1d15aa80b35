import { describe, expect, it } from 'vitest';
import { toPlace } from './location.ts';
import { toPercentage } from './rate.ts';
import { findRates } from './table.ts';
import { decideTax, type TaxCustomer, type TaxQuestion, type TaxSettings } from './tax.ts';

const DATE = Date.parse('2026-11-20');
const CONSUMER: TaxCustomer = { type: 'individual', taxNumber: null, taxNumberValid: false };
const COMPANY: TaxCustomer = { type: 'company', taxNumber: 'FR40303265045', taxNumberValid: true };
const EVERYWHERE: TaxSettings = { taxCollection: 'everywhere', registrations: [] };

interface Case extends Partial<Omit<TaxQuestion, 'place' | 'rows'>> {
  country: string;
  state?: string;
  postalCode?: string;
}

function decide({ country, state, postalCode, ...question }: Case) {
  const place = toPlace({ countryCode: country, state: state ?? null, postalCode: postalCode ?? null });
  const category = question.category ?? 'digital_good';
  const rule = decideTax({
    rows: findRates(place, category, DATE),
    place,
    category,
    customer: CONSUMER,
    seller: { countryCode: 'DE' },
    settings: EVERYWHERE,
    ...question,
  });
  return { ...rule, percentages: rule.rates.map((rate) => toPercentage(rate.ratePpm)) };
}

const registered = (...registrations: TaxSettings['registrations']): TaxSettings => ({
  taxCollection: 'registered',
  registrations,
});

describe('decideTax', () => {
  it("takes the consumer's country's rate", () => {
    expect(decide({ country: 'PL' })).toMatchObject({
      reason: 'standard',
      percentages: [23],
      sentence: null,
    });
    expect(decide({ country: 'CA', state: 'QC' })).toMatchObject({
      reason: 'standard',
      percentages: [5, 9.975],
    });
  });

  it('says reduced where the state taxes a part of the price', () => {
    expect(decide({ country: 'US', state: 'TX', category: 'saas' })).toMatchObject({
      reason: 'reduced',
      percentages: [5],
    });
  });

  it.each([
    { country: 'HK', reason: 'outside_scope' },
    { country: 'US', state: 'OR', reason: 'outside_scope' },
    { country: 'US', state: 'CA', reason: 'exempt' },
    { country: 'US', reason: 'outside_scope' },
    { country: 'ES', postalCode: '35001', reason: 'outside_scope' },
    { country: 'AQ', reason: 'outside_scope' },
  ])('gives a reason for the zero of $country $state $postalCode', ({ reason, ...where }) => {
    const rule = decide(where);
    expect(rule).toMatchObject({ reason, percentages: [0] });
    expect(rule.rates[0]?.reason).toBe(reason);
  });

  it('takes nothing on a gift card, which is taxed when it is redeemed', () => {
    expect(decide({ country: 'DE', category: 'voucher' })).toMatchObject({
      reason: 'outside_scope',
      percentages: [0],
    });
  });

  it('takes nothing while the country is not known', () => {
    const place = null;
    const rule = decideTax({
      rows: [],
      place,
      category: 'saas',
      customer: CONSUMER,
      seller: { countryCode: 'DE' },
      settings: EVERYWHERE,
    });
    expect(rule).toEqual({ reason: 'outside_scope', rates: [], sentence: null });
  });

  it('takes nothing when collection is off', () => {
    const settings: TaxSettings = { taxCollection: 'off', registrations: [{ country: 'PL' }] };
    expect(decide({ country: 'PL', settings })).toMatchObject({ reason: 'not_registered', percentages: [0] });
  });
});

describe('registrations', () => {
  it('collects only where one is stored', () => {
    const settings = registered({ country: 'PL' });
    expect(decide({ country: 'PL', settings }).reason).toBe('standard');
    expect(decide({ country: 'DE', settings })).toMatchObject({ reason: 'not_registered', percentages: [0] });
  });

  it('reads EU as the one-stop shop for every member state and nothing else', () => {
    const settings = registered({ country: 'EU' });
    expect(decide({ country: 'HU', settings }).reason).toBe('standard');
    expect(decide({ country: 'GB', settings }).reason).toBe('not_registered');
  });

  it('keeps a state to itself and lets a country stand for all of its states', () => {
    expect(
      decide({ country: 'US', state: 'WA', settings: registered({ country: 'US', region: 'WA' }) }).reason,
    ).toBe('standard');
    expect(
      decide({ country: 'US', state: 'TN', settings: registered({ country: 'US', region: 'WA' }) }).reason,
    ).toBe('not_registered');
    expect(
      decide({ country: 'US', state: 'TN', settings: registered({ country: 'US', region: null }) }).reason,
    ).toBe('standard');
  });

  it("names the place's own zero before the seller's", () => {
    expect(decide({ country: 'HK', settings: registered() }).reason).toBe('outside_scope');
  });
});

describe('reverse charge', () => {
  it('shifts the tax to an EU company with a valid number in another member state, with the sentence', () => {
    const rule = decide({ country: 'FR', customer: COMPANY });
    expect(rule).toMatchObject({ reason: 'reverse_charge', percentages: [0] });
    expect(rule.sentence).toContain('Article 196');
    expect(rule.rates[0]).toMatchObject({ name: 'VAT', country: 'FR', reason: 'reverse_charge' });
  });

  it('holds without a registration there', () => {
    expect(decide({ country: 'FR', customer: COMPANY, settings: registered() }).reason).toBe(
      'reverse_charge',
    );
  });

  it("taxes a company of the seller's own country", () => {
    expect(decide({ country: 'DE', customer: COMPANY }).reason).toBe('standard');
    expect(decide({ country: 'MC', customer: COMPANY, seller: { countryCode: 'FR' } }).reason).toBe(
      'standard',
    );
  });

  it('shifts it for every EU company when the seller is outside the EU or unset', () => {
    for (const countryCode of [null, 'US']) {
      expect(decide({ country: 'DE', customer: COMPANY, seller: { countryCode } }).reason).toBe(
        'reverse_charge',
      );
    }
  });

  it.each([
    { ...COMPANY, taxNumberValid: false },
    { ...COMPANY, taxNumber: null },
    { ...COMPANY, type: 'individual' as const },
  ])('taxes a buyer who is not a company with a valid number: %j', (customer) => {
    expect(decide({ country: 'FR', customer })).toMatchObject({ reason: 'standard', percentages: [20] });
  });

  it('taxes a business outside the EU as a consumer, unless the row says otherwise', () => {
    expect(decide({ country: 'CH', customer: COMPANY }).reason).toBe('standard');
    expect(decide({ country: 'US', state: 'WA', customer: COMPANY }).reason).toBe('standard');
    const australian = decide({ country: 'AU', customer: COMPANY });
    expect(australian.reason).toBe('reverse_charge');
    expect(australian.sentence).not.toContain('2006/112');
    expect(decide({ country: 'AU', customer: COMPANY, seller: { countryCode: 'AU' } }).reason).toBe(
      'standard',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { changeSettings, SETTINGS_DEFAULTS } from '../settings.ts';
import { type PaidSale, planInvoice, type SoldLine } from './plan-invoice.ts';
import { makeRate } from './values.testing.ts';

const LINE: SoldLine = {
  name: 'Nebula',
  description: null,
  internalId: null,
  unitPrice: 4900,
  quantity: 1,
  discount: 0,
  tax: 931,
  total: 5831,
  inclusive: false,
  taxReason: 'standard',
  taxRates: [makeRate()],
  product: { name: 'Nebula' },
  variant: null,
  periodStart: null,
  periodEnd: null,
};
const SALE: PaidSale = {
  language: 'en',
  testMode: false,
  orderNumber: '7K2M9QX4T0AB',
  paymentNumber: '7K2M9QX4T0AB',
  currency: 'EUR',
  value: 5831,
  tax: 931,
  discount: null,
  sentences: [],
  lines: [LINE],
  buyer: { type: 'individual', firstName: 'Ada', lastName: 'Lovelace', countryCode: 'DE' },
  buyerEmail: 'ada@example.com',
  workspaceName: 'Acme',
  method: null,
  paidAt: 0,
};

const plan = (fields: Partial<PaidSale>) => planInvoice({ ...SALE, ...fields }, SETTINGS_DEFAULTS);
const reversed = (country: string) => ({
  ...LINE,
  tax: 0,
  total: 4900,
  taxReason: 'reverse_charge',
  taxRates: [makeRate({ country, percentage: 0, amount: 0, reason: 'reverse_charge' })],
});

describe('an invoice', () => {
  it('names the product and the variant of a line whose name leaves them out', () => {
    const detailOf = (line: Partial<SoldLine>) => plan({ lines: [{ ...LINE, ...line }] }).lines[0]?.detail;
    expect(detailOf({})).toBeNull();
    expect(detailOf({ name: 'Monthly' })).toBe('Nebula');
    expect(detailOf({ name: 'Monthly', variant: { name: 'Pro' } })).toBe('Nebula · Pro');
    expect(detailOf({ name: 'Monthly', description: 'For June' })).toBe('For June');
  });

  it('names the buyer by company, name or e-mail, and a person without a company’s tax number', () => {
    const buyer = { firstName: 'Ada', lastName: 'Lovelace', companyName: 'Engines Ltd', taxNumber: 'GB1' };
    expect(plan({ buyer: { ...buyer, type: 'company' } }).buyer).toMatchObject({
      name: 'Engines Ltd',
      taxNumber: 'GB1',
    });
    expect(plan({ buyer: { ...buyer, type: 'individual' } }).buyer).toMatchObject({
      name: 'Ada Lovelace',
      taxNumber: null,
    });
    expect(plan({ buyer: {} }).buyer.name).toBe('ada@example.com');
  });

  it('says the number of the registration at home where the seller has no other', () => {
    const at = (country: string, number: string | null) => ({ country, region: null, number });
    const registrations = [at('FR', 'FR40303265045'), at('DE', null), at('DE', 'DE136695976')];
    const numberOf = (change: Parameters<typeof changeSettings>[1]) =>
      planInvoice(SALE, changeSettings(SETTINGS_DEFAULTS, change)).seller.taxNumber;
    expect(numberOf({ sellerCountry: 'DE', registrations })).toBe('DE136695976');
    expect(numberOf({ sellerCountry: 'DE', registrations, seller: { taxNumber: '30/1' } })).toBe('30/1');
    expect(numberOf({ sellerCountry: 'IT', registrations })).toBeNull();
  });

  it('names the seller by the settings, else by the workspace', () => {
    expect(plan({}).seller).toMatchObject({ name: 'Acme', country: null });
    const settings = changeSettings(SETTINGS_DEFAULTS, {
      sellerCountry: 'DE',
      seller: { name: 'Acme GmbH' },
    });
    expect(planInvoice(SALE, settings).seller).toMatchObject({ name: 'Acme GmbH', country: 'DE' });
  });

  it('adds up each tax over the lines and keeps the reason of a line without one', () => {
    const free = { ...LINE, tax: 0, total: 100, taxReason: 'outside_scope', taxRates: [] };
    expect(plan({ lines: [LINE, LINE, free] }).taxes).toMatchObject([
      { percentage: 19, taxable: 9800, amount: 1862 },
      { percentage: 0, taxable: 100, amount: 0, reason: 'outside_scope' },
    ]);
  });

  it('says the sentence of the sale, and works it out for a renewal, which keeps none', () => {
    expect(plan({ sentences: ['As decided.'], lines: [reversed('FR')] }).sentences).toEqual(['As decided.']);
    expect(plan({ sentences: null, lines: [reversed('FR'), reversed('FR')] }).sentences).toEqual([
      'Reverse charge: VAT to be accounted for by the recipient (Article 196, Directive 2006/112/EC).',
    ]);
    expect(plan({ sentences: null, lines: [reversed('AU')] }).sentences).toEqual([
      'Reverse charge: tax to be accounted for by the recipient.',
    ]);
    expect(plan({ sentences: null }).sentences).toEqual([]);
  });
});

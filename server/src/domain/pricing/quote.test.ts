import { describe, expect, it } from 'vitest';
import { decideByTable } from '../tax/decide-by-table.ts';
import { computeQuote, type QuoteBuyer, type QuoteInput, type QuoteLine, toTaxRequest } from './quote.ts';
import { makeDiscount } from './values.testing.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LINE: QuoteLine = {
  key: 'line-a',
  offerId: 'offer-a',
  unitPriceMinor: 1000n,
  quantity: 1,
  category: 'digital_good',
  taxBehavior: null,
};
const BUYER: QuoteBuyer = {
  countryCode: 'PL',
  state: null,
  postalCode: null,
  type: 'individual',
  taxNumber: null,
  taxNumberValid: null,
};

function quote({ buyer, ...input }: Partial<Omit<QuoteInput, 'buyer'>> & { buyer?: Partial<QuoteBuyer> }) {
  const whole: QuoteInput = {
    nowMs: NOW,
    currency: 'EUR',
    lines: [LINE],
    pricesIncludeTax: false,
    sales: [],
    code: null,
    userRedemptions: new Map(),
    seller: { countryCode: 'DE' },
    taxSettings: { taxCollection: 'everywhere', registrations: [] },
    ...input,
    buyer: { ...BUYER, ...buyer },
  };
  return computeQuote(whole, decideByTable(toTaxRequest(whole)));
}

describe('computeQuote', () => {
  it("taxes at the buyer's place on the day of the quote", () => {
    expect(quote({})).toMatchObject({
      subtotalMinor: 1000n,
      taxMinor: 230n,
      totalMinor: 1230n,
      reason: 'standard',
      inclusive: false,
      place: { country: 'PL' },
    });
  });

  it('reads the rates at the date of supply where one is given', () => {
    const buyer = { countryCode: 'EE' };
    expect(quote({ buyer }).taxMinor).toBe(240n);
    expect(quote({ buyer, supplyDateMs: Date.parse('2025-06-30') }).taxMinor).toBe(220n);
    expect(quote({ buyer, nowMs: Date.parse('2025-06-30') }).taxMinor).toBe(220n);
  });

  it("lets an offer's tax behaviour go before the setting", () => {
    expect(quote({ pricesIncludeTax: true })).toMatchObject({
      totalMinor: 1000n,
      taxMinor: 187n,
      inclusive: true,
    });
    const exclusive: QuoteLine = { ...LINE, taxBehavior: 'exclusive' };
    expect(quote({ pricesIncludeTax: true, lines: [exclusive] })).toMatchObject({
      totalMinor: 1230n,
      inclusive: false,
    });
    const inclusive: QuoteLine = { ...LINE, taxBehavior: 'inclusive' };
    expect(quote({ lines: [inclusive] })).toMatchObject({ totalMinor: 1000n, inclusive: true });
  });

  it.each(['DE', 'HU', 'HK', 'CA', 'GB', null])(
    'charges an inclusive price as it stands in %s',
    (countryCode) => {
      expect(quote({ pricesIncludeTax: true, buyer: { countryCode, state: 'QC' } }).totalMinor).toBe(1000n);
    },
  );

  it('keeps an inclusive price under reverse charge, and brings the sentence once', () => {
    const buyer = { countryCode: 'FR', type: 'company' as const, taxNumber: 'FR40303265045' };
    const lines = [LINE, { ...LINE, key: 'line-b' }];
    const result = quote({ buyer, lines, pricesIncludeTax: true });
    expect(result).toMatchObject({
      totalMinor: 2000n,
      taxMinor: 0n,
      reason: 'reverse_charge',
      taxNumberValid: true,
    });
    expect(result.sentences).toHaveLength(1);
  });

  it('checks the number itself unless an answer is given', () => {
    const company = { countryCode: 'FR', type: 'company' as const };
    expect(quote({ buyer: { ...company, taxNumber: 'FR40303265046' } }).reason).toBe('standard');
    expect(quote({ buyer: { ...company, taxNumber: 'FR40303265045', taxNumberValid: false } }).reason).toBe(
      'standard',
    );
    expect(quote({ buyer: { ...company, taxNumber: null, taxNumberValid: true } }).reason).toBe('standard');
  });

  it('taxes nothing until the country is known', () => {
    expect(quote({ buyer: { countryCode: null } })).toMatchObject({
      taxMinor: 0n,
      totalMinor: 1000n,
      place: null,
      reason: 'outside_scope',
    });
  });

  it('taxes each line by its own category, and speaks for the cart by the taxed one', () => {
    const lines: QuoteLine[] = [
      { ...LINE, key: 'voucher', category: 'voucher' },
      { ...LINE, key: 'good' },
    ];
    const result = quote({ lines });
    expect(result.lines.map((line) => line.taxMinor)).toEqual([0n, 230n]);
    expect(result.lines[0]?.rates[0]?.reason).toBe('outside_scope');
    expect(result.reason).toBe('standard');
  });

  it('takes New York’s tax on software used online and none on a download', () => {
    const buyer = { countryCode: 'US', postalCode: '10001' };
    expect(quote({ buyer, lines: [{ ...LINE, category: 'saas' }] }).taxMinor).toBe(40n);
    expect(quote({ buyer })).toMatchObject({ taxMinor: 0n, reason: 'exempt' });
  });

  it('applies a sale, tells of a beaten code and of one that cannot be used', () => {
    const sale = makeDiscount({ id: 'sale', amount: 2000n });
    const code = makeDiscount({ id: 'code', type: 'code', discountCode: 'TEN', amount: 1000n });
    expect(quote({ sales: [sale] })).toMatchObject({ discount: { id: 'sale' }, totalMinor: 984n });
    expect(quote({ sales: [sale], code })).toMatchObject({
      discount: { id: 'sale' },
      codeUnused: true,
      codeRefusal: null,
    });
    expect(quote({ code: { ...code, validUntilMs: NOW } })).toMatchObject({
      discount: null,
      codeRefusal: 'discount_expired',
      codeUnused: false,
      totalMinor: 1230n,
    });
  });
});

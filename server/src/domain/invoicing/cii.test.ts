import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectEn16931 } from '../../../test/support/expect-en16931.ts';
import { makeDiscount, makeLine as makePriced, makeRule } from '../pricing/values.testing.ts';
import type { LineTaxRule, TaxReason } from '../tax/rate.ts';
import { toCii } from './cii.ts';
import { planCreditNote } from './plan-credit-note.ts';
import type { Snapshot } from './snapshot.ts';
import { makeLine, makeRate, makeSnapshot, makeSoldInvoice } from './values.testing.ts';

const TAX = 'ApplicableHeaderTradeSettlement/ApplicableTradeTax';
const SUMS = 'ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation';
const LINE = 'IncludedSupplyChainTradeLineItem';
const SELLER = 'ApplicableHeaderTradeAgreement/SellerTradeParty';
const BUYER = 'ApplicableHeaderTradeAgreement/BuyerTradeParty';

const { seller, buyer } = makeSnapshot();

function toUntaxed(reason: TaxReason, country = 'FR'): LineTaxRule {
  const rate = { name: 'VAT', country, region: null, ratePpm: 0, reason };
  return { reason, rates: [rate], sentence: null };
}

function read(snapshot: Snapshot) {
  return expectEn16931(toCii(snapshot) ?? '');
}

const sell = (
  ratesPpm: number[],
  line: Parameters<typeof makePriced>[0] = {},
  fields: Partial<Snapshot> = {},
) => makeSoldInvoice({ lines: [makePriced(line)], rule: () => makeRule(...ratesPpm) }, fields);

describe('the e-invoice', () => {
  it('of a sale at 19 % says who, what and how much, and that it is paid', () => {
    const { text, texts } = read(makeSnapshot());
    expect(text(`${SELLER}/SpecifiedTaxRegistration/ID`)).toBe('DE136695976');
    expect(text(`${BUYER}/Name`)).toBe('Ada Lovelace');
    expect(texts(`${TAX}/CategoryCode`)).toEqual(['S']);
    expect(text(`${TAX}/RateApplicablePercent`)).toBe('19');
    expect(text(`${SUMS}/TaxTotalAmount`)).toBe('9.31');
    expect(text(`${SUMS}/GrandTotalAmount`)).toBe('58.31');
    expect(text(`${SUMS}/DuePayableAmount`)).toBe('0.00');
    const delivery = 'ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime';
    expect(text(`${delivery}/DateTimeString`)).toBe('20261121');
  });

  it('of a reverse charge names both numbers, and the reason by code within the EU', () => {
    const lines = [makePriced({})];
    const company = { ...buyer, country: 'FR', taxNumber: 'FR40303265045' };
    const inEu = read(
      makeSoldInvoice({ lines, rule: () => toUntaxed('reverse_charge') }, { buyer: company }),
    );
    expect(inEu.texts(`${TAX}/CategoryCode`)).toEqual(['AE']);
    expect(inEu.text(`${TAX}/ExemptionReasonCode`)).toBe('VATEX-EU-AE');
    expect(inEu.text(`${BUYER}/SpecifiedTaxRegistration/ID`)).toBe('FR40303265045');
    const abroad = { ...buyer, country: 'AU', taxNumber: '51824753556' };
    const outside = read(
      makeSoldInvoice({ lines, rule: () => toUntaxed('reverse_charge', 'AU') }, { buyer: abroad }),
    );
    expect(outside.texts(`${TAX}/ExemptionReasonCode`)).toEqual([]);
    expect(outside.text(`${TAX}/ExemptionReason`)).toBe('Reverse charge');
    expect(outside.text(`${BUYER}/SpecifiedLegalOrganization/ID`)).toBe('51824753556');
  });

  it.each([
    ['exempt', 'E', 'Exempt from tax'],
    ['zero_rated', 'Z', undefined],
    ['outside_scope', 'O', 'Outside the scope of tax'],
    ['not_registered', 'O', 'Tax is not collected'],
  ] as const)('of a sale that is %s has the category %s', (reason, category, words) => {
    const { text } = read(makeSoldInvoice({ lines: [makePriced({})], rule: () => toUntaxed(reason) }));
    expect([text(`${TAX}/CategoryCode`), text(`${TAX}/ExemptionReason`)]).toEqual([category, words]);
  });

  it('takes the tax out of an inclusive price and its discount', () => {
    const cart = {
      lines: [makePriced({ unitPriceMinor: 999n, quantity: 3, inclusive: true })],
      rule: () => makeRule(190_000),
      discount: makeDiscount({ name: 'Launch' }),
    };
    const { text } = read(makeSoldInvoice(cart));
    const allowance = `${LINE}/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge`;
    // 29.97 less 3.00 is 26.97: 22.66 net, 4.31 tax; the discount itself is 2.52 net.
    expect(text(`${SUMS}/LineTotalAmount`)).toBe('22.66');
    expect(text(`${allowance}/ActualAmount`)).toBe('2.52');
    expect(text(`${allowance}/Reason`)).toBe('Launch');
    expect(text(`${LINE}/SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount`)).toBe('25.18');
    expect(text(`${LINE}/SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity`)).toBe('3');
  });

  it('adds up the taxes of a line, and tells them apart in a note', () => {
    const rates = [
      makeRate({ name: 'GST', country: 'CA', percentage: 5, taxable: 4900, amount: 245 }),
      makeRate({ name: 'QST', country: 'CA', region: 'QC', percentage: 9.975, taxable: 4900, amount: 489 }),
    ];
    const lines = [makeLine({ rates, tax: 734, total: 5634 })];
    const { text, root } = read(
      makeSnapshot({ lines, taxes: rates, tax: 734, total: 5634, currency: 'CAD' }),
    );
    expect(text(`${TAX}/RateApplicablePercent`)).toBe('14.975');
    expect(text(`${TAX}/CalculatedAmount`)).toBe('7.34');
    expect(JSON.stringify(root)).toContain('Taxes: GST 5% (CA), QST 9.975% (CA-QC)');
  });

  it.each([
    ['JPY', '12300', '13530'],
    ['BHD', '12.30', '13.53'],
  ])('writes amounts of %s with its decimals', (currency, net, total) => {
    const { text } = read(sell([100_000], { unitPriceMinor: 12_300n }, { currency }));
    expect(text(`${SUMS}/LineTotalAmount`)).toBe(net);
    expect(text(`${SUMS}/GrandTotalAmount`)).toBe(total);
  });

  it('of a refund is a credit note and names its invoice', () => {
    const invoice = makeSnapshot();
    const refund = { amountMinor: 1000n, taxMinor: 160n, reason: 'duplicate', refundedAt: 0 };
    const note = { ...planCreditNote(invoice, [], refund), number: 'CN-2026-000001', finalisedAt: 0 };
    const { root, text } = read(note);
    expect(JSON.stringify(root)).toContain('"text":"381"');
    const reference = 'ApplicableHeaderTradeSettlement/InvoiceReferencedDocument';
    expect(text(`${reference}/IssuerAssignedID`)).toBe('INV-2026-000001');
    expect(text(`${reference}/FormattedIssueDateTime/DateTimeString`)).toBe('20261121');
  });

  it('of a renewal says the period, and a credit by a negative quantity', () => {
    const [periodStart, periodEnd] = [Date.UTC(2026, 10, 21), Date.UTC(2026, 11, 21)];
    const renewal = makeLine({ periodStart, periodEnd });
    const rates = [makeRate({ taxable: -1000, amount: -190 })];
    const credit = makeLine({ unitPrice: -1000, net: -1000, tax: -190, total: -1190, rates });
    const { text, texts } = read(
      makeSnapshot({ lines: [renewal, credit], net: 3900, tax: 741, total: 4641 }),
    );
    const period = `${LINE}/SpecifiedLineTradeSettlement/BillingSpecifiedPeriod`;
    expect(text(`${period}/StartDateTime/DateTimeString`)).toBe('20261121');
    expect(text(`${period}/EndDateTime/DateTimeString`)).toBe('20261221');
    expect(texts(`${LINE}/SpecifiedLineTradeDelivery/BilledQuantity`)).toEqual(['1', '-1']);
  });

  it('keeps any text as text', () => {
    const name = 'Rock & <Roll> "Ω" 東京 \u0000\ud800';
    const { text } = read(makeSnapshot({ lines: [makeLine({ name })] }));
    expect(text(`${LINE}/SpecifiedTradeProduct/Name`)).toBe('Rock & <Roll> "Ω" 東京 \ufffd\ufffd');
  });
});

describe('there is none', () => {
  const reversed = makeSoldInvoice({ lines: [makePriced({})], rule: () => toUntaxed('reverse_charge') });
  const mixed = makeSoldInvoice({
    lines: [makePriced({ key: 'a' }), makePriced({ key: 'b' })],
    rule: ({ key }) => (key === 'a' ? makeRule(190_000) : toUntaxed('outside_scope')),
  });
  it.each<[string, Snapshot]>([
    ['a shop without a country', makeSnapshot({ seller: { ...seller, country: null } })],
    ['a shop without any number', makeSnapshot({ seller: { ...seller, taxNumber: null } })],
    ['a buyer without a name', makeSnapshot({ buyer: { ...buyer, name: ' ' } })],
    ['a buyer without a country', makeSnapshot({ buyer: { ...buyer, country: null } })],
    ['a reverse charge to a buyer without a number', reversed],
    ['a sale that is taxed in part, and in part outside of tax', mixed],
    ['an amount with a third decimal', sell([190_000], { unitPriceMinor: 1001n }, { currency: 'BHD' })],
    ['a withdrawn currency', makeSnapshot({ currency: 'HRK' })],
    ['lines that do not add up to the total', makeSnapshot({ total: 5832 })],
    [
      'a tax that is given back alone',
      makeSnapshot({
        lines: [makeLine({ net: 0, tax: 931, total: 931 })],
        net: 0,
        tax: 931,
        total: 931,
      }),
    ],
  ])('for %s', (_, snapshot) => {
    expect(toCii(snapshot)).toBeNull();
  });
});

describe('whatever is sold', () => {
  const line = fc.record({
    unitPriceMinor: fc.bigInt({ min: 1n, max: 100_000n }),
    quantity: fc.integer({ min: 1, max: 9 }),
    inclusive: fc.boolean(),
    rates: fc.constantFrom([190_000], [70_000], [50_000, 99_750], [0], [255_000]),
  });
  const cart = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    percentOff: fc.constantFrom(0n, 1000n, 3333n),
    currency: fc.constantFrom('EUR', 'JPY', 'CLP', 'BHD'),
  });

  it('the standard’s sums hold, of the invoice and of each part that is given back', () => {
    fc.assert(
      fc.property(cart, fc.integer({ min: 1, max: 99 }), ({ lines, percentOff, currency }, percent) => {
        const priced = lines.map((fields, index) => ({ ...makePriced(fields), key: String(index) }));
        const rules = lines.map(({ rates }) =>
          rates[0] === 0 ? toUntaxed('zero_rated') : makeRule(...rates),
        );
        const rule = ({ key }: { key: string }) => rules[Number(key)] ?? makeRule();
        const discount = percentOff === 0n ? null : makeDiscount({ amount: percentOff });
        const invoice = makeSoldInvoice({ lines: priced, rule, discount }, { currency });
        const amountMinor = (BigInt(invoice.total) * BigInt(percent)) / 100n;
        const taxMinor = (BigInt(invoice.tax) * BigInt(percent)) / 100n;
        const refund = { amountMinor, taxMinor, reason: 'other', refundedAt: 0 };
        const note = { ...planCreditNote(invoice, [], refund), number: 'CN', finalisedAt: 0 };
        for (const document of amountMinor > 0n ? [invoice, note] : [invoice]) {
          const xml = toCii(document);
          // Fils and whole yen have less room for rounding line by line; of cents nothing is left out.
          if (currency === 'EUR') expect(xml).not.toBeNull();
          if (xml !== null) expectEn16931(xml);
        }
      }),
    );
  });
});

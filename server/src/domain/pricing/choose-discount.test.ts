import { describe, expect, it } from 'vitest';
import type { LineTaxRule } from '../tax/rate.ts';
import { chooseDiscount, type GivenCode } from './choose-discount.ts';
import type { DiscountTerms } from './discount.ts';
import type { PricedLine } from './totals.ts';
import { makeDiscount, makeLine, makeRule } from './values.testing.ts';

const LINES = [makeLine({ unitPriceMinor: 2000n })];

const sale = (percent: bigint, terms: Partial<DiscountTerms> = {}) =>
  makeDiscount({ id: `sale-${percent}`, amount: percent * 100n, ...terms });
const code = (percent: bigint, terms: Partial<DiscountTerms> = {}) =>
  makeDiscount({
    id: `code-${percent}`,
    type: 'code',
    discountCode: 'SAVE',
    amount: percent * 100n,
    ...terms,
  });

interface Offered {
  sales?: readonly DiscountTerms[];
  code?: GivenCode;
  lines?: readonly PricedLine[];
  redemptions?: ReadonlyMap<string, number>;
  tax?: (line: PricedLine) => LineTaxRule;
}

function choose({ sales = [], code: given = null, lines = LINES, redemptions, tax }: Offered) {
  const choice = chooseDiscount(
    lines,
    { sales, code: given },
    {
      nowMs: 1_000,
      currency: 'EUR',
      userRedemptions: redemptions ?? new Map(),
      tax: tax ?? (() => makeRule(190_000)),
    },
  );
  const { discount, totals, codeRefusal, codeUnused } = choice;
  return { id: discount?.id ?? null, totalMinor: totals.totalMinor, codeRefusal, codeUnused };
}

describe('chooseDiscount', () => {
  it('prices without any', () => {
    expect(choose({})).toEqual({ id: null, totalMinor: 2380n, codeRefusal: null, codeUnused: false });
  });

  it('applies the best running sale by itself', () => {
    expect(choose({ sales: [sale(5n), sale(20n), sale(10n)] })).toMatchObject({
      id: 'sale-20',
      totalMinor: 1904n,
    });
  });

  it('uses the code where it leaves the buyer paying less', () => {
    expect(choose({ sales: [sale(10n)], code: code(20n) })).toMatchObject({
      id: 'code-20',
      codeUnused: false,
    });
  });

  it('uses the sale where it is better, and says that the valid code was not used', () => {
    expect(choose({ sales: [sale(20n)], code: code(10n) })).toMatchObject({
      id: 'sale-20',
      codeRefusal: null,
      codeUnused: true,
    });
  });

  it('gives a tie to the sale', () => {
    const fixed = code(0n, { amountType: 'fixed', amount: 200n, currency: 'EUR' });
    expect(choose({ sales: [sale(10n)], code: fixed })).toMatchObject({ id: 'sale-10', codeUnused: true });
  });

  it('gives a tie among sales to the smaller id, whatever their order', () => {
    const a = sale(10n, { id: 'a' });
    const b = sale(10n, { id: 'b' });
    expect(choose({ sales: [b, a] }).id).toBe('a');
    expect(choose({ sales: [a, b] }).id).toBe('a');
  });

  it('compares what is paid in the end, tax included, not the amounts off', () => {
    const lines = [
      makeLine({ key: 'a', offerId: 'taxed', unitPriceMinor: 1000n }),
      makeLine({ key: 'b', offerId: 'untaxed', unitPriceMinor: 1000n }),
    ];
    const offTaxed = sale(9n, { includesAllOffers: false, includedOffers: ['taxed'] });
    const offUntaxed = code(10n, { includesAllOffers: false, includedOffers: ['untaxed'] });
    const tax = (line: PricedLine) => makeRule(line.offerId === 'taxed' ? 250_000 : 0);
    expect(choose({ lines, tax, sales: [offTaxed], code: offUntaxed })).toMatchObject({
      id: 'sale-9',
      codeUnused: true,
    });
  });

  it('tells why a code cannot be used, and prices with the sale', () => {
    expect(choose({ sales: [sale(10n)], code: code(50n, { status: 'inactive' }) })).toEqual({
      id: 'sale-10',
      totalMinor: 2142n,
      codeRefusal: 'discount_inactive',
      codeUnused: false,
    });
    expect(choose({ code: 'unknown' })).toMatchObject({ id: null, codeRefusal: 'discount_code_unknown' });
    const redemptions = new Map([['code-50', 1]]);
    expect(choose({ code: code(50n, { limitPerUser: 1 }), redemptions })).toMatchObject({
      codeRefusal: 'discount_user_limit',
    });
  });

  it('keeps a valid code for another time where it takes nothing off, as of a free claim', () => {
    const lines = [makeLine({ unitPriceMinor: 0n })];
    const unused = { id: null, totalMinor: 0n, codeRefusal: null, codeUnused: true };
    expect(choose({ lines, code: code(50n) })).toEqual(unused);
    expect(choose({ lines, sales: [sale(50n)], code: code(50n) })).toEqual(unused);
    const tiny = code(0n, { amount: 1n });
    expect(choose({ lines: [makeLine({ unitPriceMinor: 10n })], code: tiny })).toMatchObject({ id: null });
  });

  it('leaves out sales that do not run, do not fit or take nothing off', () => {
    const sales = [
      sale(90n, { validUntilMs: 1_000 }),
      sale(80n, { includesAllOffers: false, includedOffers: ['other'] }),
      sale(0n, { id: 'tiny', amount: 1n }),
    ];
    expect(choose({ sales, lines: [makeLine({ unitPriceMinor: 10n })] }).id).toBe(null);
  });
});

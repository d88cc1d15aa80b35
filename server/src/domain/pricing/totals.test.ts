import { describe, expect, it } from 'vitest';
import { MINOR_MAX } from '../money/money.ts';
import type { LineTaxRule } from '../tax/rate.ts';
import { computeTotals, type PricedLine } from './totals.ts';
import { makeDiscount, makeLine, makeRule } from './values.testing.ts';

const GERMAN = makeRule(190_000);
const QUEBEC = makeRule(50_000, 99_750);

function total(lines: readonly PricedLine[], rule: LineTaxRule, terms?: Parameters<typeof makeDiscount>[0]) {
  return computeTotals({ lines, discount: terms ? makeDiscount(terms) : null, tax: () => rule });
}

describe('tax on top of the price', () => {
  it('is rounded per line and rate', () => {
    const totals = total([makeLine({ unitPriceMinor: 999n, quantity: 3 })], QUEBEC);
    expect(totals).toMatchObject({ subtotalMinor: 2997n, taxMinor: 449n, totalMinor: 3446n });
    expect(totals.lines[0]?.rates.map((rate) => rate.amountMinor)).toEqual([150n, 299n]);
    expect(totals.lines[0]?.rates.map((rate) => rate.taxableMinor)).toEqual([2997n, 2997n]);
  });

  it('rounds a half away from zero, on a credit too', () => {
    const half = makeRule(50_000);
    expect(total([makeLine({ unitPriceMinor: 10n })], half).taxMinor).toBe(1n);
    expect(total([makeLine({ unitPriceMinor: -10n })], half)).toMatchObject({
      taxMinor: -1n,
      totalMinor: -11n,
    });
  });

  it('is taken per line, not on the sum', () => {
    const lines = ['a', 'b'].map((key) => makeLine({ key, unitPriceMinor: 13n }));
    expect(total(lines, GERMAN).taxMinor).toBe(4n);
  });
});

describe('tax within the price', () => {
  it.each([
    [1000n, GERMAN, 840n, 160n],
    [-1000n, GERMAN, -840n, -160n],
    [999n, makeRule(255_000), 796n, 203n],
    [1n, GERMAN, 1n, 0n],
    [1000n, makeRule(0), 1000n, 0n],
  ])('of %d leaves the price as it is', (unitPriceMinor, rule, netMinor, taxMinor) => {
    const totals = total([makeLine({ unitPriceMinor, inclusive: true })], rule);
    expect(totals.lines[0]).toMatchObject({ netMinor, taxMinor, totalMinor: unitPriceMinor });
  });

  it('is split over the rates by largest remainder', () => {
    const [line] = total([makeLine({ unitPriceMinor: 1000n, inclusive: true })], QUEBEC).lines;
    expect(line).toMatchObject({ netMinor: 870n, taxMinor: 130n });
    expect(line?.rates.map((rate) => rate.amountMinor)).toEqual([43n, 87n]);
  });
});

describe('a discount', () => {
  it('lowers the base of the tax, in the price’s own tax behaviour', () => {
    expect(total([makeLine({})], GERMAN, {})).toMatchObject({
      subtotalMinor: 1000n,
      discountMinor: 100n,
      taxMinor: 171n,
      totalMinor: 1071n,
    });
    expect(total([makeLine({ inclusive: true })], GERMAN, {})).toMatchObject({
      discountMinor: 100n,
      taxMinor: 144n,
      totalMinor: 900n,
    });
  });

  it('of a percentage is rounded on each line', () => {
    const lines = ['a', 'b'].map((key) => makeLine({ key, unitPriceMinor: 5n }));
    expect(total(lines, makeRule(0), {}).discountMinor).toBe(2n);
  });

  it('of a fixed amount is spread in proportion over the eligible lines alone', () => {
    const lines = [
      makeLine({ key: 'a', offerId: 'a', unitPriceMinor: 1000n }),
      makeLine({ key: 'b', offerId: 'b', unitPriceMinor: 3000n }),
      makeLine({ key: 'c', offerId: 'c', unitPriceMinor: 9000n }),
      makeLine({ key: 'd', offerId: null, unitPriceMinor: 9000n }),
    ];
    const totals = total(lines, makeRule(0), { amountType: 'fixed', amount: 1000n, excludedOffers: ['c'] });
    expect(totals.lines.map((line) => line.discountMinor)).toEqual([250n, 750n, 0n, 0n]);
  });

  it('never takes a line below 0', () => {
    const totals = total([makeLine({})], GERMAN, { amountType: 'fixed', amount: 5000n });
    expect(totals).toMatchObject({ discountMinor: 1000n, taxMinor: 0n, totalMinor: 0n });
  });

  it('leaves a credit line alone', () => {
    const lines = [makeLine({ key: 'a' }), makeLine({ key: 'b', unitPriceMinor: -400n })];
    const fixed = total(lines, makeRule(0), { amountType: 'fixed', amount: 1500n });
    expect(fixed.lines.map((line) => line.discountMinor)).toEqual([1000n, 0n]);
    expect(total(lines, makeRule(0), {}).discountMinor).toBe(100n);
  });

  it.each([
    ['the lower tax rate', { a: { rate: 190_000 }, b: { rate: 70_000 } }],
    ['the smaller offer id', { a: { offerId: 'offer-z' }, b: { offerId: 'offer-b' } }],
    [
      'the smaller unit price',
      { a: { unitPriceMinor: 20n, quantity: 1 }, b: { unitPriceMinor: 10n, quantity: 2 } },
    ],
  ])('gives the odd unit of a tie to the line with %s', (_what, { a, b }) => {
    const rates: Record<string, number> = {
      a: 'rate' in a ? a.rate : 0,
      b: 'rate' in b ? b.rate : 0,
    };
    const lines = [
      makeLine({ unitPriceMinor: 20n, ...a, key: 'a' }),
      makeLine({ unitPriceMinor: 20n, ...b, key: 'b' }),
    ];
    const { lines: priced } = computeTotals({
      lines,
      discount: makeDiscount({ amountType: 'fixed', amount: 5n }),
      tax: (line) => makeRule(rates[line.key] ?? 0),
    });
    expect(priced.map((line) => line.discountMinor)).toEqual([2n, 3n]);
  });
});

describe('the order of the lines', () => {
  const off = (amount: bigint) => makeDiscount({ amountType: 'fixed', amount });

  it('does not decide a tie between quantities', () => {
    const pair = [
      { unitPriceMinor: 10n, quantity: 1 },
      { unitPriceMinor: 10n, quantity: 3 },
    ];
    const totals = [pair, pair.toReversed()].map((lines) =>
      computeTotals({
        lines: lines.map((line, index) => makeLine({ ...line, key: String(index) })),
        discount: off(2n),
        tax: () => makeRule(50_000),
      }),
    );
    expect(totals[0]?.totalMinor).toBe(totals[1]?.totalMinor);
  });

  it('does not decide a tie between rates that have one sum', () => {
    const rules = [makeRule(50_000, 50_000), makeRule(100_000)];
    const totals = [rules, rules.toReversed()].map((order) =>
      computeTotals({
        lines: ['0', '1'].map((key) => makeLine({ key, unitPriceMinor: 10n })),
        discount: off(1n),
        tax: (line) => order[Number(line.key)] ?? makeRule(),
      }),
    );
    expect(totals[0]?.totalMinor).toBe(totals[1]?.totalMinor);
  });
});

describe('bounds', () => {
  it('passes the largest amount and refuses one more', () => {
    expect(total([makeLine({ unitPriceMinor: MINOR_MAX })], makeRule(0)).totalMinor).toBe(MINOR_MAX);
    const tooLarge = expect.objectContaining({ code: 'amount_too_large' });
    expect(() => total([makeLine({ unitPriceMinor: MINOR_MAX, quantity: 2 })], makeRule(0))).toThrow(
      tooLarge,
    );
    expect(() => total([makeLine({ unitPriceMinor: MINOR_MAX })], GERMAN)).toThrow(tooLarge);
    const two = ['a', 'b'].map((key) => makeLine({ key, unitPriceMinor: MINOR_MAX }));
    expect(() => total(two, makeRule(0))).toThrow(tooLarge);
  });
});

describe('the stored inputs', () => {
  it('keep unit, quantity, behaviour and rule with each line, in the order given', () => {
    const lines = [makeLine({ key: 'b', quantity: 2 }), makeLine({ key: 'a', inclusive: true })];
    const totals = total(lines, GERMAN);
    expect(totals.lines).toMatchObject([
      { key: 'b', offerId: 'offer-a', unitPriceMinor: 1000n, quantity: 2, inclusive: false, rule: GERMAN },
      { key: 'a', inclusive: true, rule: GERMAN },
    ]);
  });

  it('do not take over what else the caller’s line carries', () => {
    const [line] = total([{ ...makeLine({}), secret: 1 } as PricedLine], GERMAN).lines;
    expect(line).not.toHaveProperty('secret');
  });

  it('of an empty cart are zeros', () => {
    expect(total([], GERMAN, {})).toEqual({
      subtotalMinor: 0n,
      discountMinor: 0n,
      taxMinor: 0n,
      totalMinor: 0n,
      lines: [],
    });
  });
});

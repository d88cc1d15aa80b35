import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyDecimals } from '../money/currency.ts';
import { smallerAmount } from '../money/money.ts';
import { computeTotals, type PricedLine, type Totals, type TotalsInput } from './totals.ts';
import { makeDiscount, makeRule } from './values.testing.ts';

// Few offers, prices and rates, so that ties and equal lines come up often.
const RATES_PPM = [[0], [81_000], [190_000], [255_000], [50_000, 99_750], [50_000, 70_000]] as const;
const CURRENCY = fc.constantFrom('JPY', 'EUR', 'KWD');

interface Cart {
  lines: Array<PricedLine & { rateIndex: number }>;
  discount: TotalsInput['discount'];
}

function cartOf(currency: string): fc.Arbitrary<Cart> {
  const unit = 10n ** BigInt(currencyDecimals(currency));
  const price = fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 1000n * unit));
  const line = fc.record({
    offerId: fc.constantFrom('offer-a', 'offer-b', 'offer-c', null),
    unitPriceMinor: price,
    quantity: fc.integer({ min: 1, max: 12 }),
    inclusive: fc.boolean(),
    rateIndex: fc.nat({ max: RATES_PPM.length - 1 }),
  });
  const discount = fc.oneof(
    fc.bigInt(1n, 10_000n).map((amount) => makeDiscount({ amount })),
    price.map((amount) => makeDiscount({ amountType: 'fixed', amount, currency })),
    fc.constant(makeDiscount({ amount: 3333n, includesAllOffers: false, includedOffers: ['offer-b'] })),
    fc.constant(null),
  );
  return fc.record({
    lines: fc
      .array(line, { minLength: 1, maxLength: 8 })
      .map((lines) => lines.map((entry, index) => ({ ...entry, key: String(index) }))),
    discount,
  });
}

const CART = CURRENCY.chain(cartOf);

function price({ lines, discount }: Cart): Totals {
  return computeTotals({ lines, discount, tax: (line) => makeRule(...(RATES_PPM[line.rateIndex] ?? [])) });
}

function sumOf<T>(values: readonly T[], read: (value: T) => bigint): bigint {
  return values.reduce((sum, value) => sum + read(value), 0n);
}

// One expectation per cart: ten thousand carts times forty of them would take longer than the sums do.
function findMismatches(totals: Totals): string[] {
  const { lines } = totals;
  const checks: Record<string, boolean> = {
    'rates add up to the tax': lines.every(
      (line) => sumOf(line.rates, (rate) => rate.amountMinor) === line.taxMinor,
    ),
    'net and tax add up to the line': lines.every(
      (line) => line.netMinor + line.taxMinor === line.totalMinor,
    ),
    'the price less discount is the gross or the net': lines.every(
      (line) =>
        (line.inclusive ? line.totalMinor : line.netMinor) === line.subtotalMinor - line.discountMinor,
    ),
    'a discount is within its line': lines.every(
      (line) => line.discountMinor >= 0n && line.discountMinor <= line.subtotalMinor,
    ),
    'no tax is negative': lines.every((line) => line.rates.every((rate) => rate.amountMinor >= 0n)),
    'subtotals add up': sumOf(lines, (line) => line.subtotalMinor) === totals.subtotalMinor,
    'discounts add up': sumOf(lines, (line) => line.discountMinor) === totals.discountMinor,
    'nets and tax add up': sumOf(lines, (line) => line.netMinor) + totals.taxMinor === totals.totalMinor,
    'totals add up': sumOf(lines, (line) => line.totalMinor) === totals.totalMinor,
  };
  return Object.keys(checks).filter((name) => checks[name] === false);
}

describe('10,000 carts', () => {
  it('T18 add up: rates to tax, net and tax to a line, lines to the order, an inclusive price to itself', () => {
    fc.assert(
      fc.property(CART, (cart) => {
        expect(findMismatches(price(cart))).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });

  it('T18 come to the same sums in any order of their lines', () => {
    const shuffled = CART.chain((cart) =>
      fc.shuffledSubarray(cart.lines, { minLength: cart.lines.length }).map((lines) => ({
        cart,
        other: { ...cart, lines: lines.map((line, index) => ({ ...line, key: `${index}` })) },
      })),
    );
    fc.assert(
      fc.property(shuffled, ({ cart, other }) => {
        const { lines: _lines, ...sums } = price(cart);
        const { lines: _others, ...otherSums } = price(other);
        expect(otherSums).toEqual(sums);
      }),
      { numRuns: 5_000 },
    );
  });

  it('give exactly the fixed amount off, or all there is', () => {
    const fixed = fc.tuple(CART, fc.bigInt(1n, 100_000n));
    fc.assert(
      fc.property(fixed, ([cart, amount]) => {
        const discount = makeDiscount({ amountType: 'fixed', amount, currency: 'EUR' });
        const totals = price({ ...cart, discount });
        const eligible = sumOf(
          totals.lines.filter((line) => line.offerId !== null),
          (line) => line.subtotalMinor,
        );
        expect(totals.discountMinor).toBe(smallerAmount(eligible, amount));
      }),
      { numRuns: 2_000 },
    );
  });

  it('mirror a credit line in every amount', () => {
    fc.assert(
      fc.property(CART, (cart) => {
        const charged = price({ ...cart, discount: null });
        const lines = cart.lines.map((line) => ({ ...line, unitPriceMinor: -line.unitPriceMinor }));
        const credited = price({ lines, discount: null });
        expect(credited.totalMinor).toBe(-charged.totalMinor);
        expect(credited.taxMinor).toBe(-charged.taxMinor);
      }),
      { numRuns: 2_000 },
    );
  });
});

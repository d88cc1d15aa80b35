import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencyDecimals } from '../../../domain/money/currency.ts';
import { PAYPAL_CURRENCIES, payPalStepOf, toPayPalMoney } from '../paypal/amounts.ts';
import {
  fromStripeAmount,
  STRIPE_CURRENCIES,
  stripeStepOf,
  toStripeAmount,
  toStripeUnits,
} from './amounts.ts';

const currency = fc.constantFrom(...STRIPE_CURRENCIES);
const amountMinor = fc.bigInt({ min: 0n, max: 10n ** 13n });

describe("P07 an amount in Stripe's units", () => {
  it.each([
    ['EUR', 1999n, 1999],
    ['JPY', 500n, 500],
    ['ISK', 500n, 50_000],
    ['UGX', 500n, 50_000],
    ['MGA', 500_00n, 500],
    ['KWD', 1230n, 1230],
    ['IDR', 999_999_999_999n, 999_999_999_999],
  ])('of %s %d is %d', (code, ours, theirs) => {
    expect(toStripeAmount({ amountMinor: ours, currency: code })).toEqual({ kind: 'amount', amount: theirs });
  });

  it.each([
    ['MGA', 500_50n],
    ['KWD', 1234n],
    ['EUR', 100_000_000n],
    ['ISK', 1_000_000n],
    ['IDR', 1_000_000_000_000n],
    ['VED', 1000n],
  ])('of %s %d is none', (code, ours) => {
    expect(toStripeAmount({ amountMinor: ours, currency: code })).toEqual({ kind: 'not_chargeable' });
  });

  it.each([
    ['EUR', 49n, 50n],
    ['ISK', 0n, 1n],
    ['MGA', 99n, 100n],
    ['BHD', 9n, 10n],
    ['HUF', 17499n, 17500n],
  ])('of %s %d is below the least, %d', (code, ours, minimumMinor) => {
    expect(toStripeAmount({ amountMinor: ours, currency: code })).toEqual({
      kind: 'below_minimum',
      minimumMinor,
    });
  });

  it('means the same money on the way back, whatever the currency', () => {
    fc.assert(
      fc.property(currency, amountMinor, (code, ours) => {
        const theirs = toStripeAmount({ amountMinor: ours, currency: code });
        if (theirs.kind !== 'amount') return;
        expect(fromStripeAmount(theirs.amount, code.toLowerCase())).toEqual({
          amountMinor: ours,
          currency: code,
        });
      }),
    );
  });

  it('is taken from the least amount on, in steps, up to eight digits', () => {
    fc.assert(
      fc.property(currency, amountMinor, (code, ours) => {
        const asked = toStripeAmount({ amountMinor: ours, currency: code });
        if (asked.kind === 'below_minimum') {
          expect(ours < asked.minimumMinor).toBe(true);
          expect(toStripeAmount({ amountMinor: asked.minimumMinor, currency: code }).kind).toBe('amount');
        }
        if (asked.kind === 'amount') {
          expect(Number.isSafeInteger(asked.amount) && asked.amount > 0).toBe(true);
          expect(asked.amount).toBeLessThan(code === 'IDR' ? 10 ** 12 : 10 ** 8);
          if (currencyDecimals(code) === 3) expect(asked.amount % 10).toBe(0);
        }
      }),
    );
  });

  it('is told of currencies that we know alone', () => {
    expect(STRIPE_CURRENCIES.filter((code) => !CURRENCIES.includes(code))).toEqual([]);
    expect(new Set(STRIPE_CURRENCIES).size).toBe(STRIPE_CURRENCIES.length);
  });

  it('rounds what has no unit of ours, also below 0', () => {
    expect(fromStripeAmount(150, 'isk')).toEqual({ amountMinor: 2n, currency: 'ISK' });
    expect(fromStripeAmount(-150, 'isk')).toEqual({ amountMinor: -2n, currency: 'ISK' });
  });
});

it.each([
  ['Stripe', STRIPE_CURRENCIES, stripeStepOf, toStripeUnits],
  ['PayPal', PAYPAL_CURRENCIES, payPalStepOf, toPayPalMoney],
] as const)(
  'P07 what %s moves is a multiple of its step, and each multiple is moved',
  (_name, codes, stepOf, write) => {
    const asked = fc.record({
      code: fc.constantFrom(...codes),
      sum: fc.bigInt({ min: 0n, max: 9_999_999n }),
    });
    fc.assert(
      fc.property(asked, ({ code, sum }) => {
        const isMoved = write({ amountMinor: sum, currency: code }) !== null;
        expect(isMoved).toBe(sum % stepOf(code) === 0n);
      }),
    );
  },
);

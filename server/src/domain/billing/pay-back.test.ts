import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRule } from '../pricing/values.testing.ts';
import { makeItem } from './items.testing.ts';
import { type BillingLine, toTaxKey } from './line.ts';
import { afterPayBacks, findUnborne, planPayBacks, withPayBacks } from './pay-back.ts';
import { type BookedPayment, computeLeft, computeRoom, lowerCredits, toBookedLine } from './period-books.ts';
import { planProration } from './proration.ts';

/** Taxes by their rate: 20 % and 0, as of a buyer who becomes a company. */
const VAT = 200_000;
const NONE = 0;

/** A line of this net, negative for a credit, of the period that ends at `end`. */
function lineOf(net: bigint, taxPpm: number, end = 1000): BillingLine {
  const item = makeItem({ unitPrice: net < 0n ? -net : net, ratesPpm: [taxPpm] });
  const [line] = planProration({
    before: net < 0n ? [item] : [],
    after: net < 0n ? [] : [item],
    currency: 'EUR',
    discount: null,
    period: { startMs: end - 1000, endMs: end, fullMs: 1000, atMs: end - 1000 },
    tax: () => makeRule(taxPpm),
    stepMinor: 1n,
    creditMaxMinor: 10n ** 12n,
  });
  if (!line) throw new Error('a change of one item has one line');
  return line;
}

const keyOf = (taxPpm: number) => toTaxKey(lineOf(1n, taxPpm));
const sumOf = (lines: readonly BillingLine[]) => lines.reduce((sum, { total }) => sum + total, 0n);

function paymentOf(
  id: string,
  lines: readonly BillingLine[],
  more: Partial<BookedPayment> = {},
): BookedPayment {
  return {
    id,
    periodEnd: 1000,
    valueMinor: sumOf(lines),
    taxMinor: lines.reduce((sum, { tax }) => sum + tax, 0n),
    canPayBack: true,
    lines: lines.map(toBookedLine),
    refunds: [],
    ...more,
  };
}

const planOf = (waiting: readonly BillingLine[], payments: readonly BookedPayment[]) =>
  planPayBacks(waiting, new Set([keyOf(VAT)]), payments).payBacks.map(
    ({ paymentId, amountMinor, taxMinor }) => [paymentId, amountMinor, taxMinor],
  );

describe('planPayBacks', () => {
  const first = paymentOf('first', [lineOf(10_000n, VAT)]);
  const later = paymentOf('later', [lineOf(500n, VAT)]);

  it('takes the payments of the period, newest first, with the tax of the credit', () => {
    expect(planOf([lineOf(-10_000n, VAT)], [first, later])).toEqual([
      ['later', 600n, 100n],
      ['first', 11_400n, 1900n],
    ]);
  });

  it('makes one refund a payment, whatever the credits', () => {
    const waiting = [lineOf(-1000n, VAT), lineOf(-2000n, VAT)];
    expect(planOf(waiting, [first])).toEqual([['first', 3600n, 600n]]);
  });

  it('takes nothing from a payment of another tax, nor of another period', () => {
    const untaxed = paymentOf('untaxed', [lineOf(5000n, NONE)]);
    const other = paymentOf('other', [lineOf(5000n, VAT, 2000)], { periodEnd: 2000 });
    expect(planOf([lineOf(-1000n, VAT)], [untaxed, other])).toEqual([]);
  });

  it('goes back to the payments that carried credits came from', () => {
    const next = paymentOf('next', [lineOf(3000n, VAT, 2000), lineOf(-2000n, VAT)], { periodEnd: 2000 });
    expect(planOf([lineOf(-3000n, VAT, 2000)], [first, next])).toEqual([
      ['next', 1200n, 200n],
      ['first', 2400n, 400n],
    ]);
  });

  it('lets wait what a disputed payment, or one without money, cannot give back', () => {
    const waiting = [lineOf(-1000n, VAT)];
    expect(planOf(waiting, [{ ...first, canPayBack: false }])).toEqual([]);
    const refunds = [{ amountMinor: 11_500n, taxMinor: 1917n, paidBack: null }];
    const plan = planPayBacks(waiting, new Set([keyOf(VAT)]), [{ ...first, refunds }]);
    expect(plan.payBacks).toMatchObject([{ amountMinor: 500n, taxMinor: 83n }]);
    expect(afterPayBacks(waiting, plan)).toMatchObject([{ total: -700n, tax: -117n }]);
  });
});

describe('findUnborne', () => {
  it('finds the taxes of credits that no charge above 0 has', () => {
    const credits = [lineOf(-1000n, VAT), lineOf(-1000n, NONE)];
    expect([...findUnborne(credits, [lineOf(1n, NONE)])]).toEqual([keyOf(VAT)]);
    expect([...findUnborne(credits, [{ ...lineOf(1n, VAT), total: 0n }])]).toHaveLength(2);
  });
});

describe('computeRoom', () => {
  it('is what was paid and waits, less credits and refunds', () => {
    const first = paymentOf('first', [lineOf(1000n, VAT)]);
    expect(computeRoom(1000, [first], [])).toBe(1200n);
    const waiting = [lineOf(-1000n, VAT), lineOf(300n, NONE)].map(toBookedLine);
    expect(computeRoom(1000, [first], waiting)).toBe(300n);
    const refunds = [{ amountMinor: 400n, taxMinor: 67n, paidBack: null }];
    expect(computeRoom(1000, [{ ...first, refunds }], waiting)).toBe(-100n);
  });

  it('counts a refund of a payment with lines of two periods to its own first', () => {
    const lines = [lineOf(1000n, VAT, 2000), lineOf(500n, VAT)];
    const refunds = [{ amountMinor: 1500n, taxMinor: 250n, paidBack: null }];
    const next = paymentOf('next', lines, { periodEnd: 2000, refunds });
    expect(computeRoom(2000, [next], [])).toBe(0n);
    expect(computeRoom(1000, [next], [])).toBe(300n);
  });
});

const NET = fc.bigInt(1n, 9999n);
const TAX = fc.constantFrom(VAT, NONE);
const END = fc.constantFrom(1000, 2000);
const CHARGE = fc.tuple(NET, TAX, END).map(([net, tax, end]) => lineOf(net, tax, end));
const CREDIT = fc.tuple(NET, TAX, END).map(([net, tax, end]) => lineOf(-net, tax, end));
const PAYMENT = fc
  .record({
    lines: fc.array(CHARGE, { minLength: 1, maxLength: 3 }),
    refunds: fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 3 }),
    canPayBack: fc.boolean(),
    periodEnd: END,
  })
  .map(({ lines, refunds: milles, canPayBack, periodEnd }) => {
    const payment = paymentOf('', lines, { canPayBack, periodEnd });
    const refunds = [];
    let [leftMinor, leftTaxMinor] = [payment.valueMinor, payment.taxMinor];
    for (const mille of milles) {
      const amountMinor = (leftMinor * BigInt(mille)) / 1000n;
      const taxMinor = (leftTaxMinor * BigInt(mille)) / 1000n;
      refunds.push({ amountMinor, taxMinor, paidBack: null });
      leftMinor -= amountMinor;
      leftTaxMinor -= taxMinor;
    }
    return { ...payment, refunds };
  });
const PAYMENTS = fc
  .array(PAYMENT, { maxLength: 4 })
  .map((payments) => payments.map((payment, index) => ({ ...payment, id: `p${index}` })));
const WAITING = fc.array(fc.oneof(CREDIT, CREDIT, CHARGE), { maxLength: 6 });

describe('whatever was paid, refunded and credited', () => {
  it('nothing is given back twice, and parts sum to the whole', () => {
    fc.assert(
      fc.property(PAYMENTS, WAITING, (payments, waiting) => {
        const plan = planPayBacks(waiting, new Set([keyOf(VAT)]), payments);
        const after = afterPayBacks(waiting, plan);
        const given = plan.payBacks.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
        expect(sumOf(after) - sumOf(waiting)).toBe(given);
        expect(after.every((line, index) => line.total === waiting[index]?.total || line.total <= 0n)).toBe(
          true,
        );
        const paid = withPayBacks(payments, plan.payBacks);
        for (const payment of paid) {
          const { valueMinor, taxMinor } = computeLeft(payment);
          expect(valueMinor >= 0n && taxMinor >= 0n && taxMinor <= valueMinor).toBe(true);
        }
        for (const { amountMinor, taxMinor, lines } of plan.payBacks) {
          expect(-sumOf(lines)).toBe(amountMinor);
          expect(taxMinor >= 0n && taxMinor <= amountMinor).toBe(true);
        }
        // A credit that is paid back counts as given, no more and no less than while it waited.
        const room = (of: readonly BookedPayment[], lines: readonly BillingLine[]) =>
          [1000, 2000].map((end) => computeRoom(end, of, lines.map(toBookedLine)));
        expect(room(paid, after)).toEqual(room(payments, waiting));
        // What is left could not be paid back: asked again, nothing more is.
        expect(planPayBacks(after, new Set([keyOf(VAT)]), paid).payBacks).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('credits are lowered to what their period leaves, and not further', () => {
    fc.assert(
      fc.property(PAYMENTS, WAITING, (payments, waiting) => {
        for (const periodEnd of [1000, 2000]) {
          const before = computeRoom(periodEnd, payments, waiting.map(toBookedLine));
          const cuts = lowerCredits(waiting, { periodEnd, overMinor: -before });
          const cut = cuts.reduce((sum, { part }) => sum - part.total, 0n);
          const credits = waiting.filter((line) => line.total < 0n && line.periodEnd === periodEnd);
          if (before >= 0n) expect(cut).toBe(0n);
          else expect(cut).toBe(-sumOf(credits) < -before ? -sumOf(credits) : -before);
          for (const { part, rest } of cuts) expect(part.total <= 0n && rest.total <= 0n).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

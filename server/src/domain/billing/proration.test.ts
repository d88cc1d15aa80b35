import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDiscount, makeRule } from '../pricing/values.testing.ts';
import { composePayment, sumOf } from './compose.ts';
import { makeItem } from './items.testing.ts';
import type { PlanItem } from './line.ts';
import { listCharged, type PlanChange, planProration, planUnusedRest, taxItems } from './proration.ts';

const silver = makeItem({ offerId: 'offer-a', name: 'Silver', unitPrice: 1000n });
const gold = makeItem({ offerId: 'offer-b', name: 'Gold', unitPrice: 3000n });
const MANY = 10n ** 12n;

function makeChange(change: Partial<PlanChange> & { at?: number }): PlanChange {
  const { at = 0, ...rest } = change;
  return {
    before: [silver],
    after: [gold],
    currency: 'EUR',
    discount: null,
    period: { startMs: 0, endMs: 1000, fullMs: 1000, atMs: at },
    tax: () => makeRule(),
    creditMaxMinor: MANY,
    stepMinor: 1n,
    ...rest,
  };
}
const totals = (change: PlanChange) => planProration(change).map(({ total }) => total);

describe('planProration', () => {
  it.each([
    ['the first millisecond', 0, [-1000n, 3000n]],
    ['the middle', 500, [-500n, 1500n]],
    ['a third', 333, [-667n, 2001n]],
    ['the last millisecond', 999, [-1n, 3n]],
  ])('at %s gives back the rest of the old price and charges that of the new', (_name, at, expected) => {
    expect(totals(makeChange({ at }))).toEqual(expected);
  });

  it('names both plans and the dates in each line', () => {
    const startMs = Date.UTC(2026, 0, 1);
    const endMs = Date.UTC(2026, 1, 1);
    const period = { startMs, endMs, fullMs: endMs - startMs, atMs: Date.UTC(2026, 0, 16) };
    expect(planProration(makeChange({ period })).map(({ name }) => name)).toEqual([
      'Unused time of Silver, 2026-01-16 to 2026-02-01 (changed to Gold)',
      'Remaining time of Gold, 2026-01-16 to 2026-02-01 (changed from Silver)',
    ]);
  });

  it('names plans by their variant where both are called like the product', () => {
    const plan = (item: typeof silver, name: string) => ({ ...item, name: 'Cloud', variant: { name } });
    const change = makeChange({ before: [plan(silver, 'Basic')], after: [plan(gold, 'Pro')] });
    expect(planProration(change)[0]?.name).toContain('Unused time of Cloud Basic, ');
    expect(planProration(change)[0]?.name).toContain('(changed to Cloud Pro)');
  });

  it('explains each sum by its price, the time left and the length of the period', () => {
    expect(planProration(makeChange({ at: 250 })).map(({ description }) => description)).toEqual([
      '10.00 EUR × 750 ms / 1000 ms',
      '30.00 EUR × 750 ms / 1000 ms',
    ]);
  });

  it('leaves what stays alone, and pairs what goes with what comes', () => {
    const extra = makeItem({ offerId: null, name: 'Support', unitPrice: 500n });
    const change = makeChange({ before: [silver, extra], after: [extra, gold] });
    expect(planProration(change).map(({ offerId, total }) => [offerId, total])).toEqual([
      ['offer-a', -1000n],
      ['offer-b', 3000n],
    ]);
  });

  it('charges an item that comes and gives back one that goes', () => {
    expect(totals(makeChange({ before: [silver], after: [silver, gold], at: 500 }))).toEqual([1500n]);
    expect(totals(makeChange({ before: [silver, gold], after: [silver], at: 500 }))).toEqual([-1500n]);
  });

  it('counts a change of quantity with the whole of either', () => {
    const three = makeItem({ quantity: 3 });
    expect(totals(makeChange({ after: [three], at: 500 }))).toEqual([-500n, 1500n]);
  });

  it('takes the discount of the period off both prices', () => {
    const discount = makeDiscount({ amount: 5000n });
    expect(totals(makeChange({ discount, at: 500 }))).toEqual([-250n, 750n]);
  });

  it('taxes the credit as the item was and the charge as today, within or on top', () => {
    const before = [makeItem({ ratesPpm: [190_000] })];
    const tax = () => makeRule(230_000);
    const onTop = planProration(makeChange({ before, tax, at: 500 }));
    expect(onTop.map((line) => [line.subtotal, line.tax, line.total])).toEqual([
      [-500n, -95n, -595n],
      [1500n, 345n, 1845n],
    ]);
    const within = planProration(
      makeChange({
        before: [makeItem({ ratesPpm: [190_000], inclusive: true })],
        after: [makeItem({ offerId: 'offer-b', unitPrice: 3000n, inclusive: true })],
        tax,
        at: 500,
      }),
    );
    expect(within.map((line) => [line.subtotal, line.tax, line.total])).toEqual([
      [-500n, -80n, -500n],
      [1500n, 280n, 1500n],
    ]);
  });

  it('reckons a first period that was cut short by the length of the full one', () => {
    const period = { startMs: 500, endMs: 1000, fullMs: 1000, atMs: 500 };
    expect(totals(makeChange({ period }))).toEqual([-500n, 1500n]);
  });
});

describe('planUnusedRest', () => {
  it('gives back the rest of every item, also of one that stays', () => {
    const lines = planUnusedRest(makeChange({ before: [silver, gold], after: [gold], at: 250 }));
    expect(lines.map(({ total }) => total)).toEqual([-2250n, -750n]);
  });
});

describe('taxItems', () => {
  const tax = () => makeRule(200_000);
  const taxed = (change: Partial<PlanChange>) => {
    const asked = makeChange({ tax, ...change });
    return taxItems(asked, listCharged(asked)).map(({ taxRates }) => taxRates[0]?.percentage);
  };
  const named = (quantity = 1) =>
    makeItem({ offerId: null, name: 'Seat', unitPrice: 500n, quantity, ratesPpm: [190_000] });
  const sold = (quantity = 1) => makeItem({ quantity, ratesPpm: [190_000] });

  it('keeps the rates that an item was billed by while it stays, by its offer or by its name', () => {
    const asked = { ...named(), id: null, taxRates: [] };
    expect(taxed({ before: [sold(), named()], after: [sold(), asked] })).toEqual([19, 19]);
  });

  it('takes the rates of its charge for an item that is charged anew', () => {
    expect(taxed({ before: [sold(), named()], after: [sold(2), named(3)] })).toEqual([20, 20]);
    expect(taxed({ before: [sold()], after: [gold] })).toEqual([20]);
  });
});

const RATES = fc.constantFrom([], [190_000], [50_000, 99_750]);
const ITEM: fc.Arbitrary<PlanItem> = fc
  .record({
    offerId: fc.constantFrom('offer-a', 'offer-b', 'offer-c'),
    unitPrice: fc.bigInt(1n, 100_000n),
    quantity: fc.integer({ min: 1, max: 5 }),
    inclusive: fc.boolean(),
    ratesPpm: RATES,
  })
  .map(makeItem);
const ITEMS = fc.uniqueArray(ITEM, { minLength: 1, maxLength: 4, selector: ({ offerId }) => offerId });
const PERIOD = fc
  .record({ length: fc.integer({ min: 1, max: 3_000_000_000 }), share: fc.nat({ max: 999 }) })
  .map(({ length, share }) => ({
    startMs: 0,
    endMs: length,
    fullMs: length,
    atMs: Math.floor((length * share) / 1000),
  }));
const DISCOUNT = fc.constantFrom(
  null,
  makeDiscount({ amount: 2500n }),
  makeDiscount({ amountType: 'fixed', amount: 777n, currency: 'EUR' }),
);

describe('any change', () => {
  it('and its immediate undo cost nothing', () => {
    fc.assert(
      fc.property(ITEMS, ITEMS, PERIOD, DISCOUNT, (before, after, period, discount) => {
        // Both are taxed alike, today as when they were billed.
        const tax = (item: PlanItem) =>
          makeRule(...item.taxRates.map(({ percentage }) => percentage * 10_000));
        const there = planProration(makeChange({ before, after, period, discount, tax }));
        const back = planProration(makeChange({ before: after, after: before, period, discount, tax }));
        expect(sumOf([...there, ...back], 'total')).toBe(0n);
        expect(sumOf([...there, ...back], 'tax')).toBe(0n);
      }),
    );
  });

  it('gives back no more than was paid, and its parts add up', () => {
    const limit = fc.bigInt(-100n, 200_000n);
    fc.assert(
      fc.property(ITEMS, ITEMS, PERIOD, limit, (before, after, period, creditMaxMinor) => {
        const lines = planProration(makeChange({ before, after, period, creditMaxMinor }));
        const credits = lines.filter(({ kind }) => kind === 'proration_credit');
        const max = creditMaxMinor < 0n ? 0n : creditMaxMinor;
        expect(-sumOf(credits, 'total') <= max).toBe(true);
        for (const { subtotal, discount, tax, total, inclusive, taxRates } of lines) {
          expect(subtotal - discount + (inclusive ? 0n : tax)).toBe(total);
          expect(taxRates.reduce((sum, { amount }) => sum + amount, 0)).toBe(Number(tax));
        }
      }),
    );
  });
});

describe('composePayment', () => {
  const lineOf = (total: bigint, taxPpm = 0) => {
    const item = makeItem({ offerId: 'offer-b', unitPrice: total < 0n ? -total : total, ratesPpm: [taxPpm] });
    const change =
      total < 0n
        ? makeChange({ before: [item], after: [] })
        : makeChange({ before: [], after: [item], tax: () => makeRule(taxPpm) });
    const [line] = planProration(change);
    if (!line) throw new Error('a change of one item has one line');
    return line;
  };

  it('uses credits oldest first, the last in part, and lets the rest wait', () => {
    const waiting = [lineOf(-300n), lineOf(-900n), lineOf(-50n)].map((line, index) => ({
      ...line,
      id: `w${index}`,
    }));
    const composed = composePayment([lineOf(1000n)], waiting);
    expect(composed.valueMinor).toBe(0n);
    expect(composed.lines.map(({ id, sourceLineId, total }) => [id, sourceLineId, total])).toEqual([
      [null, null, 1000n],
      ['w0', null, -300n],
      [null, 'w1', -700n],
    ]);
    expect(composed.rests.map(({ id, total }) => [id, total])).toEqual([['w1', -200n]]);
    expect(composed.left.map(({ id }) => id)).toEqual(['w2']);
  });

  it('charges no cent of what a credit covers, however its tax was rounded', () => {
    const credit = { ...lineOf(-3000n, 190_000), inclusive: true, id: 'w0' };
    const paid = { ...credit, subtotal: -1000n, unitPrice: -1000n, total: -1000n, tax: -159n };
    const charge = { ...lineOf(1000n, 190_000), inclusive: true, total: 1000n, tax: 160n };
    const composed = composePayment([charge], [paid]);
    expect(composed).toMatchObject({ valueMinor: 0n, taxMinor: 0n, left: [] });
    // The row of the line that waited is to say that nothing is left.
    expect(composed.rests).toMatchObject([{ id: 'w0', total: 0n, tax: 0n }]);
  });

  it('keeps the tax of a part in proportion', () => {
    const composed = composePayment([lineOf(1000n, 190_000)], [{ ...lineOf(-2000n, 190_000), id: 'w0' }]);
    expect(composed.lines.at(-1)).toMatchObject({ subtotal: -1000n, tax: -190n, total: -1190n });
    expect(composed.rests[0]).toMatchObject({ subtotal: -1000n, tax: -190n, total: -1190n });
  });

  it('leaves a credit alone that is of another tax than the charges', () => {
    const credit = { ...lineOf(-500n, 190_000), id: 'w0' };
    const composed = composePayment([lineOf(1000n)], [credit]);
    expect(composed).toMatchObject({ valueMinor: 1000n, taxMinor: 0n, left: [credit], rests: [] });
  });

  it('counts each tax for itself', () => {
    const own = [lineOf(1000n), lineOf(300n, 190_000), lineOf(700n, 70_000)];
    const waiting = [lineOf(-400n), lineOf(-500n, 190_000)].map((line, index) => ({
      ...line,
      id: `w${index}`,
    }));
    const composed = composePayment(own, waiting);
    expect(composed).toMatchObject({ valueMinor: 1000n - 400n + 749n, taxMinor: 49n });
    expect(composed.rests).toMatchObject([{ id: 'w1', total: -238n, tax: -38n }]);
  });

  it('is 0 whenever credits of the same tax are more, whatever was rounded', () => {
    const rate = 190_000;
    const amount = fc.bigInt(1n, 5000n);
    const own = fc.array(
      amount.map((total) => lineOf(total, rate)),
      { maxLength: 4 },
    );
    const waiting = fc.array(
      amount.map((total) => ({ ...lineOf(-total, rate), id: 'w' })),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(own, waiting, (charges, credits) => {
        const last = { ...lineOf(-20_000n, rate), id: 'w' };
        expect(composePayment(charges, [...credits, last])).toMatchObject({ valueMinor: 0n, taxMinor: 0n });
      }),
      { numRuns: 500 },
    );
  });

  it('never falls below 0 in value, tax or net, and loses nothing', () => {
    const amount = fc.tuple(fc.bigInt(1n, 5000n), fc.constantFrom(0, 70_000, 190_000));
    const charge = amount.map(([total, ppm]) => lineOf(total, ppm));
    const credit = amount.map(([total, ppm]) => ({ ...lineOf(-total, ppm), id: 'w' }));
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 4 }), fc.array(credit, { maxLength: 6 }), (own, waiting) => {
        const composed = composePayment(own, waiting);
        expect(composed.valueMinor >= 0n && composed.taxMinor >= 0n).toBe(true);
        expect(composed.taxMinor <= composed.valueMinor).toBe(true);
        const after = [...composed.lines, ...composed.rests, ...composed.left];
        expect(sumOf(after, 'total')).toBe(sumOf([...own, ...waiting], 'total'));
        // Between tax and net only rounding moves.
        const moved = sumOf(after, 'tax') - sumOf([...own, ...waiting], 'tax');
        const most = BigInt(own.length + waiting.length);
        expect((moved < 0n ? -moved : moved) <= most).toBe(true);
        for (const { total, tax } of composed.rests) expect(total <= tax && tax <= 0n).toBe(true);
        for (const { tax, taxRates } of after) {
          expect(taxRates.reduce((sum, rate) => sum + rate.amount, 0)).toBe(Number(tax));
        }
      }),
    );
  });
});

it('is made of whole steps, as far as a processor moves no part of them, and of no more than it would be', () => {
  const price = fc.integer({ min: 1, max: 5_000_000 }).map(BigInt);
  const step = fc.constantFrom(10n, 100n);
  const room = fc.integer({ min: 0, max: 3_000_000 }).map(BigInt);
  const at = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(
      price,
      price,
      step,
      room,
      at,
      fc.boolean(),
      (was, is, stepMinor, creditMaxMinor, moment, inclusive) => {
        const change = makeChange({
          at: moment,
          before: [{ ...silver, unitPrice: was, inclusive }],
          after: [{ ...gold, unitPrice: is, inclusive }],
          tax: () => makeRule(270_000),
          creditMaxMinor,
        });
        const lines = planProration({ ...change, stepMinor });
        expect(lines.map(({ total }) => total % stepMinor)).toEqual(lines.map(() => 0n));
        for (const { total, subtotal, tax, unitPrice, quantity } of lines) {
          expect(unitPrice * BigInt(quantity)).toBe(subtotal);
          expect(subtotal + (inclusive ? 0n : tax)).toBe(total);
        }
        const [credit = 0n, charge = 0n] = lines.map(({ total }) => total);
        const [exactCredit = 0n, exactCharge = 0n] = totals(change);
        expect(credit >= exactCredit && charge <= exactCharge).toBe(true);
        expect(exactCharge - charge < stepMinor).toBe(true);
      },
    ),
  );
});

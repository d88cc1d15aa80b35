import { describe, expect, it } from 'vitest';
import type { StoredRate } from '../billing/line.ts';
import { type Change, computeMrr, decideMovement, type Recurring } from './mrr.ts';

const VAT: StoredRate = {
  name: 'VAT',
  country: 'DE',
  region: null,
  percentage: 19,
  taxable: 0,
  amount: 0,
  reason: 'standard',
};
const item = (unitPrice: bigint, fields: Partial<Recurring['items'][number]> = {}) => ({
  ...{ offerId: 'a', unitPrice, quantity: 1, inclusive: false, taxReason: 'standard', taxRates: [] },
  ...fields,
});
const recurring = (fields: Partial<Recurring>): Recurring => ({
  status: 'active',
  waiting: false,
  recurringInterval: 'month',
  recurringIntervalCount: 1,
  discount: null,
  items: [],
  ...fields,
});
const terms = (fields: Record<string, unknown>) => ({
  ...{ id: 'd', type: 'code', name: null, discountCode: 'D', amount: '1000', amountType: 'percentage' },
  ...{ currency: null, status: 'active', archived: false, validFromMs: null, validUntilMs: null },
  ...{ purchaseLimit: null, limitPerUser: null, includesAllOffers: true, includedOffers: [] },
  ...{ excludedOffers: [], duration: 'forever', durationIntervals: null, ...fields },
});

describe('D41 what a subscription brings in a month', () => {
  it.each([
    ['120.00 a year is 10.00', recurring({ recurringInterval: 'year', items: [item(12_000n)] }), 1000n],
    ['10.00 a week is 43.45', recurring({ recurringInterval: 'week', items: [item(1000n)] }), 4345n],
    [
      '11.90 a month inclusive of 19 % is 10.00',
      recurring({ items: [item(1190n, { inclusive: true, taxRates: [VAT] })] }),
      1000n,
    ],
    [
      '10.00 a month with 19 % on top is 10.00',
      recurring({ items: [item(1000n, { taxRates: [VAT] })] }),
      1000n,
    ],
    ['1.00 a day is 30.42', recurring({ recurringInterval: 'day', items: [item(100n)] }), 3042n],
    ['30.00 a quarter is 10.00', recurring({ recurringIntervalCount: 3, items: [item(3000n)] }), 1000n],
    ['items are added up', recurring({ items: [item(1000n, { quantity: 3 }), item(50n)] }), 3050n],
    [
      'a discount for ever is taken off',
      recurring({ items: [item(1000n)], discount: terms({ amount: '2500' }) }),
      750n,
    ],
    [
      'a fixed one for ever is taken off once',
      recurring({
        items: [item(1000n), item(1000n, { offerId: 'b' })],
        discount: terms({ amount: '501', amountType: 'fixed', currency: 'EUR' }),
      }),
      1499n,
    ],
    [
      'a discount that ends is not',
      recurring({ items: [item(1000n)], discount: terms({ duration: 'repeating', durationIntervals: 3 }) }),
      1000n,
    ],
    ['what is past due is in it', recurring({ status: 'past_due', items: [item(1000n)] }), 1000n],
    ['a trial is not', recurring({ status: 'trialing', items: [item(1000n)] }), 0n],
    ['a pause is not', recurring({ status: 'paused', items: [item(1000n)] }), 0n],
    ['what is unpaid is not', recurring({ status: 'unpaid', items: [item(1000n)] }), 0n],
    ['what has ended is not', recurring({ status: 'canceled', items: [item(1000n)] }), 0n],
  ])('%s', (_what, of, expected) => {
    expect(computeMrr(of)).toBe(expected);
  });
});

describe('D41 a movement', () => {
  const was = (cause: string, after: bigint) => ({ kind: 'new' as const, cause, after });
  const first: Change = {
    ...{ last: null, wasAbove: false, afterMinor: 1000n, status: 'active' },
    ...{ isImported: false, isReturn: false },
  };
  const later: Change = { ...first, last: was('active', 1000n), wasAbove: true };

  it.each([
    ['the first time above 0', first, 'new', 1000n],
    [
      'the first one of a user whose subscriptions have ended',
      { ...first, isReturn: true },
      'reactivation',
      1000n,
    ],
    ['one that came from elsewhere', { ...first, isImported: true }, 'imported', 1000n],
    ['more', { ...later, afterMinor: 1500n }, 'expansion', 500n],
    ['less', { ...later, afterMinor: 400n }, 'contraction', -600n],
    ['a plan that costs nothing', { ...later, afterMinor: 0n }, 'contraction', -1000n],
    ['an end', { ...later, afterMinor: 0n, status: 'canceled' }, 'churn', -1000n],
    ['what is not paid', { ...later, afterMinor: 0n, status: 'unpaid' }, 'churn', -1000n],
    ['a pause', { ...later, afterMinor: 0n, status: 'paused' }, 'paused', -1000n],
    ['the end of a pause', { ...later, last: was('paused', 0n) }, 'resumed', 1000n],
    ['a debt that was paid', { ...later, last: was('unpaid', 0n) }, 'reactivation', 1000n],
    ['a plan that costs something again', { ...later, last: was('active', 0n) }, 'expansion', 1000n],
    [
      'a trial that was running when the books were opened',
      { ...first, last: was('trialing', 0n) },
      'new',
      1000n,
    ],
  ])('is called by what it is: %s', (_what, change, kind, deltaMinor) => {
    expect(decideMovement(change)).toEqual({ kind, deltaMinor });
  });

  it('is none where the sum stays', () => {
    expect(decideMovement({ ...later, status: 'past_due' })).toBeNull();
    expect(decideMovement({ ...first, afterMinor: 0n, status: 'trialing' })).toBeNull();
  });
});

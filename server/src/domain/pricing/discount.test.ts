import { describe, expect, it } from 'vitest';
import {
  checkDiscount,
  computeDiscountState,
  computePercentageOff,
  type DiscountAttempt,
} from './discount.ts';
import { makeDiscount } from './values.testing.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ATTEMPT: DiscountAttempt = { nowMs: NOW, currency: 'EUR', offerIds: ['offer-a'], userRedemptions: 0 };

describe('computeDiscountState', () => {
  it.each([
    [{}, 'active'],
    [{ archived: true, status: 'inactive' }, 'archived'],
    [{ status: 'inactive', validUntilMs: NOW - 1 }, 'inactive'],
    [{ validFromMs: NOW + 1 }, 'scheduled'],
    [{ validFromMs: NOW }, 'active'],
    [{ validUntilMs: NOW + 1 }, 'active'],
    [{ validUntilMs: NOW }, 'expired'],
    [{ purchaseLimit: 3, usedCount: 2 }, 'active'],
    [{ purchaseLimit: 3, usedCount: 2, heldCount: 1 }, 'exhausted'],
    [{ purchaseLimit: 1, usedCount: 1, validUntilMs: NOW }, 'expired'],
  ] as const)('%j is %s', (terms, state) => {
    expect(computeDiscountState(makeDiscount(terms), NOW)).toBe(state);
  });
});

describe('checkDiscount', () => {
  it.each([
    [{ status: 'inactive' }, 'discount_inactive'],
    [{ archived: true }, 'discount_inactive'],
    [{ validFromMs: NOW + 1 }, 'discount_not_started'],
    [{ validUntilMs: NOW }, 'discount_expired'],
    [{ purchaseLimit: 1, heldCount: 1 }, 'discount_exhausted'],
    [{ limitPerUser: 0 }, 'discount_user_limit'],
    [{ amountType: 'fixed', currency: 'USD' }, 'discount_wrong_currency'],
    [{ amountType: 'fixed', currency: null }, 'discount_wrong_currency'],
    [{ includesAllOffers: false }, 'discount_not_applicable'],
    [{ includesAllOffers: false, includedOffers: ['offer-b'] }, 'discount_not_applicable'],
    [{ excludedOffers: ['offer-a'] }, 'discount_not_applicable'],
    [{ includedOffers: ['offer-a'], excludedOffers: ['offer-a'] }, 'discount_not_applicable'],
  ] as const)('refuses %j with %s', (terms, code) => {
    expect(checkDiscount(makeDiscount(terms), ATTEMPT)).toBe(code);
  });

  it('counts a buyer’s own redemptions against the limit per user', () => {
    const terms = makeDiscount({ limitPerUser: 2 });
    expect(checkDiscount(terms, { ...ATTEMPT, userRedemptions: 1 })).toBe(null);
    expect(checkDiscount(terms, { ...ATTEMPT, userRedemptions: 2 })).toBe('discount_user_limit');
  });

  it('needs one eligible offer, not all of them', () => {
    const terms = makeDiscount({ includesAllOffers: false, includedOffers: ['offer-b'] });
    expect(checkDiscount(terms, { ...ATTEMPT, offerIds: ['offer-a', 'offer-b'] })).toBe(null);
    expect(checkDiscount(makeDiscount({}), { ...ATTEMPT, offerIds: [] })).toBe('discount_not_applicable');
  });

  it('takes a percentage without a currency in every currency', () => {
    expect(checkDiscount(makeDiscount({ currency: null }), { ...ATTEMPT, currency: 'JPY' })).toBe(null);
  });
});

describe('computePercentageOff', () => {
  it.each([
    [1250n, 999n, 125n],
    [1000n, 5n, 1n],
    [1000n, 4n, 0n],
    [10_000n, 999n, 999n],
    [1n, 10_000n, 1n],
    [3333n, 100n, 33n],
  ])('%d hundredths of a percent of %d are %d', (amount, subtotal, off) => {
    expect(computePercentageOff(makeDiscount({ amount }), subtotal)).toBe(off);
  });
});

import { describe, expect, it } from 'vitest';
import { type CartOfferTerms, canSell, toCartLines, toInterval, toOrderType, toTrial } from './cart.ts';

const offer: CartOfferTerms = {
  id: 'a',
  status: 'ACTIVE',
  archivedAt: null,
  productStatus: 'ACTIVE',
  productArchivedAt: null,
  freeProduct: false,
  recurringInterval: null,
  recurringIntervalCount: null,
  trialInterval: null,
  trialIntervalCount: null,
};
const plan: CartOfferTerms = { ...offer, id: 'p', recurringInterval: 'month', recurringIntervalCount: 3 };
const free: CartOfferTerms = { ...offer, id: 'f', freeProduct: true };
const line = (of: CartOfferTerms) => ({ offer: of, quantity: 1 });

describe('canSell', () => {
  it('sells what is active, of hidden products too', () => {
    expect(canSell(offer)).toBe(true);
    expect(canSell({ ...offer, productStatus: 'HIDDEN' })).toBe(true);
  });

  it.each([
    { status: 'DRAFT' },
    { archivedAt: 1 },
    { productStatus: 'DRAFT' },
    { productArchivedAt: 1 },
  ] as const)('does not sell with %j', (terms) => {
    expect(canSell({ ...offer, ...terms })).toBe(false);
  });
});

describe('toCartLines', () => {
  it('counts an id that is repeated, in the order of first mention', () => {
    const offers = new Map([offer, free].map((of) => [of.id, of]));
    expect(toCartLines(['f', 'a', 'f', 'f'], offers)).toEqual([
      { offer: free, quantity: 3 },
      { offer, quantity: 1 },
    ]);
  });
});

describe('toOrderType', () => {
  it('is claim_free only when every item is free by itself', () => {
    expect(toOrderType([line(free)])).toBe('claim_free');
    expect(toOrderType([line(free), line(offer)])).toBe('one_time');
    expect(toOrderType([line(offer)])).toBe('one_time');
    expect(toOrderType([line(plan)])).toBe('subscription_initial');
  });
});

describe('the intervals of an offer', () => {
  it('are whole or not there', () => {
    expect(toInterval(plan)).toEqual({ unit: 'month', count: 3 });
    expect([toInterval(offer), toTrial(plan)]).toEqual([null, null]);
    expect(toTrial({ ...plan, trialInterval: 'day', trialIntervalCount: 14 })).toEqual({
      unit: 'day',
      count: 14,
    });
  });
});

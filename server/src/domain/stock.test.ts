import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planStock } from './stock.ts';

const item = (id: string, missing: number) => ({ id, orderId: `order of ${id}`, missing });

describe('planStock', () => {
  it('serves the oldest item first and leaves the rest of the keys on the shelf', () => {
    expect(planStock([item('a', 1), item('b', 1)], ['k1', 'k2', 'k3'])).toEqual({
      deliveries: [
        { keyId: 'k1', orderId: 'order of a', orderItemId: 'a' },
        { keyId: 'k2', orderId: 'order of b', orderItemId: 'b' },
      ],
      completed: ['a', 'b'],
    });
  });

  it('gives a large item what there is and passes none of it to a smaller one behind it', () => {
    expect(planStock([item('a', 3), item('b', 1)], ['k1', 'k2'])).toEqual({
      deliveries: [
        { keyId: 'k1', orderId: 'order of a', orderItemId: 'a' },
        { keyId: 'k2', orderId: 'order of a', orderItemId: 'a' },
      ],
      completed: [],
    });
  });

  it('completes an item that has all its keys already', () => {
    expect(planStock([item('a', 0)], [])).toEqual({ deliveries: [], completed: ['a'] });
  });

  it('never gives a key twice, and completes exactly the items whose keys are all there', () => {
    const needs = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(needs, fc.nat({ max: 40 }), (missing, stock) => {
        const items = missing.map((count, place) => item(`i${place}`, count));
        const keyIds = Array.from({ length: stock }, (_, place) => `k${place}`);
        const { deliveries, completed } = planStock(items, keyIds);
        expect(new Set(deliveries.map(({ keyId }) => keyId)).size).toBe(deliveries.length);
        for (const { id, missing: needed } of items) {
          const got = deliveries.filter(({ orderItemId }) => orderItemId === id).length;
          expect(got).toBeLessThanOrEqual(needed);
          expect(completed.includes(id)).toBe(got === needed);
        }
        const wanted = missing.reduce((sum, count) => sum + count, 0);
        expect(deliveries.length).toBe(Math.min(wanted, stock));
      }),
    );
  });
});

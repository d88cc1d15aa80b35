import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BugError } from '../assert.ts';
import { allocate } from './allocate.ts';

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

describe('allocate', () => {
  it.each([
    { total: 100n, weights: [1n, 1n, 1n], parts: [34n, 33n, 33n], why: 'a tie goes to the earlier part' },
    { total: 10n, weights: [1n, 2n, 4n], parts: [1n, 3n, 6n], why: 'the largest remainder gets the rest' },
    { total: 5n, weights: [0n, 5n], parts: [0n, 5n], why: 'no weight, no share' },
    { total: 0n, weights: [0n, 0n], parts: [0n, 0n], why: 'nothing needs no weight' },
    { total: -100n, weights: [1n, 1n, 1n], parts: [-34n, -33n, -33n], why: 'a credit mirrors a charge' },
    { total: 7n, weights: [3n], parts: [7n], why: 'a single part takes all' },
  ])('splits $total over $weights: $why', ({ total, weights, parts }) => {
    expect(allocate(total, weights)).toEqual(parts);
  });

  it('gives a tie to the lower rank', () => {
    expect(allocate(100n, [1n, 1n, 1n], [2, 1, 0])).toEqual([33n, 33n, 34n]);
    expect(allocate(101n, [1n, 1n, 1n], [2, 0, 1])).toEqual([33n, 34n, 34n]);
  });

  it('takes an amount without any weight, and a negative weight, for a bug', () => {
    expect(() => allocate(1n, [0n, 0n])).toThrow(BugError);
    expect(() => allocate(1n, [-1n, 3n])).toThrow(BugError);
  });

  it('always adds up to the total and stays within one unit of the exact share', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 }),
        (total, weights) => {
          const sum = sumOf(weights);
          fc.pre(sum > 0n);
          const parts = allocate(total, weights);
          expect(sumOf(parts)).toBe(total);
          for (const [index, part] of parts.entries()) {
            const error = part * sum - total * (weights[index] ?? 0n);
            expect(error < sum && error > -sum).toBe(true);
          }
        },
      ),
    );
  });

  it('never takes a part above its weight while the total is within the sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 50n }), { minLength: 1, maxLength: 12 }),
        fc.bigInt({ min: 0n, max: 600n }),
        (weights, wish) => {
          const sum = sumOf(weights);
          const parts = allocate(wish % (sum + 1n), weights);
          for (const [index, part] of parts.entries()) expect(part <= (weights[index] ?? 0n)).toBe(true);
        },
      ),
    );
  });
});

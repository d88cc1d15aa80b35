import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BugError } from '../assert.ts';
import { divideHalfAwayFromZero } from './rounding.ts';

describe('divideHalfAwayFromZero', () => {
  it.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [-5n, -2n, 3n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [-50n, 100n, -1n],
    [-49n, 100n, 0n],
    [0n, 7n, 0n],
    [7n, 7n, 1n],
  ])('rounds %d / %d to %d', (numerator, denominator, expected) => {
    expect(divideHalfAwayFromZero(numerator, denominator)).toBe(expected);
  });

  it('is never further than a half from the exact quotient, and leaves zero on a tie', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
        const rounded = divideHalfAwayFromZero(numerator, denominator);
        const doubledError = 2n * (rounded * denominator - numerator);
        expect(doubledError <= denominator && doubledError >= -denominator).toBe(true);
        if (doubledError === denominator) expect(numerator > 0n).toBe(true);
        if (doubledError === -denominator) expect(numerator < 0n).toBe(true);
      }),
    );
  });

  it('takes a division by zero for a bug', () => {
    expect(() => divideHalfAwayFromZero(1n, 0n)).toThrow(BugError);
  });
});

import { describe, expect, it } from 'vitest';
import { BugError } from '../assert.ts';
import { Refusal } from '../errors.ts';
import { checkedTotal, MINOR_MAX, smallerAmount, toMinor, toNumber } from './money.ts';

describe('amounts in minor units', () => {
  it('carries both bounds through a number and back', () => {
    for (const amount of [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(toNumber(toMinor(amount))).toBe(amount);
    }
    expect(MINOR_MAX).toBe(BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('reads a negative zero as zero', () => {
    expect(toMinor(-0)).toBe(0n);
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('takes %d for a bug', (amount) => {
    expect(() => toMinor(amount)).toThrow(BugError);
  });

  it.each([MINOR_MAX + 1n, -MINOR_MAX - 1n])('refuses a total of %d as amount_too_large', (amountMinor) => {
    expect(() => checkedTotal(amountMinor)).toThrow(Refusal);
    expect(() => checkedTotal(amountMinor)).toThrow(expect.objectContaining({ code: 'amount_too_large' }));
    expect(() => toNumber(amountMinor)).toThrow(BugError);
  });

  it.each([MINOR_MAX, -MINOR_MAX, 0n])('passes a total of %d', (amountMinor) => {
    expect(checkedTotal(amountMinor)).toBe(amountMinor);
  });
});

describe('smallerAmount', () => {
  it.each([
    [1n, 2n, 1n],
    [2n, 1n, 1n],
    [-3n, 0n, -3n],
    [MINOR_MAX, MINOR_MAX - 1n, MINOR_MAX - 1n],
  ])('of %d and %d is %d', (a, b, expected) => {
    expect(smallerAmount(a, b)).toBe(expected);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentStatus } from '../states/payment.ts';
import {
  computeRefundable,
  computeRefundLimit,
  isConverted,
  planRefund,
  type RefundablePayment,
} from './refund.ts';

const paid: RefundablePayment = {
  status: 'PAID',
  valueMinor: 2380n,
  taxMinor: 380n,
  limitMinor: 2380n,
  takenMinor: 0n,
  takenTaxMinor: 0n,
  paidBackMinor: 0n,
  paidBackTaxMinor: 0n,
  isDisputed: false,
};

describe('planRefund', () => {
  it.each([
    { name: 'all of it', given: {}, amount: null, planned: [2380n, 380n] },
    { name: 'half of it with half the tax', given: {}, amount: 1190n, planned: [1190n, 190n] },
    { name: 'a tax rounded half away from zero', given: {}, amount: 1000n, planned: [1000n, 160n] },
    {
      name: 'the rest with the rest of the tax',
      given: { takenMinor: 1000n, takenTaxMinor: 160n },
      amount: null,
      planned: [1380n, 220n],
    },
    { name: 'a single unit', given: {}, amount: 1n, planned: [1n, 0n] },
    {
      name: 'no tax of a payment without tax',
      given: { taxMinor: 0n },
      amount: 7n,
      planned: [7n, 0n],
    },
  ])('gives back $name', ({ given, amount, planned: [amountMinor, taxMinor] }) => {
    expect(planRefund({ ...paid, ...given }, amount)).toEqual({ amountMinor, taxMinor });
  });

  it('takes value and tax less what was paid back as the whole', () => {
    // 1,190 with 190 of tax at 19 %, and 1,000 without tax: the taxed part was paid back.
    const back = { takenMinor: 1190n, takenTaxMinor: 190n, paidBackMinor: 1190n, paidBackTaxMinor: 190n };
    const mixed = { ...paid, valueMinor: 2190n, taxMinor: 190n };
    expect(planRefund({ ...mixed, ...back }, 500n)).toEqual({ amountMinor: 500n, taxMinor: 0n });
    // Half of a payment at one tax was paid back: a quarter of it is half of the rest.
    const half = { takenMinor: 1190n, takenTaxMinor: 190n, paidBackMinor: 1190n, paidBackTaxMinor: 190n };
    expect(planRefund({ ...paid, ...half }, 595n)).toEqual({ amountMinor: 595n, taxMinor: 95n });
  });

  const nothingLeft = { takenMinor: 2380n, takenTaxMinor: 380n };
  it.each([
    { given: { status: 'PENDING' as const }, amount: null, code: 'payment_not_paid' },
    { given: { status: 'FAILED' as const }, amount: 1n, code: 'payment_not_paid' },
    { given: { isDisputed: true }, amount: 1n, code: 'payment_disputed' },
    { given: nothingLeft, amount: null, code: 'already_refunded' },
    { given: nothingLeft, amount: 1n, code: 'refund_exceeds_paid' },
    { given: { ...nothingLeft, status: 'REFUNDED' as const }, amount: 1n, code: 'refund_exceeds_paid' },
    { given: {}, amount: 2381n, code: 'refund_exceeds_paid' },
    { given: { takenMinor: 1n }, amount: 2380n, code: 'refund_exceeds_paid' },
    { given: { valueMinor: 0n, limitMinor: 0n, taxMinor: 0n }, amount: null, code: 'already_refunded' },
  ])('refuses with $code', ({ given, amount, code }) => {
    expect(() => planRefund({ ...paid, ...given }, amount)).toThrow(expect.objectContaining({ code }));
  });

  it('T08 gives back the tax of a hundred small refunds as of one', () => {
    const whole = { ...paid, valueMinor: 10_001n, limitMinor: 10_001n, taxMinor: 1597n };
    let [takenMinor, takenTaxMinor] = [0n, 0n];
    for (const amount of [...Array<bigint>(100).fill(100n), null]) {
      const refund = planRefund({ ...whole, takenMinor, takenTaxMinor }, amount);
      takenMinor += refund.amountMinor;
      takenTaxMinor += refund.taxMinor;
      // 15.97 % of what went back, to half a unit.
      const off = 2n * (takenTaxMinor * 10_001n - takenMinor * 1597n);
      expect(off >= -10_001n && off <= 10_001n).toBe(true);
    }
    expect([takenMinor, takenTaxMinor]).toEqual([10_001n, 1597n]);
  });

  it('returns no tax of small refunds until half a unit of it has come together', () => {
    const taxes = Array.from({ length: 10 }, (_, before) => {
      const takenMinor = BigInt(before);
      const takenTaxMinor = before >= 5 ? 1n : 0n;
      return planRefund(
        { ...paid, valueMinor: 20n, limitMinor: 20n, taxMinor: 2n, takenMinor, takenTaxMinor },
        1n,
      ).taxMinor;
    });
    expect(taxes).toEqual([0n, 0n, 0n, 0n, 1n, 0n, 0n, 0n, 0n, 0n]);
  });

  it('never gives back more than was taken, of money or tax, whatever the parts', () => {
    const part = fc.bigInt({ min: 1n, max: 400n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10_001n }),
        fc.bigInt({ min: 0n, max: 10_001n }),
        fc.array(part, { maxLength: 60 }),
        (valueMinor, tax, parts) => {
          const taxMinor = tax % (valueMinor + 1n);
          let [takenMinor, takenTaxMinor] = [0n, 0n];
          const take = (amount: bigint | null) => {
            const plan = planRefund(
              { ...paid, valueMinor, limitMinor: valueMinor, taxMinor, takenMinor, takenTaxMinor },
              amount,
            );
            expect(plan.taxMinor >= 0n && plan.taxMinor <= plan.amountMinor).toBe(true);
            takenMinor += plan.amountMinor;
            takenTaxMinor += plan.taxMinor;
          };
          for (const amount of parts) if (takenMinor + amount <= valueMinor) take(amount);
          if (takenMinor < valueMinor) take(null);
          expect([takenMinor, takenTaxMinor]).toEqual([valueMinor, taxMinor]);
        },
      ),
    );
  });
});

it('leaves nothing to refund of a payment whose money was not taken', () => {
  const open: PaymentStatus[] = ['UNPAID', 'PENDING', 'FAILED', 'CANCELLED', 'EXPIRED'];
  for (const status of open) expect(computeRefundable({ ...paid, status })).toBe(0n);
  expect(computeRefundable({ ...paid, takenMinor: 80n })).toBe(2300n);
});

describe('other money than was asked for, once accepted', () => {
  const asked = { currency: 'EUR', takenAmount: null, takenCurrency: null };

  it.each([
    ['as asked', asked, 2380n, false],
    ['less', { ...asked, takenAmount: 2379n, takenCurrency: 'EUR' }, 2379n, false],
    ['more', { ...asked, takenAmount: 2381n, takenCurrency: 'EUR' }, 2380n, false],
    ['another currency', { ...asked, takenAmount: 100n, takenCurrency: 'JPY' }, 2380n, true],
  ])('%s is refunded up to the lesser of the two sums', (_what, charge, limit, converted) => {
    expect(computeRefundLimit(2380n, charge)).toBe(limit);
    expect(isConverted(charge)).toBe(converted);
  });

  it('is given back to the last unit of what was taken, with the tax in proportion', () => {
    const short = { ...paid, limitMinor: 1190n };
    expect(planRefund(short, null)).toEqual({ amountMinor: 1190n, taxMinor: 190n });
    expect(() => planRefund(short, 1191n)).toThrow('above the 1190');
    expect(() => planRefund({ ...short, takenMinor: 1190n, takenTaxMinor: 190n }, null)).toThrow(
      expect.objectContaining({ code: 'already_refunded' }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { ORDER, type OrderStatus } from '../states/order.ts';
import type { PaymentStatus } from '../states/payment.ts';
import { type CorrectedOrder, planCorrection } from './correction.ts';

const paid: CorrectedOrder = {
  status: 'PAID',
  paymentStatus: 'PAID',
  paymentValue: 2380n,
  paymentCurrency: 'EUR',
  refundedValue: 0n,
  value: 2380n,
  tax: 380n,
  fee: 69n,
  currency: 'EUR',
};
const unpaid: CorrectedOrder = { ...paid, status: 'PENDING', paymentStatus: 'PENDING', fee: 0n };

/** What each status leads to, by the order's own: rows of (from, payment) and what becomes of every target. */
const TARGETS: OrderStatus[] = [
  'UNPAID',
  'PENDING',
  'PAID',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
];
const TABLE: Array<[OrderStatus, PaymentStatus, string]> = [
  ['UNPAID', 'UNPAID', 'none move pay record cancel expire 409 409'],
  ['PENDING', 'PENDING', 'record none pay move cancel expire 409 409'],
  ['FAILED', 'FAILED', 'record move pay none cancel expire 409 409'],
  ['CANCELLED', 'CANCELLED', 'record record record record none record 409 409'],
  ['EXPIRED', 'EXPIRED', 'record record record record cancel none 409 409'],
  ['PAID', 'PAID', 'record record none record cancel record refund 409'],
  ['PARTIALLY_REFUNDED', 'PARTIALLY_REFUNDED', 'record record record record cancel record refund none'],
  ['CANCELLED', 'PAID', 'record record record record none record refund 409'],
  ['FAILED', 'PAID', 'record record record none cancel record refund 409'],
  ['REFUNDED', 'REFUNDED', '409 409 409 409 409 409 none 409'],
];

describe('planCorrection of a status', () => {
  it.each(TABLE)('%s with a payment that is %s', (status, paymentStatus, row) => {
    expect(new Set(TARGETS)).toEqual(new Set(Object.keys(ORDER.moves)));
    const planned = TARGETS.map((target) => {
      try {
        return planCorrection({ ...paid, status, paymentStatus }, { status: target }).action;
      } catch (error) {
        expect(error).toMatchObject({ code: 'order_state' });
        return '409';
      }
    });
    expect(planned.join(' ')).toBe(row);
  });

  it('refunds nothing of an order that cost nothing', () => {
    const free = { ...paid, value: 0n, tax: 0n, fee: 0n, paymentValue: 0n };
    expect(() => planCorrection(free, { status: 'REFUNDED' })).toThrow('No money was taken');
  });
});

describe('planCorrection of amounts', () => {
  it.each([
    { name: 'nothing given', order: paid, given: {}, amounts: {}, isChange: false },
    {
      name: 'null for each',
      order: paid,
      given: { value: null, tax: null, fee: null, currency: null, status: null },
      amounts: {},
      isChange: false,
    },
    {
      name: 'the same again',
      order: paid,
      given: { value: 2380n, currency: 'EUR' },
      amounts: {},
      isChange: false,
    },
    {
      name: 'all of them',
      order: unpaid,
      given: { value: 100n, tax: 19n, fee: 3n, currency: 'USD' },
      amounts: { value: 100n, tax: 19n, fee: 3n, currency: 'USD' },
      isChange: true,
    },
    {
      name: 'a smaller value of a paid order, whose tax stays on record',
      order: paid,
      given: { value: 380n },
      amounts: { value: 380n },
      isChange: true,
    },
    {
      name: 'a small value of an unpaid order, whose tax shrinks with it',
      order: unpaid,
      given: { value: 12n },
      amounts: { value: 12n, tax: 2n },
      isChange: true,
    },
    {
      name: 'nothing to pay any more',
      order: unpaid,
      given: { value: 0n },
      amounts: { value: 0n, tax: 0n },
      isChange: true,
    },
  ])('$name', ({ order, given, amounts, isChange }) => {
    const { value, tax, fee, currency } = order;
    const planned = planCorrection(order, given);
    expect(planned.amounts).toEqual({ value, tax, fee, currency, ...amounts });
    expect(planned.isAmountChange).toBe(isChange);
    expect(planned.action).toBe('none');
  });

  it.each([
    ['another currency than what was taken', paid, { currency: 'USD' }],
    ['that also with its own status', paid, { currency: 'USD', status: 'CANCELLED' as const }],
    ['less than what went back', { ...paid, refundedValue: 500n }, { value: 499n }],
    [
      'less than that of an order that has another value by now',
      { ...paid, value: 12n, refundedValue: 500n },
      { value: 12n },
    ],
  ])('refuses %s', (_what, order, correction) => {
    expect(() => planCorrection(order, correction)).toThrow(expect.objectContaining({ code: 'order_state' }));
  });

  it.each([
    ['what went back', { ...paid, refundedValue: 500n }, { value: 500n }],
    [
      'the currency that was taken, after a record of another',
      { ...paid, currency: 'USD' },
      { currency: 'EUR' },
    ],
    [
      'a status, whatever the sums are',
      { ...paid, value: 12n, refundedValue: 500n },
      { status: 'FAILED' as const },
    ],
    [
      'another currency where nothing was taken',
      { ...paid, paymentValue: 0n, value: 0n, tax: 0n, fee: 0n },
      { currency: 'USD' },
    ],
  ])('takes %s', (_what, order, correction) => {
    const { value, currency } = { ...order, ...correction };
    expect(planCorrection(order, correction).amounts).toMatchObject({ value, currency });
  });

  it.each(['tax', 'fee'] as const)('refuses a %s above the value', (field) => {
    expect(() => planCorrection(paid, { [field]: 2381n })).toThrow(`${field} must not be above value`);
    expect(() => planCorrection(paid, { value: 5n, [field]: 6n })).toThrow(
      `${field} must not be above value`,
    );
  });

  it.each([
    ['tax', { value: 379n, fee: 0n }],
    ['fee', { value: 68n, tax: 0n }],
  ])('refuses a value of a paid order below the %s that it keeps', (field, correction) => {
    expect(() => planCorrection(paid, correction)).toThrow(`${field} must not be above value`);
  });

  it('takes a status of an order whose tax is above its value by an earlier correction', () => {
    expect(planCorrection({ ...paid, value: 12n }, { status: 'FAILED' }).action).toBe('record');
  });
});

import { describe, expect, it } from 'vitest';
import { PAYMENT, type PaymentStatus } from '../states/payment.ts';
import { type ArrivedOutcome, decideArrival } from './arrival.ts';

const arrived: ArrivedOutcome = {
  kind: 'succeeded',
  takenMinor: 1999n,
  takenCurrency: 'EUR',
  chargeStatus: 'pending',
  chargeAmountMinor: 1999n,
  chargeCurrency: 'EUR',
  paymentType: 'subscription_interval',
  paymentStatus: 'PENDING',
  paymentValueMinor: 1999n,
  paymentCurrency: 'EUR',
};

describe('money that arrives', () => {
  const expected: Record<PaymentStatus, string> = {
    PENDING: 'settle',
    FAILED: 'reopen',
    UNPAID: 'reopen',
    CANCELLED: 'reverse',
    EXPIRED: 'reverse',
    PAID: 'reverse',
    PARTIALLY_REFUNDED: 'reverse',
    REFUNDED: 'reverse',
  };
  it('settles an open payment and goes back from every other one, also after a noted failure', () => {
    for (const status of Object.keys(PAYMENT.moves) as PaymentStatus[]) {
      for (const chargeStatus of ['pending', 'failed'] as const) {
        const decided = decideArrival({ ...arrived, chargeStatus, paymentStatus: status });
        // While another try is under way.
        const isOvertaking = status === 'PENDING' && chargeStatus === 'failed';
        expect({ status, decided }).toEqual({
          status,
          decided: isOvertaking ? 'overtake' : expected[status],
        });
      }
    }
  });

  it('goes back when the payment is by now of another amount', () => {
    for (const paymentStatus of ['PENDING', 'FAILED'] as const) {
      expect(decideArrival({ ...arrived, paymentStatus, paymentValueMinor: 2000n })).toBe('reverse');
      expect(decideArrival({ ...arrived, paymentStatus, paymentCurrency: 'USD' })).toBe('reverse');
    }
  });

  it('is held while its payment waits for it, where it is other money than was asked for', () => {
    for (const other of [{ takenMinor: 2000n }, { takenMinor: 1998n }, { takenCurrency: 'USD' }]) {
      for (const paymentStatus of Object.keys(PAYMENT.moves) as PaymentStatus[]) {
        const decided = decideArrival({ ...arrived, ...other, paymentStatus });
        expect({ paymentStatus, decided }).toEqual({
          paymentStatus,
          decided: paymentStatus === 'PENDING' ? 'hold' : 'reverse',
        });
      }
      expect(decideArrival({ ...arrived, ...other, chargeStatus: 'failed' })).toBe('reverse');
    }
  });

  it('goes back from a change of plan that failed, and pays one that waits', () => {
    const change = { ...arrived, paymentType: 'subscription_update' };
    expect(decideArrival(change)).toBe('settle');
    expect(decideArrival({ ...change, chargeStatus: 'failed', paymentStatus: 'FAILED' })).toBe('reverse');
  });

  it('changes nothing the second time', () => {
    for (const paymentStatus of Object.keys(PAYMENT.moves) as PaymentStatus[]) {
      expect(decideArrival({ ...arrived, paymentStatus, chargeStatus: 'succeeded' })).toBe('known');
    }
  });
});

describe('a decline', () => {
  it.each([
    { given: {}, decided: 'settle' },
    { given: { paymentStatus: 'PAID' as const }, decided: 'close_charge' },
    { given: { paymentStatus: 'CANCELLED' as const }, decided: 'close_charge' },
    { given: { chargeStatus: 'failed' as const }, decided: 'known' },
    { given: { chargeStatus: 'succeeded' as const, paymentStatus: 'PAID' as const }, decided: 'known' },
  ])('of $given is to $decided', ({ given, decided }) => {
    expect(decideArrival({ ...arrived, kind: 'declined', ...given })).toBe(decided);
  });
});

import type { Machine } from './machine.ts';

export type PaymentStatus =
  | 'UNPAID'
  | 'PENDING'
  | 'PAID'
  | 'FAILED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'REFUNDED'
  | 'PARTIALLY_REFUNDED';

/** UNPAID is only for drafts and for periods that wait behind an overdue one. */
export const PAYMENT: Machine<PaymentStatus> = {
  name: 'payment',
  initial: ['PENDING', 'UNPAID'],
  moves: {
    UNPAID: ['PENDING', 'CANCELLED', 'EXPIRED'],
    PENDING: ['PAID', 'FAILED', 'CANCELLED', 'EXPIRED'],
    // Another try.
    FAILED: ['PENDING', 'CANCELLED', 'EXPIRED'],
    PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
    PARTIALLY_REFUNDED: ['REFUNDED'],
    CANCELLED: [],
    EXPIRED: [],
    REFUNDED: [],
  },
};

/** The states of a payment whose money was taken. */
export const CAPTURED: ReadonlySet<PaymentStatus> = new Set(['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']);

/** Payments that carry an order: it moves with them. Later ones of a subscription never move it. */
const INITIAL_TYPES: ReadonlySet<string> = new Set(['one_time', 'claim_free', 'subscription_initial']);

export function isInitialPayment(type: string): boolean {
  return INITIAL_TYPES.has(type);
}

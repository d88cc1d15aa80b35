import { canMove, type Machine, move } from './machine.ts';
import { PAYMENT, type PaymentStatus } from './payment.ts';

export type OrderStatus = PaymentStatus;

/**
 * An order follows its initial payment and, unlike it, can be cancelled when paid. It keeps its money
 * then, so that a refund may still follow. CANCELLED may be that of a paid order: whether money was
 * taken is the caller's check. The merchant's corrections are not bound to this table.
 */
export const ORDER: Machine<OrderStatus> = {
  name: 'order',
  initial: PAYMENT.initial,
  moves: {
    ...PAYMENT.moves,
    PAID: [...PAYMENT.moves.PAID, 'CANCELLED'],
    PARTIALLY_REFUNDED: [...PAYMENT.moves.PARTIALLY_REFUNDED, 'CANCELLED'],
    CANCELLED: ['REFUNDED', 'PARTIALLY_REFUNDED'],
  },
};

/** Whether an order may be tried again. Whether a charge of it is under way is the caller's check. */
export function isUnpaid({ status, paidAt }: { status: string; paidAt: number | null }): boolean {
  // What was paid stays paid, and what is open stays open, whatever a merchant's correction calls the order.
  return paidAt === null && ['PENDING', 'FAILED', 'UNPAID'].includes(status);
}

/**
 * Where an order stands when its initial payment is settled: one that a correction has set apart from its payment comes
 * back into step by way of PENDING.
 */
export function toInStep(status: OrderStatus): OrderStatus {
  return canMove(ORDER, status, 'PENDING') ? move(ORDER, status, 'PENDING') : status;
}

/** A merchant calls off a payment that is not paid. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { findPayment, type PaymentRow } from '../../resources/payments/payments.queries.ts';
import { stopCharge } from './cancel-charge.ts';
import { closePayment, toStateRefusal } from './close-payment.ts';

export interface PaymentCancel {
  paymentId: string;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, paymentId: string) => Promise<void>;
  finish: (tx: Tx, payment: PaymentRow) => Promise<void>;
}

/**
 * Throws not_found; payment_state when it is neither PENDING nor UNPAID, or was paid while it was being called
 * off; payment_in_progress when the processor does not say whether it takes the money.
 */
export async function cancelPayment(
  ctx: Context,
  scope: Scope,
  { paymentId, begin, finish }: PaymentCancel,
): Promise<PaymentRow> {
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (!payment) throw new Refusal('not_found');
  if (payment.status !== 'PENDING' && payment.status !== 'UNPAID') {
    throw toStateRefusal(payment.status);
  }
  const stopped = await stopCharge(ctx, scope, paymentId);
  return inTransaction(ctx.db, async (tx) => {
    await begin(tx, paymentId);
    await closePayment(ctx, scope, { tx, paymentId, stopped, to: 'CANCELLED', reason: 'payment_cancelled' });
    const cancelled = await findPayment(tx, scope, paymentId);
    assert(cancelled, 'a cancelled payment exists');
    await finish(tx, cancelled);
    return cancelled;
  });
}

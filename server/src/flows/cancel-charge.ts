/** A buyer who left the authentication page tries another way: the waiting charge is stopped first. */
import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { assert } from '../domain/assert.ts';
import type { StandingOutcome } from '../providers/payment/payment-provider.ts';
import { findPendingChargeOfOrder } from '../resources/payments/payments.queries.ts';
import { settlePayment } from './settle-payment.ts';

/** Stops a charge that waits for the buyer. One that the processor is deciding on is left alone. */
export async function cancelPendingCharge(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  const charge = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  if (!charge || charge.actionPath === null) return;
  const provider = ctx.payments.providerNamed(charge.processor);
  assert(provider, 'a charge names a processor that is set up');
  const cancelled = await provider.cancel({ scope, chargeId: charge.id, nowMs: ctx.nowMs });
  if (cancelled.kind === 'unknown') return;
  const outcome: StandingOutcome =
    cancelled.kind === 'taken' ? cancelled.outcome : toCancelled(charge.paymentMethod);
  const { paymentId, id: chargeId } = charge;
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
}

function toCancelled(method: unknown): StandingOutcome {
  return {
    kind: 'declined',
    processorId: null,
    // Stored from an earlier outcome of the same charge.
    method: (method ?? { type: 'card', brand: null, last4: null, card: null }) as Extract<
      StandingOutcome,
      { kind: 'declined' }
    >['method'],
    decline: 'soft',
    reason: 'authentication_failed',
    message: 'The authentication was not completed.',
  };
}

/** Stops a charge under way: the processor is asked first, since only it knows whether money was taken. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { StandingOutcome } from '../../providers/payment/payment-provider.ts';
import { findPendingCharge, findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { cancelAtProcessor } from './cancel-at-processor.ts';
import { NO_PROCESSOR } from './open-charge.ts';
import { providerOf } from './provider-of.ts';
import { toUnauthenticated } from './reconcile-charge.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * A buyer who left the authentication page tries another way: their waiting charge is stopped. One that the
 * processor is deciding on is left alone.
 */
export async function cancelPendingCharge(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  const charge = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  if (!charge || charge.actionPath === null) return;
  const { paymentId, id: chargeId } = charge;
  const provider = await providerOf(ctx, scope, charge);
  if (!provider) return;
  const { processorId } = charge;
  const cancelled = await cancelAtProcessor(ctx, scope, { provider, chargeId, processorId });
  if (cancelled.kind !== 'cancelled' && cancelled.kind !== 'taken') return;
  const outcome: StandingOutcome = cancelled.kind === 'taken' ? cancelled.outcome : toUnauthenticated(charge);
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
}

export type StoppedCharge =
  /** Nothing was under way. */
  | { kind: 'none' }
  /** The processor takes no money for it any more, wherever its call is now; the row is still pending. */
  | { kind: 'stopped'; chargeId: string }
  /** Too late: the money was taken, and the payment is settled by it. */
  | { kind: 'taken' }
  /** There was no answer, or money was taken that a person is to decide on. */
  | { kind: 'unknown' };

/** Stops whatever charge of a payment is under way. Outside any transaction. */
export async function stopCharge(ctx: Context, scope: Scope, paymentId: string): Promise<StoppedCharge> {
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  if (!charge) return { kind: 'none' };
  const { id: chargeId } = charge;
  // It was never sent anywhere.
  if (charge.processor === NO_PROCESSOR) return { kind: 'stopped', chargeId };
  const provider = await providerOf(ctx, scope, charge);
  if (!provider || charge.hold !== null) return { kind: 'unknown' };
  const { processorId } = charge;
  const answer = await cancelAtProcessor(ctx, scope, { provider, chargeId, processorId });
  if (answer.kind === 'cancelled') return { kind: 'stopped', chargeId };
  if (answer.kind !== 'taken') return { kind: 'unknown' };
  const { outcome } = answer;
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
  const isHeld = (await findPendingCharge(ctx.db, scope, paymentId))?.id === chargeId;
  return { kind: isHeld ? 'unknown' : 'taken' };
}

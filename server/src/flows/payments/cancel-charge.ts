/** Stops a charge under way: the processor is asked first, since only it knows whether money was taken. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import type { CancelOutcome, StandingOutcome } from '../../providers/payment/payment-provider.ts';
import { findPendingCharge, findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { settlePayment } from './settle-payment.ts';

/** A charge that the processor has not seen may be on its way to it for this long. */
const ON_ITS_WAY_MS = 30_000;

/**
 * A buyer who left the authentication page tries another way: their waiting charge is stopped. One that the
 * processor is deciding on is left alone.
 */
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

export type StoppedCharge =
  /** Nothing was under way. */
  | { kind: 'none' }
  /** The processor takes no money for it any more; the row is still pending. */
  | { kind: 'stopped'; chargeId: string }
  /** Too late: the money was taken, and the payment is settled by it. */
  | { kind: 'taken' }
  | { kind: 'unknown' };

/** Stops whatever charge of a payment is under way. Outside any transaction. */
export async function stopCharge(ctx: Context, scope: Scope, paymentId: string): Promise<StoppedCharge> {
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  if (!charge) return { kind: 'none' };
  const { id: chargeId } = charge;
  const answer = await askToCancel(ctx, scope, charge);
  switch (answer.kind) {
    case 'cancelled':
      return { kind: 'stopped', chargeId };
    case 'absent':
      return ctx.nowMs - charge.createdAt < ON_ITS_WAY_MS
        ? { kind: 'unknown' }
        : { kind: 'stopped', chargeId };
    case 'unknown':
      return { kind: 'unknown' };
    case 'taken': {
      const { outcome } = answer;
      await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
      return { kind: 'taken' };
    }
  }
}

async function askToCancel(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<CancelOutcome> {
  const provider = ctx.payments.providerNamed(charge.processor);
  if (!provider) return { kind: 'unknown' };
  try {
    return await provider.cancel({ scope, chargeId: charge.id, nowMs: ctx.nowMs });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the processor gave no answer that can be trusted');
    return { kind: 'unknown' };
  }
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

/**
 * A later payment whose charge nobody has settled: the process that made it died, the processor gave no answer,
 * or the buyer never authenticated. The processor is asked until it knows.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import type {
  PaymentMethodDetails,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { stopCharge } from '../payments/cancel-charge.ts';
import { toDecline } from '../payments/charge-payment.ts';
import { finishStoredCharge } from '../payments/charge-stored-method.ts';
import { closeUnpaid } from '../payments/close-payment.ts';
import { settlePayment } from '../payments/settle-payment.ts';

/** Settles the payment, or puts down the next look; the row ends with the charge. */
export async function watchPayment(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: paymentId } = work;
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  if (charge && !(await callOff(ctx, scope, charge))) await lookUp(ctx, scope, charge);
  await inTransaction(ctx.db, async (tx) => {
    // An outcome that is still open has given the row its next time, and with it another fence.
    if (!(await findPendingCharge(tx, scope, paymentId))) await finishDueWork(tx, work);
  });
}

/**
 * Nobody is to authenticate for a subscription that has ended. False when the charge waits for nobody, or its
 * processor does not tell.
 */
async function callOff(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<boolean> {
  const { paymentId, actionPath } = charge;
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (actionPath === null || payment?.subscriptionStatus !== 'canceled') return false;
  // Another charge has paid it.
  if (payment.status !== 'PENDING') return false;
  const stopped = await stopCharge(ctx, scope, paymentId);
  if (stopped.kind === 'unknown') return false;
  if (stopped.kind === 'taken') return true;
  await inTransaction(ctx.db, (tx) =>
    closeUnpaid(ctx, scope, { tx, paymentId, stopped, to: 'CANCELLED', reason: null }),
  );
  return true;
}

async function lookUp(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<void> {
  const { id: chargeId, paymentId } = charge;
  const provider = ctx.payments.providerNamed(charge.processor);
  const outcome = provider
    ? await askAbout(ctx, scope, provider, charge)
    : toDecline('There is no card to charge.');
  if (outcome === null) return chargeAgain(ctx, scope, charge);
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
}

/** Null = the processor has never seen the charge. */
async function askAbout(
  ctx: Context,
  scope: Scope,
  provider: PaymentProvider,
  charge: Row<'charges'>,
): Promise<StandingOutcome | null> {
  const reference = { scope, chargeId: charge.id, nowMs: ctx.nowMs };
  // Past its time nobody will authenticate any more.
  if (charge.actionPath !== null) {
    const cancelled = await provider.cancel(reference);
    if (cancelled.kind === 'taken') return cancelled.outcome;
    if (cancelled.kind !== 'unknown') return toUnauthenticated(charge);
  }
  const found = await provider.lookUp(reference);
  return found.kind === 'absent' ? null : found;
}

/**
 * The same call with the same key: a stored method is known, so that nothing is lost with the process. Money that
 * has not been taken by the time the subscription ends is not taken any more.
 */
async function chargeAgain(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<void> {
  const { id: chargeId, paymentId, processor, currency, amount: amountMinor } = charge;
  const payment = await findPayment(ctx.db, scope, paymentId);
  const method = await findPaymentMethod(ctx.db, scope, charge.paymentMethodId);
  const isWanted = payment?.status === 'PENDING' && payment.subscriptionStatus !== 'canceled';
  if (!isWanted || !method) {
    const outcome = isWanted ? toDecline('The payment was interrupted. Please try again.') : toCalledOff();
    await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
    return;
  }
  const { type, userId } = payment;
  const { reference } = method;
  const opened = { paymentId, chargeId, type, amountMinor, currency, userId, processor, reference };
  await finishStoredCharge(ctx, scope, opened);
}

function toCalledOff(): StandingOutcome {
  return { ...toDecline('The payment was cancelled.'), decline: 'soft', reason: 'canceled' };
}

function toUnauthenticated(charge: Row<'charges'>): StandingOutcome {
  return {
    ...toDecline('The authentication was not completed.'),
    processorId: charge.processorId,
    // Stored from an earlier outcome of the same charge.
    method: charge.paymentMethod as PaymentMethodDetails,
    decline: 'soft',
    reason: 'authentication_failed',
  };
}

/**
 * A later payment whose charge nobody has settled: the process that made it died, the processor gave no answer,
 * or the buyer never authenticated. The processor is asked until it knows.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { stopCharge } from '../payments/cancel-charge.ts';
import { closePayment } from '../payments/close-payment.ts';
import { reconcileCharge } from '../payments/reconcile-charge.ts';

/** Settles the payment, or puts down the next look; the row ends with the charge, or where a person is to decide. */
export async function watchPayment(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: paymentId } = work;
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  if (charge) await lookAfter(ctx, scope, charge);
  await inTransaction(ctx.db, async (tx) => {
    // An outcome that is still open has given the row its next time, and with it another fence.
    const pending = await findPendingCharge(tx, scope, paymentId);
    if (!pending || pending.hold !== null) await finishDueWork(tx, work);
  });
}

/** What its processor has decided by now is told as that, ended or not; one that waits for the buyer is decided by nobody. */
async function lookAfter(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<void> {
  const isForBuyer = charge.actionPath !== null;
  if (isForBuyer && (await callOff(ctx, scope, charge))) return;
  await reconcileCharge(ctx, scope, charge);
  if (isForBuyer) return;
  const open = await findPendingCharge(ctx.db, scope, charge.paymentId);
  if (open) await callOff(ctx, scope, open);
}

/**
 * Nobody is to pay for a subscription that has ended. False when it goes on, or the processor cannot stop the charge or
 * does not tell.
 */
async function callOff(ctx: Context, scope: Scope, { paymentId }: Row<'charges'>): Promise<boolean> {
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (payment?.subscriptionStatus !== 'canceled') return false;
  // Another charge has paid it.
  if (payment.status !== 'PENDING') return false;
  const stopped = await stopCharge(ctx, scope, paymentId);
  if (stopped.kind === 'unknown') return false;
  if (stopped.kind === 'taken') return true;
  await inTransaction(ctx.db, (tx) =>
    closePayment(ctx, scope, { tx, paymentId, stopped, to: 'CANCELLED', reason: null }),
  );
  return true;
}

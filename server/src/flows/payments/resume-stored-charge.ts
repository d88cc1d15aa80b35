/**
 * A request that charges a subscription's stored method died behind its first transaction; the same request comes again
 * and asks for the charge. Its id is known, so that asking with it is the same call.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { finishStoredCharge } from './charge-stored-method.ts';
import { toOpened } from './look-up-charge.ts';

/** Settles what is answered. Does nothing where no charge is open: whoever looks after it has finished it. */
export async function resumeStoredCharge(ctx: Context, scope: Scope, paymentId: string): Promise<void> {
  const begunRealMs = ctx.realNowMs();
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  const payment = charge && (await findPayment(ctx.db, scope, paymentId));
  // What waits for a person is decided by one, and a charge of the buyer's own is no stored method's.
  if (!charge || !payment || charge.hold !== null || !charge.offSession) return;
  const method = await findPaymentMethod(ctx.db, scope, charge.paymentMethodId);
  const reference = method?.reference ?? null;
  const opened = await toOpened(ctx, scope, { charge, payment, reference, begunRealMs });
  await finishStoredCharge(ctx, scope, opened);
}

/** The same for every payment of a subscription that is being charged. */
export async function resumeStoredCharges(ctx: Context, scope: Scope, subscriptionId: string): Promise<void> {
  for (const { id, status } of await listOpenPayments(ctx.db, scope, subscriptionId)) {
    if (status === 'PENDING') await resumeStoredCharge(ctx, scope, id);
  }
}

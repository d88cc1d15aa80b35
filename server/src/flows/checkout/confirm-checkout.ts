/** The buyer is back from authenticating, or waits: the processor is asked what has become of the charge. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { settlePayment } from '../payments/settle-payment.ts';

/** Settles what is decided; what is not stays with the order's watch. */
export async function confirmCheckout(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  const charge = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  const provider = charge ? ctx.payments.providerNamed(charge.processor) : null;
  if (!charge || !provider) return;
  const outcome = await provider.lookUp({ scope, chargeId: charge.id, nowMs: ctx.nowMs });
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'declined') return;
  const { paymentId, id: chargeId } = charge;
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
}

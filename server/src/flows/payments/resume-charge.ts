/**
 * A request that opened a charge died before it had the processor's answer; the same request comes again and goes on
 * from there. The charge's id is known, so that asking with it is the same call, and takes no second money.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findPayment, findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import type { Sale } from '../../resources/sales/sale.view.ts';
import { chargePayment } from './charge-payment.ts';
import { toWatch } from './open-charge.ts';
import { providerOf } from './provider-of.ts';

export interface Resuming {
  orderId: string;
  /** What the buyer typed, which is kept nowhere; null = the charge's own stored method. */
  typed: ChargeMethod | null;
  /** Runs in the settling transaction. */
  finish: (tx: Tx, sale: Sale) => Promise<void>;
}

/** Null when nothing of the order is under way any more: it is answered as it stands. */
export async function resumeCharge(
  ctx: Context,
  scope: Scope,
  { orderId, typed, finish }: Resuming,
): Promise<Sale | null> {
  const pending = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  if (!pending || pending.hold !== null) return null;
  const { id: chargeId, paymentId, amount: amountMinor, currency, offSession, processorId } = pending;
  const stored = await findPaymentMethod(ctx.db, scope, pending.paymentMethodId);
  const method = stored ? { kind: 'stored' as const, reference: stored.reference } : typed;
  const provider = await providerOf(ctx, scope, pending);
  const payment = await findPayment(ctx.db, scope, paymentId);
  assert(payment, 'a charge has its payment');
  // Without either, the work that looks after the charge finds out what has become of it.
  if (!method || !provider) return null;
  const charge = { paymentId, chargeId, amountMinor, currency, userId: payment.userId, processorId };
  const look = toWatch({ orderId, paymentId, paymentType: payment.type });
  return chargePayment(ctx, scope, { provider, charge, look, method, offSession, finish });
}

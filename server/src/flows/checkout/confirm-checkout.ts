/** The buyer is back from authenticating, or waits: the processor is asked what has become of the charge. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { settleDecided } from '../payments/reconcile-charge.ts';

/** Settles what is decided; what is not stays with the order's watch. */
export async function confirmCheckout(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  const charge = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  if (charge) await settleDecided(ctx, scope, charge);
}

/** What a processor asks of the buyer of a charge that waits for them: asked anew each time, and never kept. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import type { ActionOutcome } from '../../providers/payment/payment-provider.ts';
import { findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { providerOf } from './provider-of.ts';

/** Outside any transaction. */
export async function findAction(ctx: Context, scope: Scope, paymentId: string): Promise<ActionOutcome> {
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  if (!charge || charge.actionPath === null) return { kind: 'none' };
  const provider = await providerOf(ctx, scope, charge);
  if (!provider?.describeAction) return { kind: 'none' };
  const { id: chargeId, processorId } = charge;
  return provider.describeAction({ scope, chargeId, processorId, nowMs: ctx.nowMs });
}

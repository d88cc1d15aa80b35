/** From here on no money is taken for a charge, or it is told that it was. Outside any transaction. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { isUnprepared } from '../../providers/payment/careful-provider.ts';
import type { CancelOutcome, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { callOffUnnamed } from '../../resources/payments/charge-object.queries.ts';

export interface Cancelling {
  provider: PaymentProvider;
  chargeId: string;
  processorId: string | null;
}

/**
 * Where the charge's row names no object yet, there is nobody to ask: the row itself says from now on that none is to
 * be named, and whoever is about to name one finds that, and asks for no money.
 */
export async function cancelAtProcessor(
  ctx: Pick<Context, 'db' | 'nowMs'>,
  scope: Scope,
  { provider, chargeId, processorId }: Cancelling,
): Promise<CancelOutcome> {
  const { nowMs } = ctx;
  if (!isUnprepared(provider, { processorId })) {
    return provider.cancel({ scope, chargeId, processorId, nowMs });
  }
  const isCalledOff = await callOffUnnamed(ctx.db, scope, { chargeId, nowMs });
  return isCalledOff ? { kind: 'cancelled' } : { kind: 'unknown' };
}

/** What a charge under way is at its processor, and what a stored method would be asked for by the same row. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type {
  LookUpOutcome,
  LookUpReference,
  PaymentProvider,
} from '../../providers/payment/payment-provider.ts';
import { countCharges, findPayment, type PaymentRow } from '../../resources/payments/payments.queries.ts';
import { askForCharge } from './charge-payment.ts';
import type { OpenedCharge } from './open-charge.ts';

export interface LookingUp {
  provider: PaymentProvider;
  charge: Row<'charges'>;
}

/** What its buyer has approved elsewhere is taken now, as far as the payment still waits for it. */
export async function lookUpCharge(
  ctx: Context,
  scope: Scope,
  { provider, charge }: LookingUp,
): Promise<Exclude<LookUpOutcome, { kind: 'ready' }>> {
  const found = await provider.lookUp(toLookUpReference(ctx, scope, charge));
  if (found.kind !== 'ready') return found;
  const { id: chargeId, paymentId, amount: amountMinor, currency, offSession } = charge;
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (payment?.status !== 'PENDING') return { kind: 'no_answer' };
  const asked = { paymentId, chargeId, amountMinor, currency, userId: payment.userId };
  return askForCharge(ctx, scope, {
    provider,
    charge: { ...asked, processorId: found.processorId },
    method: { kind: 'redirect' },
    offSession,
  });
}

export function toLookUpReference(
  { nowMs }: Pick<Context, 'nowMs'>,
  scope: Scope,
  { id: chargeId, processorId, expectedBy: expectedByMs, offSession }: Row<'charges'>,
): LookUpReference {
  return { scope, chargeId, processorId, expectedByMs, purpose: offSession ? 'renewal' : 'purchase', nowMs };
}

export interface Reopening {
  charge: Row<'charges'>;
  payment: PaymentRow;
  reference: string | null;
  begunRealMs: number;
}

/** The same charge of its stored method again. */
export async function toOpened(
  ctx: Pick<Context, 'db'>,
  scope: Scope,
  { charge, payment, reference, begunRealMs }: Reopening,
): Promise<OpenedCharge> {
  const { id: chargeId, paymentId, processor, connectionId, processorId, currency, offSession } = charge;
  const { type, userId } = payment;
  const isRetry = offSession && (await countCharges(ctx.db, scope, paymentId)) > 1;
  const purpose = isRetry ? 'retry' : offSession ? 'renewal' : 'purchase';
  const at = { processor, connectionId, processorId, reference };
  return {
    paymentId,
    chargeId,
    type,
    amountMinor: charge.amount,
    currency,
    userId,
    ...at,
    offSession,
    purpose,
    begunRealMs,
  };
}

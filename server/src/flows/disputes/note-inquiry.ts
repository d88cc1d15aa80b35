/** A buyer's bank asks about a charge before it takes anything: the owners are told, and nothing is withheld. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { ToldDispute } from '../../providers/payment/payment-provider.ts';
import { insertDispute } from '../../resources/disputes/disputes.queries.ts';
import { lockPayment } from '../../resources/payments/payments.queries.ts';
import { toDisputeFacts } from './dispute-facts.ts';
import { planDispute } from './plan-dispute.ts';
import { tellOfDispute } from './tell-of-dispute.ts';

export async function noteInquiry(
  ctx: Step,
  scope: Scope,
  { tx, charge, told }: { tx: Tx; charge: Row<'charges'>; told: ToldDispute },
): Promise<void> {
  const payment = await lockPayment(tx, scope, charge.paymentId);
  const { amount, tax } = await planDispute(scope, { tx, payment, charge, disputed: told.disputed });
  const dispute = {
    id: ctx.ids.next(ctx.nowMs),
    ...{ chargeId: charge.id, orderId: payment.orderId, paymentId: payment.id },
    ...{ status: 'inquiry' as const, amount, tax, currency: charge.currency },
    ...{ connectionId: charge.connectionId, processorId: told.processorId, refundId: null },
    ...toDisputeFacts(told),
    ...{ openedAt: ctx.nowMs, closedAt: null },
  };
  await insertDispute(tx, scope, dispute);
  await tellOfDispute(ctx, scope, { tx, kind: 'dispute_inquiry', payment, dispute });
}

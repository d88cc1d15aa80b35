/** A buyer's bank disputes a charge: the payment keeps its status, and what it bought is withheld. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import { canAct } from '../../domain/states/subscription.ts';
import type { ToldDispute } from '../../providers/payment/payment-provider.ts';
import { findDispute, insertDispute, updateDispute } from '../../resources/disputes/disputes.queries.ts';
import { findOrder, updateOrder } from '../../resources/orders/orders.queries.ts';
import { lockPayment } from '../../resources/payments/payments.queries.ts';
import { lockOfLockedOrder } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { postDisputeOpened } from '../accounting/post-to-ledger.ts';
import { pauseSubscription } from '../subscription-lifecycle/pause-subscription.ts';
import { toDisputeFacts } from './dispute-facts.ts';
import { planDispute } from './plan-dispute.ts';
import { tellOfDispute, tellOfExcess } from './tell-of-dispute.ts';

interface Opening {
  tx: Tx;
  charge: Row<'charges'>;
  told: ToldDispute;
  /** As an inquiry. */
  known: Row<'disputes'> | undefined;
}

/**
 * Opens it, under the lock of its sale. Nothing happens where nothing is left of the money and the processor names no
 * sum; one that names a sum has taken it all the same.
 */
export async function openDispute(
  ctx: Step,
  scope: Scope,
  { tx, charge, told, known }: Opening,
): Promise<Row<'disputes'> | null> {
  const payment = await lockPayment(tx, scope, charge.paymentId);
  const { amount, tax, excess } = await planDispute(scope, {
    ...{ tx, payment, charge, disputed: told.disputed },
  });
  if (amount === 0n && told.disputed === null) return null;
  const { orderId, id: paymentId } = payment;
  const { currency } = charge;
  const at = ctx.nowMs;
  const opened = {
    id: known?.id ?? ctx.ids.next(at),
    ...{ chargeId: charge.id, orderId, paymentId, status: 'open' as const, amount, tax, currency },
    ...{ connectionId: charge.connectionId, processorId: told.processorId, refundId: null },
    ...toDisputeFacts(told),
    ...{ openedAt: at, closedAt: null },
  };
  if (known) await updateDispute(tx, scope, opened);
  else await insertDispute(tx, scope, opened);
  if (isInitialPayment(payment.type)) await freeze(tx, scope, { orderId, at });
  const posting = { at, paymentId, currency, disputeId: opened.id, amountMinor: amount, taxMinor: tax };
  await postDisputeOpened(tx, scope, ctx.ids, posting);
  // What is over, and well, needs nobody.
  if (told.stage !== 'won')
    await tellOfDispute(ctx, scope, { tx, kind: 'dispute_opened', payment, dispute: opened });
  if (excess > 0n) await tellOfExcess(ctx, scope, { tx, payment, dispute: opened, excess });
  if (payment.subscriptionId) await pause(ctx, scope, { tx, subscriptionId: payment.subscriptionId });
  return (await findDispute(tx, scope, { chargeId: charge.id, processorId: told.processorId })) ?? null;
}

/** Since the first of several. */
async function freeze(
  tx: Tx,
  scope: Scope,
  { orderId: id, at }: { orderId: string; at: number },
): Promise<void> {
  const order = await findOrder(tx, scope, id);
  if (order?.frozenAt === null) await updateOrder(tx, scope, { id, frozenAt: at });
}

/** Nothing is charged while the buyer's bank looks at it. */
async function pause(
  ctx: Step,
  scope: Scope,
  { tx, subscriptionId }: { tx: Tx; subscriptionId: string },
): Promise<void> {
  const { status } = await lockOfLockedOrder(tx, scope, subscriptionId);
  if (!canAct('pause', status)) return;
  await pauseSubscription(ctx, scope, { tx, subscriptionId, behavior: 'void' });
}

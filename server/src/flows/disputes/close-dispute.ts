/** A dispute ends: won, and all is restored; lost, and the money is gone as by a refund. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { computeRefundLimit } from '../../domain/payments/refund.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import { listWaitingWithdrawals } from '../../resources/consumer/withdrawals.queries.ts';
import { isDisputed, listDisputesOfOrder, updateDispute } from '../../resources/disputes/disputes.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { updateOrder } from '../../resources/orders/orders.queries.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import { findPaidCharge, sumRefunds } from '../../resources/refunds/refunds.queries.ts';
import type { LockedSale } from '../../resources/sales/locked-sale.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockOfLockedOrder,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { postDisputeWon } from '../accounting/post-to-ledger.ts';
import { requestRefund } from '../refunds/refund-payment.ts';
import { settleRefund } from '../refunds/settle-refund.ts';
import { endSubscription } from '../subscription-lifecycle/end-subscription.ts';
import { isChargingPeriod, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

/** Closes it once, under the lock of its sale. */
export async function closeDispute(
  ctx: Step,
  scope: Scope,
  { tx, sale, dispute, end }: { tx: Tx; sale: LockedSale; dispute: Row<'disputes'>; end: DisputeEnd },
): Promise<void> {
  const { id, status, orderId, paymentId } = dispute;
  if (status !== 'open' && status !== 'inquiry') return;
  await updateDispute(tx, scope, { id, status: end, closedAt: ctx.nowMs });
  if (status === 'inquiry') return;
  const isFrozen = await isDisputed(tx, scope, paymentId);
  if (isInitialPayment(sale.paymentType) && !isFrozen)
    await updateOrder(tx, scope, { id: orderId, frozenAt: null });
  const { subscriptionId } = sale;
  if (end === 'lost') await closeLost(ctx, scope, { tx, dispute, subscriptionId });
  else await closeWon(ctx, scope, { tx, dispute, subscriptionId });
  // What was withdrawn from while it lasted takes effect now.
  const waiting = await listWaitingWithdrawals(tx, scope, orderId);
  const dueMs = ctx.nowMs;
  await insertDueWork(
    tx,
    scope,
    waiting.map((refId) => ({ kind: 'attend_withdrawal', refId, dueMs })),
  );
}

type DisputeEnd = 'won' | 'lost' | 'none';

interface Closing {
  tx: Tx;
  dispute: Row<'disputes'>;
  subscriptionId: string | null;
}

async function closeWon(ctx: Step, scope: Scope, { tx, dispute, subscriptionId }: Closing): Promise<void> {
  const { paymentId, currency, id: disputeId, amount: amountMinor, tax: taxMinor } = dispute;
  const at = ctx.nowMs;
  await postDisputeWon(tx, scope, ctx.ids, { at, paymentId, currency, disputeId, amountMinor, taxMinor });
  if (subscriptionId) await resume(ctx, scope, { tx, dispute, subscriptionId });
}

/** Due to be resumed from now on, unless somebody else paused it, it has ended, or another dispute is open. */
async function resume(
  ctx: Step,
  scope: Scope,
  { tx, dispute, subscriptionId }: Closing & { subscriptionId: string },
): Promise<void> {
  const before = await lockOfLockedOrder(tx, scope, subscriptionId);
  const disputes = await listDisputesOfOrder(tx, scope, dispute.orderId);
  const isByDispute = disputes.some(
    ({ openedAt, status }) => status !== 'inquiry' && openedAt === before.pausedAt,
  );
  if (before.status !== 'paused' || !isByDispute || disputes.some(({ status }) => status === 'open')) return;
  const after = await changeSubscription(tx, scope, subscriptionId, { resumeAt: ctx.nowMs });
  const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
  await scheduleSubscription(tx, scope, after, { isCharging });
}

/** The bank has the money already, so that no processor is asked. */
async function closeLost(ctx: Step, scope: Scope, { tx, dispute, subscriptionId }: Closing): Promise<void> {
  const { paymentId, amount, processorId } = dispute;
  const isAll = await isAllLost(tx, scope, { paymentId, amount });
  if (subscriptionId && isAll) {
    const reason = 'dispute_lost';
    await endSubscription(ctx, scope, { tx, subscriptionId, canceledAt: ctx.nowMs, reason });
  }
  // All had gone back before: nothing of ours is lost.
  if (amount === 0n) return;
  const { id: refundId } = await requestRefund(ctx, scope, {
    tx,
    paymentId,
    amountMinor: amount,
    reason: 'dispute',
    note: null,
    isLostDispute: true,
  });
  await updateDispute(tx, scope, { id: dispute.id, refundId });
  const outcome = { kind: 'succeeded' as const, processorId: processorId ?? '' };
  await settleRefund(ctx, scope, { tx, refundId, outcome });
  // Part of it was paid for, and stays so.
  if (subscriptionId && !isAll) await resume(ctx, scope, { tx, dispute, subscriptionId });
}

/** Nothing is left of the payment once it is lost. */
async function isAllLost(
  tx: Tx,
  scope: Scope,
  { paymentId, amount }: { paymentId: string; amount: bigint },
): Promise<boolean> {
  const [payment, charge, { takenMinor }] = await Promise.all([
    findPayment(tx, scope, paymentId),
    findPaidCharge(tx, scope, paymentId),
    sumRefunds(tx, scope, paymentId),
  ]);
  assert(payment && charge, 'a dispute is about money that was taken');
  return computeRefundLimit(payment.value, charge) - takenMinor <= amount;
}

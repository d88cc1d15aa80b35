/** A payment that will not be paid any more, with all that waited for it, in the caller's transaction. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { ORDER } from '../../domain/states/order.ts';
import { isInitialPayment, PAYMENT, type PaymentStatus } from '../../domain/states/payment.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import { planAfterPaid } from '../../domain/subscriptions/after-payment.ts';
import { deleteDueWork } from '../../resources/due-work/due-work.queries.ts';
import { updateOrder } from '../../resources/orders/orders.queries.ts';
import { findPendingCharge, updateCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockOfLockedOrder,
  type SubscriptionChanges,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { releaseHolds } from '../fulfilment/hold-stock.ts';
import { atLock } from '../outbox/at-lock.ts';
import { dropPeriod, dropPlanChange } from '../subscription-lifecycle/apply-plan-change.ts';
import { endSubscription } from '../subscription-lifecycle/end-subscription.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import {
  findOwed,
  isChargingPeriod,
  scheduleSubscription,
} from '../subscription-lifecycle/schedule-subscription.ts';
import type { StoppedCharge } from './cancel-charge.ts';

export interface Closing {
  tx: Tx;
  paymentId: string;
  /** What became of the charge under way, asked before the transaction. */
  stopped: StoppedCharge;
  to: 'CANCELLED' | 'EXPIRED';
  reason: string | null;
}

/**
 * CANCELLED or EXPIRED; an initial payment takes its order and subscription with it. Throws payment_in_progress
 * when money may be on its way, and payment_state when the payment is paid or closed by now.
 */
export async function closePayment(
  step: Step,
  scope: Scope,
  { tx, paymentId, stopped, to, reason }: Closing,
): Promise<void> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  if (!sale) throw new Refusal('not_found');
  const ctx = atLock(step);
  const status = sale.paymentStatus;
  if (stopped.kind === 'taken' || !canMove(PAYMENT, status, to)) throw toStateRefusal(status);
  await closeStoppedCharge(ctx, scope, { tx, paymentId, stopped });
  await updatePayment(tx, scope, {
    id: paymentId,
    status: move(PAYMENT, status, to),
    version: sale.paymentVersion + 1,
  });
  if (isInitialPayment(sale.paymentType)) await closeOrder(ctx, scope, { tx, sale, to, reason });
  else await closeLater(ctx, scope, { tx, sale });
}

export function toStateRefusal(status: PaymentStatus): Refusal {
  return new Refusal('payment_state', { message: `The payment is ${status}.` });
}

/** Refuses while the processor may still take money, also for a try that began after it was asked. */
export async function closeStoppedCharge(
  ctx: Step,
  scope: Scope,
  { tx, paymentId, stopped }: Pick<Closing, 'tx' | 'paymentId' | 'stopped'>,
): Promise<void> {
  if (stopped.kind === 'unknown') throw new Refusal('payment_in_progress');
  const pending = await findPendingCharge(tx, scope, paymentId);
  if (!pending) return;
  if (stopped.kind !== 'stopped' || pending.id !== stopped.chargeId) throw new Refusal('payment_in_progress');
  await updateCharge(tx, scope, {
    id: pending.id,
    status: 'failed',
    decline: 'soft',
    declineReason: 'canceled',
    declineMessage: 'The payment was cancelled.',
    actionPath: null,
    settledAt: ctx.nowMs,
  });
}

interface ClosingSale {
  tx: Tx;
  sale: LockedSale;
}

async function closeOrder(
  ctx: Step,
  scope: Scope,
  { tx, sale, to, reason }: ClosingSale & Pick<Closing, 'to' | 'reason'>,
): Promise<void> {
  const { orderId, subscriptionId } = sale;
  const status = sale.orderStatus;
  await releaseHolds(tx, scope, { orderId, holds: sale.holds, withRedemption: true });
  await updateOrder(tx, scope, {
    id: orderId,
    status: status === to ? to : move(ORDER, status, to),
    holds: 'none',
    version: sale.orderVersion + 1,
  });
  await deleteDueWork(tx, scope, 'watch_order', orderId);
  if (subscriptionId === null) return;
  if (to === 'CANCELLED') {
    await endSubscription(ctx, scope, { tx, subscriptionId, canceledAt: ctx.nowMs, reason });
    return;
  }
  const before = await lockOfLockedOrder(tx, scope, subscriptionId);
  const subscription = await changeSubscription(tx, scope, subscriptionId, {
    status: move(SUBSCRIPTION, before.status, 'incomplete_expired'),
    endedAt: ctx.nowMs,
    version: before.version + 1,
  });
  await recordSubscriptionEvent(ctx, scope, { tx, subscription });
}

/** A subscription that owes nothing else is as it would be with the payment paid. */
async function closeLater(ctx: Step, scope: Scope, { tx, sale }: ClosingSale): Promise<void> {
  const { paymentId, paymentType, subscriptionId } = sale;
  await deleteDueWork(tx, scope, 'watch_payment', paymentId);
  if (subscriptionId === null || paymentType === 'subscription_extra') return;
  const before = await lockOfLockedOrder(tx, scope, subscriptionId);
  if (paymentType === 'subscription_update') {
    // The change that waited for this payment is off: the old plan stays.
    const dropped = await dropPlanChange(ctx, scope, { tx, subscription: before, paymentId });
    if (Object.keys(dropped).length === 0) return;
    const kept = await changeSubscription(tx, scope, subscriptionId, dropped);
    const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
    await scheduleSubscription(tx, scope, kept, { isCharging });
    return;
  }
  if (before.endedAt !== null) return;
  const dropped = await dropPeriod(ctx, scope, { tx, subscription: before, paymentId });
  const open = await listOpenPayments(tx, scope, subscriptionId);
  const isCharging = isChargingPeriod(open);
  const owed = findOwed(open, paymentId);
  const changes: SubscriptionChanges = { ...planAfterPaid(before, { nowMs: ctx.nowMs, owed }), ...dropped };
  const isTold = changes.status !== undefined;
  const version = isTold ? before.version + 1 : before.version;
  const isChanged = Object.keys(changes).length > 0;
  const after = isChanged
    ? await changeSubscription(tx, scope, subscriptionId, { ...changes, version })
    : before;
  await scheduleSubscription(tx, scope, after, { isCharging });
  if (isTold) await recordSubscriptionEvent(ctx, scope, { tx, subscription: after });
}

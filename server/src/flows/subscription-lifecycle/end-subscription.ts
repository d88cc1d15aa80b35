/** A subscription ends: nothing is owed any more, and what was not yet billed lapses. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { move } from '../../domain/states/machine.ts';
import { isInitialPayment, PAYMENT } from '../../domain/states/payment.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import { NO_RUN } from '../../domain/subscriptions/after-payment.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { lapseWaitingLines } from '../../resources/payments/payment-lines.queries.ts';
import { findPayment, findPendingCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockBilling,
  type OpenPayment,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { recordSubscriptionEvent } from './record-subscription-event.ts';
import { refuseMovedClock } from './refuse-moved-clock.ts';

export interface Ending {
  tx: Tx;
  subscriptionId: string;
  /** When it was asked for, ms; what is stored already is kept. */
  canceledAt: number;
  reason: string | null;
  /** Set where it ends by itself, with its period or with the run of its retries. */
  inPeriod?: 'last';
}

/**
 * Ends it now; one that has ended stays as it is. A later payment whose charge is under way is called off by its watch,
 * since the processor is asked outside; what that cannot stop any more is left to what comes of it. Refunds nothing.
 */
export async function endSubscription(
  step: Step,
  scope: Scope,
  { tx, subscriptionId, canceledAt, reason, inPeriod }: Ending,
): Promise<Row<'subscriptions'>> {
  const before = await lockBilling(tx, scope, subscriptionId);
  assert(before, 'a subscription that ends exists');
  const ctx = atLock(step);
  const status = before.status;
  if (status === 'canceled' || status === 'incomplete_expired') return before;
  await refuseMovedClock(ctx, scope, tx);
  const endedAt = await findEndMs(ctx, scope, { tx, subscription: before });
  for (const payment of await listOpenPayments(tx, scope, subscriptionId)) {
    await closeStoppedPayment(scope, { tx, payment, endedAt });
  }
  await lapseWaitingLines(tx, scope, { subscriptionId, lapsedAt: ctx.nowMs });
  const after = await changeSubscription(tx, scope, subscriptionId, {
    status: move(SUBSCRIPTION, status, 'canceled'),
    // Whoever listens hears of its end alone.
    waiting: false,
    canceledAt: before.canceledAt ?? canceledAt,
    endedAt,
    cancelReason: before.cancelReason ?? reason,
    pausedAt: null,
    resumeAt: null,
    pauseBehavior: null,
    pendingChange: null,
    pendingPaymentId: null,
    scheduledChange: null,
    ...NO_RUN,
    version: before.version + 1,
  });
  await deleteDueWork(tx, scope, 'advance_subscription', subscriptionId);
  // Told with the moment that it bears.
  const atEnd = { ...ctx, nowMs: endedAt };
  await recordSubscriptionEvent(atEnd, scope, {
    tx,
    subscription: after,
    types: ['subscription_updated', 'subscription_cancelled'],
    ...(inPeriod ? { inPeriod } : {}),
  });
  return after;
}

/** Never before the newest of its payments, which another request may have stamped later than this one began. */
export async function findEndMs(
  { nowMs }: Pick<Step, 'nowMs'>,
  scope: Scope,
  { tx, subscription: { lastPaymentId } }: { tx: Tx; subscription: Row<'subscriptions'> },
): Promise<number> {
  const last = lastPaymentId === null ? undefined : await findPayment(tx, scope, lastPaymentId);
  return Math.max(nowMs, last?.createdAt ?? nowMs);
}

async function closeStoppedPayment(
  scope: Scope,
  { tx, payment, endedAt }: { tx: Tx; payment: OpenPayment; endedAt: number },
): Promise<void> {
  const { id, type, status, version } = payment;
  const charge = status === 'PENDING' ? await findPendingCharge(tx, scope, id) : undefined;
  if (!charge) {
    await updatePayment(tx, scope, { id, status: move(PAYMENT, status, 'CANCELLED'), version: version + 1 });
  } else if (charge.hold === null && !isInitialPayment(type)) {
    // What comes of it is told after the end.
    await insertDueWork(tx, scope, [{ kind: 'watch_payment', refId: id, dueMs: endedAt + 1 }]);
  }
}

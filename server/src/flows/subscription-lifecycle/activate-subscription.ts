/** The initial payment is PAID: the subscription starts, with its trial or its first period. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { move } from '../../domain/states/machine.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import { toFirstPeriod } from '../../domain/subscriptions/first-period.ts';
import { updatePayment } from '../../resources/payments/payments.queries.ts';
import { changeSubscription } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { lockSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { scheduleSubscription } from './schedule-subscription.ts';

/** Moves it to `trialing` or `active`; its period begins with the payment. A trial is not a period of the calendar. */
export async function activateSubscription(
  ctx: Step,
  scope: Scope,
  { tx, id, methodId }: { tx: Tx; id: string; methodId: string | null },
): Promise<void> {
  const subscription = await lockSubscription(tx, scope, id);
  assert(subscription, 'an order names a subscription that exists');
  const { nowMs } = ctx;
  const trialEnd = subscription.trialEnd;
  const interval = { unit: subscription.recurringInterval, count: subscription.recurringIntervalCount };
  const isTrial = trialEnd !== null && trialEnd > nowMs;
  const status = move(SUBSCRIPTION, subscription.status, isTrial ? 'trialing' : 'active');
  const period = isTrial ? null : toFirstPeriod(subscription.anchorAt ?? nowMs, interval, nowMs);
  const after = await changeSubscription(tx, scope, id, {
    status,
    version: subscription.version + 1,
    // One made by the API brings its stored method along.
    ...(methodId === null ? {} : { paymentMethodId: methodId }),
    anchorAt: isTrial ? trialEnd : (subscription.anchorAt ?? nowMs),
    trialStart: isTrial ? nowMs : null,
    trialEnd: isTrial ? trialEnd : null,
    currentIntervalStart: period?.startMs ?? nowMs,
    currentIntervalEnd: period?.endMs ?? trialEnd,
  });
  await scheduleSubscription(tx, scope, after);
  if (period === null || subscription.lastPaymentId === null) return;
  // Of which period it is, so that a credit never exceeds what was paid for it.
  const { startMs: periodStart, endMs: periodEnd } = period;
  await updatePayment(tx, scope, { id: subscription.lastPaymentId, periodStart, periodEnd });
}

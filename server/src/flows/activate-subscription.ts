/** The initial payment is PAID: the subscription starts, with its trial or its first period. */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { boundaryMs } from '../domain/billing/period.ts';
import { move } from '../domain/states/machine.ts';
import { SUBSCRIPTION, type SubscriptionStatus } from '../domain/states/subscription.ts';
import { lockSubscription, updateSubscription } from '../resources/subscriptions/subscriptions.queries.ts';

/** Moves it to `trialing` or `active`; its period begins with the payment. A trial is not a period of the calendar. */
export async function activateSubscription(
  ctx: Context,
  scope: Scope,
  { tx, id, methodId }: { tx: Tx; id: string; methodId: string | null },
): Promise<void> {
  const subscription = await lockSubscription(tx, scope, id);
  assert(subscription, 'an order names a subscription that exists');
  const { nowMs } = ctx;
  const trialEnd = subscription.trialEnd;
  const interval = { unit: subscription.recurringInterval, count: subscription.recurringIntervalCount };
  const isTrial = trialEnd !== null && trialEnd > nowMs;
  const status = move(
    SUBSCRIPTION,
    subscription.status as SubscriptionStatus,
    isTrial ? 'trialing' : 'active',
  );
  await updateSubscription(tx, scope, {
    id,
    status,
    version: subscription.version + 1,
    paymentMethodId: methodId,
    anchorAt: isTrial ? trialEnd : nowMs,
    trialStart: isTrial ? nowMs : null,
    trialEnd: isTrial ? trialEnd : null,
    currentIntervalStart: nowMs,
    currentIntervalEnd: isTrial ? trialEnd : boundaryMs(nowMs, interval, 1),
  });
}

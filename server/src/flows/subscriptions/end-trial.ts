/** A trial ends now instead of at its time: the calendar's anchor becomes now, and the first period is charged. */

import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { changeSubscription } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { resumeStoredCharges } from '../payments/resume-stored-charge.ts';
import { advanceNow } from '../renewals/advance-subscription.ts';
import { lockSubscriptionFor, type OperationClaim } from '../subscription-lifecycle/lock-subscription.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

/** Answers once the processor has decided, or does not know. Refuses not_found and subscription_state. */
export async function endTrial(
  ctx: Context,
  scope: Scope,
  { subscriptionId, claim }: { subscriptionId: string; claim: OperationClaim },
): Promise<void> {
  if (claim.resumeId === null) await writeEnd(ctx, scope, { subscriptionId, claim });
  await advanceNow(ctx, scope, subscriptionId);
  if (claim.resumeId !== null) await resumeStoredCharges(ctx, scope, subscriptionId);
}

function writeEnd(
  ctx: Context,
  scope: Scope,
  { subscriptionId, claim }: { subscriptionId: string; claim: OperationClaim },
): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    await claim.begin(tx, subscriptionId);
    const before = await lockSubscriptionFor(ctx, scope, { tx, id: subscriptionId, action: 'end_trial' });
    const step = atLock(ctx);
    const { nowMs } = step;
    // Its first period is being charged already.
    if (before.trialEnd !== null && before.trialEnd <= nowMs) return;
    const after = await changeSubscription(tx, scope, subscriptionId, {
      trialEnd: nowMs,
      anchorAt: nowMs,
      currentIntervalEnd: nowMs,
      version: before.version + 1,
    });
    await scheduleSubscription(tx, scope, after);
    // Before what is told of the period that begins in this very moment.
    await recordSubscriptionEvent(step, scope, { tx, subscription: after, inPeriod: 'first' });
  });
}

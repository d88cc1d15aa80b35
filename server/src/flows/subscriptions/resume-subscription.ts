/** Collection goes on, now or at a later moment: drafts are charged first. */

import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import {
  changeSubscription,
  isMethodTried,
  listOpenPayments,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { collectNow } from '../dunning/collect-with-new-card.ts';
import { atLock } from '../outbox/at-lock.ts';
import { resumeStoredCharges } from '../payments/resume-stored-charge.ts';
import { advanceNow } from '../renewals/advance-subscription.ts';
import { lockSubscriptionFor, type OperationClaim } from '../subscription-lifecycle/lock-subscription.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { isChargingPeriod, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

export interface Resuming {
  subscriptionId: string;
  /** Ms; one that lies ahead is only put down. Null = now. */
  resumeAt: number | null;
  claim: OperationClaim;
}

/**
 * Answers once every draft is settled or one was declined, and a card that came in the pause of a run was tried. Refuses not_found and
 * subscription_state.
 */
export async function resumeSubscription(
  ctx: Context,
  scope: Scope,
  { subscriptionId, resumeAt, claim }: Resuming,
): Promise<void> {
  // The request that put it down died: what it left due is taken up.
  if (claim.resumeId !== null) {
    await advanceNow(ctx, scope, subscriptionId);
    return resumeStoredCharges(ctx, scope, subscriptionId);
  }
  const isLater = resumeAt !== null && resumeAt > ctx.nowMs;
  const hasNewCard = await inTransaction(ctx.db, async (tx) => {
    await claim.begin(tx, subscriptionId);
    const before = await lockSubscriptionFor(ctx, scope, { tx, id: subscriptionId, action: 'resume' });
    // From now on it is due: should this process die, a worker resumes it.
    // Of several at once none moves what another has put down beyond the moment at which that one looks.
    const due = Math.min(before.resumeAt ?? ctx.nowMs, ctx.nowMs);
    const after = await changeSubscription(tx, scope, subscriptionId, {
      resumeAt: isLater ? resumeAt : due,
      version: before.version + (isLater ? 1 : 0),
    });
    const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
    await scheduleSubscription(tx, scope, after, { isCharging });
    if (isLater) await recordSubscriptionEvent(atLock(ctx), scope, { tx, subscription: after });
    return before.dunningStartedAt !== null && !(await isMethodTried(tx, scope, before));
  });
  if (isLater) return;
  await advanceNow(ctx, scope, subscriptionId);
  // It is due work as well; who asks is answered with what came of it.
  if (hasNewCard) await collectNow(ctx, scope, { subscriptionId, methodId: null });
}

/** The end of a pause. */
import type { Step } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { move } from '../../domain/states/machine.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import {
  isResuming,
  NO_RUN,
  readRun,
  toRunColumns,
  toRunning,
} from '../../domain/subscriptions/after-payment.ts';
import { shiftRun } from '../../domain/subscriptions/dunning.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  changeSubscription,
  isMethodTried,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { applyAndTell, type Collecting, chargeOwed } from '../dunning/retry-owed.ts';
import type { OpenedCharge } from '../payments/open-charge.ts';
import { listOwed } from '../subscription-lifecycle/schedule-subscription.ts';

/**
 * The pause ends. Drafts are charged first and decide what becomes of it; a run that the pause had stopped goes
 * on with what it had left, and a card that came meanwhile is tried at once.
 */
export async function endPause(
  ctx: Step,
  scope: Scope,
  { tx, subscription, open }: Collecting,
): Promise<OpenedCharge | null> {
  const { nowMs } = ctx;
  const noPause = { pausedAt: null, resumeAt: null, pauseBehavior: null };
  if (subscription.dunningStartedAt !== null) {
    const run = {
      ...readRun(subscription, nowMs),
      retryAtMs: subscription.retryAt ?? subscription.pausedAt ?? nowMs,
    };
    const shifted = toRunColumns(shiftRun(run, nowMs - (subscription.pausedAt ?? nowMs)));
    const changes = { status: move(SUBSCRIPTION, 'paused', 'past_due'), ...noPause, ...shifted };
    await applyAndTell(ctx, scope, { tx, subscription, changes });
    if (!(await isMethodTried(tx, scope, subscription))) {
      const { id: refId } = subscription;
      await insertDueWork(tx, scope, [{ kind: 'collect_owed', refId, dueMs: nowMs }]);
    }
    return null;
  }
  const [oldest] = listOwed(open);
  if (oldest) {
    // From here on the pause is over as soon as the drafts are settled, whichever process does it.
    const isMarked = isResuming(subscription, nowMs);
    if (!isMarked) await changeSubscription(tx, scope, subscription.id, { resumeAt: nowMs });
    return chargeOwed(ctx, scope, { tx, subscription, payment: oldest });
  }
  const status = move(SUBSCRIPTION, 'paused', toRunning(subscription, nowMs));
  await applyAndTell(ctx, scope, { tx, subscription, changes: { status, ...noPause, ...NO_RUN } });
  return null;
}

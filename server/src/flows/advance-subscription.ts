/**
 * What a subscription does by itself when its moment has come, one step at a time: load and lock, decide, write;
 * then the processor, outside. A worker may die anywhere: what is left are rows that another goes on from.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { assertNever } from '../domain/assert.ts';
import type { BillingStep } from '../domain/billing/next-moment.ts';
import { type ClaimedWork, finishDueWork } from '../resources/due-work/due-work.queries.ts';
import { listOpenPayments, lockBilling } from '../resources/subscriptions/billing.queries.ts';
import { askSubscriber } from './ask-tax-number.ts';
import { finishStoredCharge, type OpenedCharge } from './charge-subscription.ts';
import { type Collecting, endPause, remindOfOwed, retryOwed } from './collect-owed.ts';
import { endSubscription } from './end-subscription.ts';
import { passPeriod, renewSubscription } from './renew-subscription.ts';
import { isChargingPeriod, nextMomentOf, scheduleSubscription } from './schedule-subscription.ts';

/** One step of the subscription; each step puts down the moment of the next. */
export async function advanceSubscription(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  await askSubscriber(ctx, scope, id);
  const taken = await inTransaction(ctx.db, (tx) => takeStep(ctx, scope, { tx, id, work }));
  if (taken.opened) await finishStoredCharge(ctx, scope, taken.opened);
}

/** More steps than one operation may find due: drafts, and periods of an outage. What is left is the worker's. */
const STEPS_MAX = 24;

/** Takes the steps that are due by now, for an operation that answers with what came of them. */
export async function advanceNow(ctx: Context, scope: Scope, id: string): Promise<void> {
  await askSubscriber(ctx, scope, id);
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const taken = await inTransaction(ctx.db, (tx) => takeStep(ctx, scope, { tx, id }));
    if (!taken.isDue) return;
    if (taken.opened) await finishStoredCharge(ctx, scope, taken.opened);
  }
}

interface Taken {
  isDue: boolean;
  /** The charge that the step has left to be made; its outcome puts down the next moment. */
  opened: OpenedCharge | null;
}

async function takeStep(
  ctx: Context,
  scope: Scope,
  { tx, id, work }: { tx: Tx; id: string; work?: ClaimedWork },
): Promise<Taken> {
  const subscription = await lockBilling(tx, scope, id);
  const open = subscription ? await listOpenPayments(tx, scope, id) : [];
  const isCharging = isChargingPeriod(open);
  const next = subscription ? nextMomentOf(subscription, isCharging) : null;
  if (!subscription || next === null) {
    if (work) await finishDueWork(tx, work);
    return { isDue: false, opened: null };
  }
  if (next.atMs > ctx.nowMs) {
    await scheduleSubscription(tx, scope, subscription, { isCharging });
    return { isDue: false, opened: null };
  }
  return { isDue: true, opened: await applyStep(ctx, scope, next.step, { tx, subscription, open }) };
}

async function applyStep(
  ctx: Context,
  scope: Scope,
  step: BillingStep,
  collecting: Collecting,
): Promise<OpenedCharge | null> {
  switch (step) {
    case 'renew':
      return renewSubscription(ctx, scope, collecting);
    case 'pass':
      await passPeriod(ctx, scope, collecting);
      return null;
    case 'retry':
      return retryOwed(ctx, scope, collecting);
    case 'remind':
      await remindOfOwed(ctx, scope, collecting);
      return null;
    case 'resume':
      return endPause(ctx, scope, collecting);
    case 'end': {
      const { tx, subscription } = collecting;
      await endSubscription(ctx, scope, {
        tx,
        subscriptionId: subscription.id,
        canceledAt: ctx.nowMs,
        reason: null,
      });
      return null;
    }
    default:
      return assertNever(step);
  }
}

/** What a subscription owes is charged, oldest first, each payment on its own. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toSettings } from '../../domain/settings.ts';
import {
  type BilledChanges,
  planAfterPaid,
  readRun,
  toRunColumns,
} from '../../domain/subscriptions/after-payment.ts';
import { planAfterReminder } from '../../domain/subscriptions/dunning.ts';
import {
  changeSubscription,
  type OpenPayment,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { settleOfNothing } from '../payments/charge-stored-method.ts';
import { type OpenedCharge, openStoredCharge } from '../payments/open-charge.ts';
import { endDunning, mailOwed } from '../subscription-lifecycle/end-dunning.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { listOwed, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

export interface Collecting {
  tx: Tx;
  /** Locked with its order; nothing of it is being charged. */
  subscription: Row<'subscriptions'>;
  open: readonly OpenPayment[];
}

/** A day of the run, or its going on: the oldest of what is owed is charged by the stored method. */
export async function retryOwed(
  ctx: Step,
  scope: Scope,
  { tx, subscription, open }: Collecting,
): Promise<OpenedCharge | null> {
  const [oldest] = listOwed(open);
  if (!oldest) {
    const changes = planAfterPaid(subscription, { nowMs: ctx.nowMs, owed: 'nothing' });
    await applyAndTell(ctx, scope, { tx, subscription, changes });
    return null;
  }
  // Without a time of its own the run is in the middle of a day: whoever settles the charge plans the next one.
  if (subscription.retryAt !== null) await changeSubscription(tx, scope, subscription.id, { retryAt: null });
  return chargeOwed(ctx, scope, { tx, subscription, payment: oldest });
}

/** A day of a run whose card was refused for good: the buyer is told, nothing is charged. */
export async function remindOfOwed(ctx: Step, scope: Scope, { tx, subscription }: Collecting): Promise<void> {
  const { dunning } = toSettings((await getStore(tx, scope)).settings);
  const run = planAfterReminder(readRun(subscription, ctx.nowMs), ctx.nowMs, dunning);
  if (run === null) return endDunning(ctx, scope, { tx, subscription, end: dunning.end });
  const after = await changeSubscription(tx, scope, subscription.id, toRunColumns(run));
  await scheduleSubscription(tx, scope, after);
  await mailOwed(ctx, scope, { tx, subscription: after, kind: 'payment_overdue' });
}

/** Charges one payment by the subscription’s stored method; one of nothing is settled at once. */
export async function chargeOwed(
  ctx: Step,
  scope: Scope,
  { tx, subscription, payment }: { tx: Tx; subscription: Row<'subscriptions'>; payment: OpenPayment },
): Promise<OpenedCharge | null> {
  if (payment.value > 0n) {
    return openStoredCharge(ctx, scope, { tx, payment, methodId: subscription.paymentMethodId });
  }
  await settleOfNothing(ctx, scope, { tx, payment });
  return null;
}

/** Changes the subscription along its table, puts down its next moment and tells of it. */
export async function applyAndTell(
  ctx: Step,
  scope: Scope,
  { tx, subscription, changes }: { tx: Tx; subscription: Row<'subscriptions'>; changes: BilledChanges },
): Promise<void> {
  const version = subscription.version + 1;
  const after = await changeSubscription(tx, scope, subscription.id, { ...changes, version });
  await scheduleSubscription(tx, scope, after);
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after, inPeriod: 'first' });
}

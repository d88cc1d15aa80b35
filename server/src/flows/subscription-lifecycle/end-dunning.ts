/** The last day of a dunning run has gone by: access is off until all is paid, or the subscription ends. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { move } from '../../domain/states/machine.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import { countCharges } from '../../resources/payments/payments.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { deriveId, PLACE_MAX } from '../outbox/derive-id.ts';
import { queueBuyerMails } from '../outbox/queue-mail.ts';
import { endSubscription } from './end-subscription.ts';
import { recordSubscriptionEvent } from './record-subscription-event.ts';
import { listOwed, scheduleSubscription } from './schedule-subscription.ts';

/** More than a run has days. */
const FAILURES_MAX = 100;

/** `end` is the setting of the store. What is owed stays owed while the subscription is unpaid. */
export async function endDunning(
  ctx: Step,
  scope: Scope,
  { tx, subscription, end }: { tx: Tx; subscription: Row<'subscriptions'>; end: 'unpaid' | 'canceled' },
): Promise<void> {
  if (end === 'canceled') {
    const { id: subscriptionId } = subscription;
    await endSubscription(ctx, scope, {
      tx,
      subscriptionId,
      canceledAt: ctx.nowMs,
      reason: 'payment_failed',
      inPeriod: 'last',
    });
    return;
  }
  const status = subscription.status;
  // With no retries set the first failure is the last: the run is over as it begins.
  const overdue = status === 'past_due' ? status : move(SUBSCRIPTION, status, 'past_due');
  const after = await changeSubscription(tx, scope, subscription.id, {
    status: move(SUBSCRIPTION, overdue, 'unpaid'),
    dunningStartedAt: subscription.dunningStartedAt ?? ctx.nowMs,
    retryAt: null,
    pausedAt: null,
    resumeAt: null,
    pauseBehavior: null,
    version: subscription.version + 1,
  });
  await scheduleSubscription(tx, scope, after);
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after, inPeriod: 'last' });
  await mailOwed(ctx, scope, { tx, subscription: after, kind: 'subscription_unpaid' });
}

/** Tells the buyer what is owed, with the page where it can be paid; once per step of the run. */
export async function mailOwed(
  ctx: Step,
  scope: Scope,
  {
    tx,
    subscription,
    kind,
    endsAtMs = null,
  }: {
    tx: Tx;
    subscription: Row<'subscriptions'>;
    kind: 'subscription_unpaid' | 'payment_overdue';
    endsAtMs?: number | null;
  },
): Promise<void> {
  const { id, orderId, number: subscriptionNumber, currency, dunningFailures } = subscription;
  const owed = listOwed(await listOpenPayments(tx, scope, id));
  const [oldest] = owed;
  if (!oldest) return;
  const [item] = await listSubscriptionItems(tx, scope, id);
  const facts = {
    subscriptionNumber,
    productName: toWholeName(item),
    amountMinor: Number(owed.reduce((sum, { value }) => sum + value, 0n)),
    currency,
    payUrl: `${ctx.config.publicUrl}/pay/${oldest.payToken}`,
  };
  const common = {
    id: deriveId({
      workspaceId: scope.workspaceId,
      subscriptionId: id,
      startMs: oldest.periodStart ?? 0,
      kind: `mail:${kind}`,
      n: (await countCharges(tx, scope, oldest.id)) * FAILURES_MAX + dunningFailures,
      place: PLACE_MAX,
    }),
    ...{ key: `${kind}:${id}:${ctx.nowMs}`, at: ctx.nowMs, orderId, paymentId: oldest.id },
  };
  await queueBuyerMails(tx, scope, [
    kind === 'payment_overdue'
      ? { ...common, kind, params: { ...facts, endsAtMs } }
      : { ...common, kind, params: facts },
  ]);
}

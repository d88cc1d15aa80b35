/** The merchant, or the buyer, cancels a subscription: at once, or with the end of its interval. */
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { planUnusedRefunds } from '../../domain/billing/unused.ts';
import { isDisputed } from '../../resources/disputes/disputes.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  listPaidForPeriod,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { type AskedCharge, closeAsked, endWithoutCharges } from '../payments/stop-subscription-charges.ts';
import { findStepMinor } from '../pricing/find-step.ts';
import { requestRefund, sendWrittenRefund } from '../refunds/refund-payment.ts';
import { endSubscription, findEndMs } from '../subscription-lifecycle/end-subscription.ts';
import { lockSubscriptionFor, type OperationClaim } from '../subscription-lifecycle/lock-subscription.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { isChargingPeriod, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

export interface Cancel {
  subscriptionId: string;
  reason: string | null;
  claim: OperationClaim;
}

/** It ends with its interval, and until then it can be taken back. Refuses not_found and subscription_state. */
export async function cancelAtIntervalEnd(
  ctx: Context,
  scope: Scope,
  { subscriptionId, reason, claim }: Cancel,
): Promise<void> {
  if (claim.resumeId !== null) return;
  await inTransaction(ctx.db, async (tx) => {
    await claim.begin(tx, subscriptionId);
    await setFlag(ctx, scope, { tx, subscriptionId, reason });
  });
}

async function setFlag(
  step: Step,
  scope: Scope,
  { tx, subscriptionId, reason }: { tx: Tx; subscriptionId: string; reason: string | null },
): Promise<void> {
  const before = await lockSubscriptionFor(step, scope, {
    tx,
    id: subscriptionId,
    action: 'set_cancel_flag',
  });
  const ctx = atLock(step);
  if (before.cancelAtIntervalEnd) return;
  const after = await changeSubscription(tx, scope, subscriptionId, {
    cancelAtIntervalEnd: true,
    canceledAt: ctx.nowMs,
    cancelReason: reason,
    version: before.version + 1,
  });
  const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
  await scheduleSubscription(tx, scope, after, { isCharging });
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after, mail: 'subscription_ending' });
}

/** What was to end with its interval goes on, and the buyer is told what comes next. Refuses not_found and subscription_state. */
export async function keepSubscription(
  step: Step,
  scope: Scope,
  { tx, subscriptionId }: { tx: Tx; subscriptionId: string },
): Promise<void> {
  const before = await lockSubscriptionFor(step, scope, {
    tx,
    id: subscriptionId,
    action: 'set_cancel_flag',
  });
  const ctx = atLock(step);
  if (!before.cancelAtIntervalEnd) return;
  const after = await changeSubscription(tx, scope, subscriptionId, {
    ...{ cancelAtIntervalEnd: false, canceledAt: null, cancelReason: null },
    version: before.version + 1,
  });
  const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
  await scheduleSubscription(tx, scope, after, { isCharging });
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after, mail: 'subscription_changed' });
}

export interface ImmediateCancel extends Cancel {
  /** Gives back what was paid for the time that is left of the current period. */
  refund: boolean;
  /** What holds with the end or not at all: the last of its transaction. What it throws leaves the subscription as it is. */
  also?: (tx: Tx) => Promise<void>;
}

/**
 * It ends now. Refuses not_found and subscription_state; payment_in_progress while the processor does not say whether
 * it takes the money of the first payment.
 */
export async function cancelNow(ctx: Context, scope: Scope, cancel: ImmediateCancel): Promise<void> {
  // The request that ended it died: what it was to refund is due work by now.
  if (cancel.claim.resumeId !== null) return;
  const { subscriptionId } = cancel;
  const refundIds = await endWithoutCharges(ctx, scope, {
    subscriptionId,
    end: (asked) => inTransaction(ctx.db, (tx) => end(ctx, scope, { tx, cancel, asked })),
  });
  for (const refundId of refundIds) await sendWrittenRefund(ctx, scope, refundId);
}

async function end(
  step: Step,
  scope: Scope,
  { tx, cancel, asked }: { tx: Tx; cancel: ImmediateCancel; asked: AskedCharge[] },
): Promise<string[]> {
  const { subscriptionId, reason, refund, claim, also } = cancel;
  await claim.begin(tx, subscriptionId);
  const before = await lockSubscriptionFor(step, scope, { tx, id: subscriptionId, action: 'cancel_now' });
  const ctx = atLock(step);
  await closeAsked(ctx, scope, { tx, subscriptionId, asked, reason });
  const atEnd = { ...ctx, nowMs: await findEndMs(ctx, scope, { tx, subscription: before }) };
  const refundIds = refund ? await refundUnused(atEnd, scope, { tx, subscription: before }) : [];
  await endSubscription(atEnd, scope, { tx, subscriptionId, canceledAt: ctx.nowMs, reason });
  await also?.(tx);
  return refundIds;
}

async function refundUnused(
  ctx: Step,
  scope: Scope,
  { tx, subscription }: { tx: Tx; subscription: Row<'subscriptions'> },
): Promise<string[]> {
  const refundIds: string[] = [];
  for (const { paymentId, amountMinor } of await listUnused(ctx, scope, { db: tx, subscription })) {
    const request = { tx, paymentId, amountMinor, reason: 'requested_by_customer', note: null } as const;
    const { id: refundId } = await requestRefund(ctx, scope, request);
    refundIds.push(refundId);
  }
  return refundIds;
}

/** What an end at this moment, with refund, would give back; of a subscription that has ended nothing. */
export async function previewUnused(
  ctx: Pick<Step, 'nowMs' | 'payments'>,
  scope: Scope,
  of: { db: Db; subscription: Unused },
): Promise<bigint> {
  const refunds = of.subscription.endedAt === null ? await listUnused(ctx, scope, of) : [];
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

type Unused = Pick<
  Row<'subscriptions'>,
  'id' | 'currentIntervalStart' | 'currentIntervalEnd' | 'endedAt' | 'paymentMethodId' | 'currency'
>;

async function listUnused(
  ctx: Pick<Step, 'nowMs' | 'payments'>,
  scope: Scope,
  { db, subscription }: { db: Db; subscription: Unused },
): Promise<Array<{ paymentId: string; amountMinor: bigint }>> {
  const { id, currentIntervalStart: startMs, currentIntervalEnd: endMs } = subscription;
  if (startMs === null || endMs === null) return [];
  const paid = await listPaidForPeriod(db, scope, { subscriptionId: id, startMs });
  const refunds: Array<{ paymentId: string; amountMinor: bigint }> = [];
  const stepMinor = await findStepMinor(ctx, scope, { db, subscription });
  for (const planned of planUnusedRefunds(paid, { startMs, endMs, nowMs: ctx.nowMs, stepMinor })) {
    // Money that a bank has taken back already is not given back twice.
    if (!(await isDisputed(db, scope, planned.paymentId))) refunds.push(planned);
  }
  return refunds;
}

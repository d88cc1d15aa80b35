/**
 * A boundary of the calendar: the next period's payment comes into being, once per period, and the period moves
 * on whatever becomes of the payment.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { move } from '../../domain/states/machine.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import { type Period, periodContaining } from '../../domain/subscriptions/period.ts';
import type { AdoptedCharge } from '../../resources/payments/adopted-charges.queries.ts';
import { updatePayment } from '../../resources/payments/payments.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import {
  changeSubscription,
  type OpenPayment,
  type SubscriptionChanges,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { writeLostCharge } from '../payments/adopt-charge.ts';
import { settleOfNothing } from '../payments/charge-stored-method.ts';
import { type OpenedCharge, openStoredCharge } from '../payments/open-charge.ts';
import { composePeriodPayment } from '../pricing/compose-period-payment.ts';
import { applyScheduledChange } from '../subscription-lifecycle/apply-plan-change.ts';
import { payBackCredits } from '../subscription-lifecycle/pay-back-credits.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { listOwed, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';
import {
  type WrittenPayment,
  writeSubscriptionPayment,
  writeWaitingLines,
} from '../subscription-lifecycle/write-subscription-payment.ts';

export interface Renewing {
  tx: Tx;
  /** Locked with its order. */
  subscription: Row<'subscriptions'>;
  open: readonly OpenPayment[];
  /** What the processor has taken for the period already. */
  adopted?: AdoptedCharge | undefined;
}

/**
 * Writes the payment of the period that begins where the current one ends. Answers the charge that is still to
 * be made; none where the payment is of 0 or waits behind an overdue one.
 */
export async function renewSubscription(
  ctx: Step,
  scope: Scope,
  { tx, subscription: before, open, adopted }: Renewing,
): Promise<OpenedCharge | null> {
  const subscription = await startScheduledPlan(ctx, scope, { tx, subscription: before });
  const period = nextPeriod(subscription);
  const isWaiting = !adopted && listOwed(open).length > 0;
  const status: 'UNPAID' | 'PENDING' = isWaiting ? 'UNPAID' : 'PENDING';
  const isTaken = adopted !== undefined;
  const payment = await writePeriod(ctx, scope, { tx, subscription, period, status, isTaken });
  const after = payment.subscription;
  if (adopted) {
    await writeAdopted(ctx, scope, { tx, subscription, payment, adopted });
    await scheduleSubscription(tx, scope, after, { isCharging: true });
    return null;
  }
  if (payment.valueMinor === 0n) {
    await settleOfNothing(ctx, scope, { tx, payment: { id: payment.paymentId, status } });
    return null;
  }
  if (isWaiting) {
    await scheduleSubscription(tx, scope, after);
    return null;
  }
  const { userId, currency, paymentMethodId: methodId } = subscription;
  const charged = {
    id: payment.paymentId,
    type: 'subscription_interval',
    status,
    value: payment.valueMinor,
    ...{ subscriptionId: subscription.id, periodStart: period.startMs, isNew: true },
  };
  return openStoredCharge(ctx, scope, { tx, payment: { ...charged, userId, currency }, methodId });
}

/** The period's payment has its money already: its charge is that of then, and another is never asked for. */
async function writeAdopted(
  ctx: Step,
  scope: Scope,
  {
    tx,
    subscription,
    payment,
    adopted,
  }: Pick<Renewing, 'tx' | 'subscription'> & { payment: WrittenPayment; adopted: AdoptedCharge },
): Promise<void> {
  const { orderId, currency, paymentMethodId: methodId } = subscription;
  const { chargeId, connectionId, processorId } = adopted;
  const connection = await findProcessor(tx, scope, connectionId);
  assert(connection, 'what was adopted goes with its connection');
  const { paymentId, valueMinor: value } = payment;
  const written = { paymentId, orderId, value, currency, paymentType: 'subscription_interval' };
  const of = { processor: connection.kind, connectionId, processorId, offSession: true };
  await writeLostCharge(ctx, scope, {
    ...{ tx, methodId, lost: { chargeId, ...of } },
    payment: { ...written, status: 'PENDING' },
  });
}

/** A period, or a trial's end, goes by in a pause: without a payment, with a draft, or with one that is given up. */
export async function passPeriod(
  ctx: Step,
  scope: Scope,
  { tx, subscription: before }: Pick<Renewing, 'tx' | 'subscription'>,
): Promise<void> {
  const subscription = await startScheduledPlan(ctx, scope, { tx, subscription: before });
  const period = nextPeriod(subscription);
  const after = await writePassed(ctx, scope, { tx, subscription, period });
  await scheduleSubscription(tx, scope, after);
}

/** The pause's behaviour says whether the period leaves a payment; it moves on all the same. */
async function writePassed(
  ctx: Step,
  scope: Scope,
  { tx, subscription, period }: Omit<WritingPeriod, 'status'>,
): Promise<Row<'subscriptions'>> {
  const { id, pauseBehavior } = subscription;
  const isGivenUp = pauseBehavior === 'mark_uncollectible';
  if (!isGivenUp && pauseBehavior !== 'keep_as_draft')
    return changeSubscription(tx, scope, id, toCurrent(period));
  const payment = await writePeriod(ctx, scope, { tx, subscription, period, status: 'UNPAID', isGivenUp });
  if (isGivenUp) {
    const status = move(PAYMENT, 'UNPAID', 'CANCELLED');
    await updatePayment(tx, scope, { id: payment.paymentId, status, version: 1 });
  }
  return payment.subscription;
}

/** Another interval that was asked for takes effect at the boundary, before the period is reckoned. */
async function startScheduledPlan(
  ctx: Step,
  scope: Scope,
  { tx, subscription: before }: Pick<Renewing, 'tx' | 'subscription'>,
): Promise<Row<'subscriptions'>> {
  if (before.scheduledChange === null) return before;
  const changes = await applyScheduledChange(ctx, scope, { tx, subscription: before });
  const version = before.version + 1;
  const subscription = await changeSubscription(tx, scope, before.id, { ...changes, version });
  await recordSubscriptionEvent(ctx, scope, {
    tx,
    subscription,
    mail: 'subscription_changed',
    inPeriod: 'first',
  });
  return subscription;
}

/** The period after the current one, or the first one after a trial; computed from the anchor, so that nothing drifts. */
function nextPeriod(subscription: Row<'subscriptions'>): Pick<Period, 'startMs' | 'endMs'> {
  const { anchorAt, currentIntervalEnd: startMs, recurringInterval, recurringIntervalCount } = subscription;
  assert(anchorAt !== null && startMs !== null, 'a subscription that is renewed has begun');
  const interval = { unit: recurringInterval, count: recurringIntervalCount };
  return { startMs, endMs: periodContaining(anchorAt, interval, startMs).endMs };
}

interface WritingPeriod extends Pick<Renewing, 'tx' | 'subscription'> {
  period: Pick<Period, 'startMs' | 'endMs'>;
  status: 'PENDING' | 'UNPAID';
  /** What waits to be billed, and the discount, go on waiting for a payment that is collected. */
  isGivenUp?: boolean;
  /** Its money is with the processor already. */
  isTaken?: boolean;
}

async function writePeriod(
  ctx: Step,
  scope: Scope,
  { tx, subscription, period, status, isGivenUp = false, isTaken = false }: WritingPeriod,
): Promise<WrittenPayment> {
  const { startMs, endMs } = period;
  const items = toPlanItems(await listSubscriptionItems(tx, scope, subscription.id));
  const waiting = isGivenUp ? { waiting: [] } : {};
  const composed = await composePeriodPayment(ctx, scope, {
    db: tx,
    subscription,
    items,
    startMs,
    endMs,
    ...waiting,
    isWhole: isGivenUp || isTaken,
  });
  const payment = await writeSubscriptionPayment(ctx, scope, {
    tx,
    subscription,
    type: 'subscription_interval',
    status,
    composed,
    periodStart: startMs,
    periodEnd: endMs,
    changes: toCurrent(period),
    isGivenUp,
  });
  if (payment.unplaced.length > 0) {
    await writeWaitingLines(ctx, scope, { tx, subscriptionId: subscription.id, lines: payment.unplaced });
  }
  // What waited for this payment and is of a tax that nobody is charged any more.
  await payBackCredits(ctx, scope, { tx, subscription, taxes: composed.unborne });
  return payment;
}

/** The subscription moves on to the period. */
function toCurrent({ startMs, endMs }: Pick<Period, 'startMs' | 'endMs'>): SubscriptionChanges {
  return { currentIntervalStart: startMs, currentIntervalEnd: endMs };
}

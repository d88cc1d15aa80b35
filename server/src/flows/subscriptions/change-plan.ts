/** An update of a subscription: of its items, of how it is billed, of the flag that ends it with its period. */

import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { SaleKind } from '../../domain/mails/kinds.ts';
import type { PaymentStatus } from '../../domain/states/payment.ts';
import { checkAction } from '../../domain/states/subscription.ts';
import type { NextPlan } from '../../domain/subscriptions/stored-plan.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { describeCredits } from '../../resources/payments/payment-lines.queries.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockBilling,
  type SubscriptionChanges,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { finishStoredCharge, settleOfNothing } from '../payments/charge-stored-method.ts';
import { type OpenedCharge, openStoredCharge } from '../payments/open-charge.ts';
import { getCharging } from '../payments/provider-of.ts';
import { resumeStoredCharge } from '../payments/resume-stored-charge.ts';
import { type AskedPlan, type QuotedChange, quotePlanChange } from '../pricing/quote-plan-change.ts';
import { sendPayBacks } from '../refunds/refund-payment.ts';
import { recordMrrMovement } from '../reports/record-mrr-movement.ts';
import {
  toPendingChange,
  toScheduledChange,
  writePlan,
} from '../subscription-lifecycle/apply-plan-change.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { refuseMovedClock } from '../subscription-lifecycle/refuse-moved-clock.ts';
import { isChargingPeriod, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';
import { writeSubscriptionPayment } from '../subscription-lifecycle/write-subscription-payment.ts';
import {
  type AskedBilling,
  holdNamedMethod,
  type PlannedBilling,
  planBilling,
  writeBilling,
} from './change-billing.ts';
import { type PlannedDiscount, planDiscount, writeDiscount } from './put-discount.ts';

export interface PlanUpdate {
  id: string;
  /** Null = the items stay. */
  asked: AskedPlan | null;
  /** Null = the flag stays. */
  cancelAtIntervalEnd: boolean | null;
  /** Billing details and method of this subscription; nothing in it = they stay. */
  billing: AskedBilling;
  /** Put on the subscription; null = none. */
  discountCode: string | null;
  /** Looks at what the change comes to and what it is made to, before anything is written; throws where that is not what was shown. */
  confirm?: (quoted: QuotedChange, found: Row<'subscriptions'>) => void;
  /** The buyer is told that an end that was set is taken back. */
  tellsKept?: boolean;
  /** The idempotency key of the request: the payment, or without one the subscription, that it stands for. */
  claim: { resumeId: string | null; begin: (tx: Tx, id: string) => Promise<void> };
}

/** Tries again where the subscription moves on between the quote and the lock. */
const TRIES_MAX = 5;

/** Answers the payment that the change waits for or was paid with; null = it needed none. */
export async function changePlan(
  ctx: Context,
  scope: Scope,
  update: PlanUpdate,
): Promise<{ paymentId: string | null }> {
  if (update.claim.resumeId !== null) return goOn(ctx, scope, update.claim.resumeId);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await getSubscription(ctx.db, scope, update.id);
    checkFlag(before, update);
    const { asked } = update;
    const basis = await describeBasis(ctx.db, scope, before);
    const billing = await planBilling(ctx, scope, { subscription: before, asked: update.billing });
    // The tax of the change is that of the details that come with it.
    const { discountCode: code } = update;
    const discount = await planDiscount(ctx, scope, { db: ctx.db, subscription: before, code, asked });
    const subscription = { ...before, ...billing, ...discount };
    const quoted =
      asked === null ? null : await quotePlanChange(ctx, scope, { db: ctx.db, subscription, asked });
    if (quoted) update.confirm?.(quoted, before);
    await refuseResting(ctx, scope, { subscription, quoted });
    const writing = { update, before, basis, billing, discount, quoted };
    const written = await inTransaction(ctx.db, (tx) => write(ctx, scope, { tx, ...writing }));
    if (written === null) continue;
    if (written.opened) await finishStoredCharge(ctx, scope, written.opened);
    // What the change pays back is asked for at once; what is left of it is due work.
    if (quoted && quoted.payBacks.length > 0) await sendPayBacks(ctx, scope, before.orderId);
    return { paymentId: written.paymentId };
  }
  throw new Refusal('payment_in_progress');
}

/** What is paid for at once is not begun where its method cannot be charged. Throws processor_not_configured. */
async function refuseResting(
  ctx: Context,
  scope: Scope,
  { subscription, quoted }: { subscription: Row<'subscriptions'>; quoted: QuotedChange | null },
): Promise<void> {
  if (!quoted?.payment || quoted.payment.valueMinor === 0n) return;
  const method = await findPaymentMethod(ctx.db, scope, subscription.paymentMethodId);
  if (method) await getCharging(ctx, scope, method);
}

/** The request that made the change died: what it was to be paid with is charged. A change without a payment is made. */
async function goOn(ctx: Context, scope: Scope, resumeId: string): Promise<{ paymentId: string | null }> {
  const payment = await findPayment(ctx.db, scope, resumeId);
  if (!payment) return { paymentId: null };
  await resumeStoredCharge(ctx, scope, payment.id);
  return { paymentId: payment.id };
}

function checkFlag({ status }: Row<'subscriptions'>, { cancelAtIntervalEnd }: PlanUpdate): void {
  if (cancelAtIntervalEnd === null) return;
  checkAction('set_cancel_flag', { status });
}

interface Written {
  paymentId: string | null;
  opened: OpenedCharge | null;
}

interface Writing {
  tx: Tx;
  update: PlanUpdate;
  before: Row<'subscriptions'>;
  /** What the quote's credits are bound by, as it was before the quote. */
  basis: string;
  billing: PlannedBilling;
  discount: PlannedDiscount;
  quoted: QuotedChange | null;
}

/** Null when the subscription is not any more what was quoted for. */
async function write(ctx: Step, scope: Scope, writing: Writing): Promise<Written | null> {
  const { tx, update, before, basis, billing, quoted } = writing;
  await holdNamedMethod(tx, scope, { subscription: before, planned: billing });
  const locked = await lockBilling(tx, scope, update.id);
  assert(locked, 'a subscription is never deleted');
  await refuseMovedClock(ctx, scope, tx);
  if (hasMoved(before, locked)) return null;
  if ((await describeBasis(tx, scope, locked)) !== basis) return null;
  const subscription = await writeTerms(ctx, scope, { ...writing, locked });
  const changes = await planChanges(ctx, scope, { tx, subscription, update, quoted });
  const written = await writeChanges(ctx, scope, { ...writing, subscription, changes });
  // A discount for ever lowers what recurs at once, also where no event tells of it.
  const movement = { tx, subscriptionId: subscription.id, at: ctx.nowMs, eventId: null };
  if (Object.keys(writing.discount).length > 0) await recordMrrMovement(scope, movement);
  return written;
}

async function writeChanges(
  ctx: Step,
  scope: Scope,
  writing: Writing & { subscription: Row<'subscriptions'>; changes: SubscriptionChanges },
): Promise<Written> {
  const { tx, update, quoted, subscription, changes } = writing;
  if (quoted?.payment) return writePayment(ctx, scope, { tx, subscription, update, quoted, changes });
  await update.claim.begin(tx, subscription.id);
  if (Object.keys(changes).length > 0) {
    const version = subscription.version + 1;
    const after = await changeSubscription(tx, scope, subscription.id, { ...changes, version });
    const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscription.id));
    await scheduleSubscription(tx, scope, after, { isCharging });
    const mail = chooseMail(writing, { before: subscription, after });
    // The change is of the moment that it was quoted for; what is told of it comes after what was told meanwhile.
    await recordSubscriptionEvent(atLock(ctx), scope, { tx, subscription: after, ...(mail ? { mail } : {}) });
  }
  return { paymentId: null, opened: null };
}

/** What an update changes beside the plan; the payment of the change is made by it. */
async function writeTerms(
  ctx: Step,
  scope: Scope,
  { tx, locked, billing, discount }: Writing & { locked: Row<'subscriptions'> },
): Promise<Row<'subscriptions'>> {
  const billed =
    Object.keys(billing).length > 0
      ? await writeBilling(ctx, scope, { tx, subscription: locked, planned: billing })
      : locked;
  if (Object.keys(discount).length === 0) return billed;
  return writeDiscount(ctx, scope, { tx, subscription: billed, planned: discount });
}

/** Waiting lines and refunds: a refund between the quote and the lock lowers what may be credited. */
function describeBasis(db: Db, scope: Scope, { id, orderId }: Row<'subscriptions'>): Promise<string> {
  return describeCredits(db, scope, { subscriptionId: id, orderId });
}

/** What the buyer is told of a change that holds at once. */
function chooseMail(
  { quoted, update }: Writing,
  { before, after }: { before: Row<'subscriptions'>; after: Row<'subscriptions'> },
): SaleKind | null {
  if (after.cancelAtIntervalEnd && !before.cancelAtIntervalEnd) return 'subscription_ending';
  if (update.tellsKept && before.cancelAtIntervalEnd && !after.cancelAtIntervalEnd)
    return 'subscription_changed';
  return quoted?.kind === 'swap' || quoted?.kind === 'prorate' ? 'subscription_changed' : null;
}

function hasMoved(before: Row<'subscriptions'>, now: Row<'subscriptions'>): boolean {
  return (
    before.version !== now.version ||
    before.currentIntervalStart !== now.currentIntervalStart ||
    before.discountUses !== now.discountUses ||
    before.discountSince !== now.discountSince ||
    before.pendingPaymentId !== now.pendingPaymentId ||
    before.paymentMethodId !== now.paymentMethodId ||
    JSON.stringify(before.billingDetails) !== JSON.stringify(now.billingDetails)
  );
}

interface Changing {
  tx: Tx;
  subscription: Row<'subscriptions'>;
  update: PlanUpdate;
  quoted: QuotedChange | null;
}

/** What changes of the subscription at once; what waits for a payment is not among it. */
async function planChanges(
  ctx: Step,
  scope: Scope,
  { tx, subscription, update, quoted }: Changing,
): Promise<SubscriptionChanges> {
  const flag = toFlagChanges(ctx, subscription, update.cancelAtIntervalEnd);
  if (quoted === null) return flag;
  switch (quoted.kind) {
    case 'nothing':
    case 'invoice':
    case 'restart':
      return flag;
    case 'schedule':
      return { ...flag, ...toScheduledChange(toPlan(quoted)) };
    case 'swap':
    case 'prorate': {
      return { ...flag, ...(await writePlan(ctx, scope, { tx, subscription, plan: toPlan(quoted) })) };
    }
  }
}

function toFlagChanges(
  ctx: Step,
  subscription: Row<'subscriptions'>,
  flag: boolean | null,
): SubscriptionChanges {
  if (flag === null || flag === subscription.cancelAtIntervalEnd) return {};
  // `canceledAt` is when it was asked for; taken back, nobody has asked.
  return flag
    ? { cancelAtIntervalEnd: true, canceledAt: ctx.nowMs }
    : { cancelAtIntervalEnd: false, canceledAt: null, cancelReason: null };
}

function toPlan({ after, interval, kind, left, unborne }: QuotedChange): NextPlan {
  const startsAnew = kind === 'restart' || kind === 'schedule';
  return { items: after, interval, startsAnew, left, unborne: [...unborne] };
}

/** The change waits for this payment; one of 0 is PAID at once, and with it the change holds. */
async function writePayment(
  ctx: Step,
  scope: Scope,
  { tx, subscription, update, quoted, changes }: Changing & { changes: SubscriptionChanges },
): Promise<Written> {
  assert(quoted?.payment, 'a payment is written where one was quoted');
  const status: PaymentStatus = 'PENDING';
  const payment = await writeSubscriptionPayment(ctx, scope, {
    tx,
    subscription,
    type: 'subscription_update',
    status,
    composed: quoted.payment,
    periodStart: quoted.periodStart,
    periodEnd: quoted.periodEnd,
  });
  const { paymentId: id, valueMinor: value } = payment;
  await update.claim.begin(tx, id);
  const isTold = Object.keys(changes).length > 0;
  const after = await changeSubscription(tx, scope, subscription.id, {
    ...changes,
    ...toPendingChange(toPlan(quoted), id),
    ...(isTold ? { version: subscription.version + 1 } : {}),
  });
  if (isTold) await recordSubscriptionEvent(ctx, scope, { tx, subscription: after });
  if (value === 0n) {
    await settleOfNothing(ctx, scope, { tx, payment: { id, status } });
    return { paymentId: id, opened: null };
  }
  const { userId, currency, paymentMethodId: methodId } = subscription;
  const place = { subscriptionId: subscription.id, periodStart: quoted.periodStart };
  const charged = { id, type: 'subscription_update', status, value, currency, userId, ...place };
  return { paymentId: id, opened: await openStoredCharge(ctx, scope, { tx, payment: charged, methodId }) };
}

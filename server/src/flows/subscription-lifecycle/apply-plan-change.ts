/** A plan takes the place of another: at once, when its payment is PAID, or at the end of the period. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { PlanItem } from '../../domain/billing/line.ts';
import { type NextPlan, readPlan, storePlan } from '../../domain/subscriptions/stored-plan.ts';
import { listPaymentLines } from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { lockPayment } from '../../resources/payments/payments.queries.ts';
import type { SubscriptionChanges } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { toItemRow } from '../../resources/subscriptions/plan-items.schema.ts';
import {
  deleteSubscriptionItems,
  insertSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { lowerCredits } from './lower-credits.ts';
import { payBackCredits } from './pay-back-credits.ts';
import { writeWaitingLines } from './write-subscription-payment.ts';

/** A locked subscription; what changes of its row is answered for the caller to write with the rest. */
interface Applying {
  tx: Tx;
  subscription: Row<'subscriptions'>;
}

/**
 * Writes the items of the plan and its lines that wait, and pays back what no payment can use any more; answers the
 * columns that come with them. The calendar stays.
 */
export async function writePlan(
  ctx: Step,
  scope: Scope,
  { tx, subscription, plan, paidId }: Applying & { plan: NextPlan; paidId?: string },
): Promise<SubscriptionChanges> {
  const { id: subscriptionId, currency } = subscription;
  await deleteSubscriptionItems(tx, scope, subscriptionId);
  const usedIds = new Set<string>();
  const rows = plan.items.map((item, position) => {
    // An item that stays keeps its id, unless the same offer is named twice.
    const id = item.id !== null && !usedIds.has(item.id) ? item.id : ctx.ids.next(ctx.nowMs);
    usedIds.add(id);
    return toItemRow(item, { id, subscriptionId, position, currency, createdAt: ctx.nowMs });
  });
  await insertSubscriptionItems(tx, scope, rows);
  await writeWaitingLines(ctx, scope, { tx, subscriptionId, lines: plan.left });
  // What was refunded while the change waited for its payment is not credited as well.
  if (paidId !== undefined) await lowerCredits(scope, { tx, subscriptionId, paidId });
  await payBackCredits(ctx, scope, { tx, subscription, taxes: new Set(plan.unborne) });
  return {
    value: sumValue(plan.items),
    recurringInterval: plan.interval.unit,
    recurringIntervalCount: plan.interval.count,
    scheduledChange: null,
  };
}

/** Unit price × quantity of one interval, before discount and tax. */
export function sumValue(items: readonly PlanItem[]): bigint {
  return items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * BigInt(quantity), 0n);
}

/** The plan waits for its payment. */
export function toPendingChange(plan: NextPlan, paymentId: string): SubscriptionChanges {
  return { pendingChange: toJson(storePlan(plan)), pendingPaymentId: paymentId };
}

/** The plan waits for the end of the period. */
export function toScheduledChange(plan: NextPlan): SubscriptionChanges {
  return { scheduledChange: toJson(storePlan(plan)) };
}

/** The payment of a change is PAID: the plan holds. Answers {} for a payment that no change waits for. */
export async function applyPlanChange(
  ctx: Step,
  scope: Scope,
  { tx, subscription, paymentId }: Applying & { paymentId: string },
): Promise<SubscriptionChanges> {
  if (subscription.pendingPaymentId !== paymentId) return {};
  // It ended while its payment was under way: there is no plan to change any more.
  if (subscription.endedAt !== null) return { pendingChange: null, pendingPaymentId: null };
  const plan = readPlan(subscription.pendingChange);
  const held = await writePlan(ctx, scope, { tx, subscription, plan, paidId: paymentId });
  const done = { ...held, pendingChange: null, pendingPaymentId: null };
  if (!plan.startsAnew) return done;
  // No period has begun since: a boundary waits for the payment of a change.
  const { periodStart, periodEnd } = await lockPayment(tx, scope, paymentId);
  return {
    ...done,
    anchorAt: periodStart,
    currentIntervalStart: periodStart,
    currentIntervalEnd: periodEnd,
    discountUses: subscription.discountUses + (subscription.discount === null ? 0 : 1),
  };
}

/**
 * The payment of a change came to nothing: the old plan stays, and what had waited before waits again. The
 * payment keeps its lines, to show what it was for.
 */
export async function dropPlanChange(
  ctx: Step,
  scope: Scope,
  { tx, subscription, paymentId }: Applying & { paymentId: string },
): Promise<SubscriptionChanges> {
  if (subscription.pendingPaymentId !== paymentId) return {};
  await releaseLines(ctx, scope, { tx, subscription, paymentId });
  return { pendingChange: null, pendingPaymentId: null };
}

/** Copies of the lines that had waited before they came onto the payment wait again. */
async function releaseLines(
  ctx: Step,
  scope: Scope,
  { tx, subscription, paymentId }: Applying & { paymentId: string },
): Promise<void> {
  const carried = (await listPaymentLines(tx, scope, paymentId)).filter((line) => line.carried);
  const lines = toBillingLines(carried).map((line) => ({ ...line, sourceLineId: line.id }));
  await writeWaitingLines(ctx, scope, { tx, subscriptionId: subscription.id, lines });
}

/**
 * The payment of a period was called off: what it had taken of earlier changes waits again, and the discount has
 * lowered a payment less. Only the newest period is next in the count of the discount.
 */
export async function dropPeriod(
  ctx: Step,
  scope: Scope,
  { tx, subscription, paymentId }: Applying & { paymentId: string },
): Promise<SubscriptionChanges> {
  await releaseLines(ctx, scope, { tx, subscription, paymentId });
  const { discount, periodStart } = await lockPayment(tx, scope, paymentId);
  if (discount === null || periodStart !== subscription.currentIntervalStart) return {};
  // It was another discount that lowered it.
  const { discountSince } = subscription;
  if (discountSince !== null && periodStart !== null && periodStart < discountSince) return {};
  return { discountUses: subscription.discountUses - 1 };
}

/**
 * At the end of a period, before the next one is composed: another interval that was asked for takes effect,
 * and its calendar begins there. Answers {} where nothing was scheduled.
 */
export async function applyScheduledChange(
  ctx: Step,
  scope: Scope,
  { tx, subscription }: Applying,
): Promise<SubscriptionChanges> {
  if (subscription.scheduledChange === null) return {};
  const plan = readPlan(subscription.scheduledChange);
  const held = await writePlan(ctx, scope, { tx, subscription, plan });
  return { ...held, anchorAt: subscription.currentIntervalEnd };
}

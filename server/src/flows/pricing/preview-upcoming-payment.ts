/** The next new payment of a subscription, by the very code that will make it. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { BillingLine, PlanItem } from '../../domain/billing/line.ts';
import type { SubscriptionStatus } from '../../domain/states/subscription.ts';
import { boundaryMs, type Interval, periodContaining } from '../../domain/subscriptions/period.ts';
import { readPlan } from '../../domain/subscriptions/stored-plan.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { askForDetails } from './check-tax-number.ts';
import { type ComposedPayment, composePeriodPayment } from './compose-period-payment.ts';

export interface UpcomingPayment {
  dateMs: number;
  periodStart: number;
  periodEnd: number;
  payment: ComposedPayment;
}

/** A subscription as it is, or as a change would make it. */
export interface Upcoming {
  db: Db;
  subscription: Row<'subscriptions'>;
  /** Instead of those in the store. */
  items?: readonly PlanItem[];
  waiting?: readonly BillingLine[];
}

const NOTHING_COMES: ReadonlySet<string> = new Set<SubscriptionStatus>([
  'canceled',
  'incomplete',
  'incomplete_expired',
  'unpaid',
]);

/** Null when nothing will be charged: ended, not begun, unpaid, set to cancel, or paused without an end. */
export async function previewUpcomingPayment(
  ctx: Context,
  scope: Scope,
  { db, subscription, items, waiting }: Upcoming,
): Promise<UpcomingPayment | null> {
  const next = planNextPeriod(subscription);
  if (next === null) return null;
  await askForDetails(ctx, scope, subscription.billingDetails);
  const scheduled = subscription.scheduledChange === null ? null : readPlan(subscription.scheduledChange);
  const payment = await composePeriodPayment(ctx, scope, {
    db,
    subscription,
    items: items ?? scheduled?.items ?? toPlanItems(await listSubscriptionItems(db, scope, subscription.id)),
    startMs: next.startMs,
    endMs: next.endMs,
    ...(waiting ? { waiting } : {}),
  });
  return { dateMs: next.startMs, periodStart: next.startMs, periodEnd: next.endMs, payment };
}

function planNextPeriod(subscription: Row<'subscriptions'>): { startMs: number; endMs: number } | null {
  const { status, cancelAtIntervalEnd, anchorAt, currentIntervalEnd, resumeAt } = subscription;
  if (NOTHING_COMES.has(status) || cancelAtIntervalEnd) return null;
  if (anchorAt === null || currentIntervalEnd === null) return null;
  if (status === 'paused' && resumeAt === null) return null;
  const scheduled = subscription.scheduledChange === null ? null : readPlan(subscription.scheduledChange);
  if (scheduled) {
    return { startMs: currentIntervalEnd, endMs: boundaryMs(currentIntervalEnd, scheduled.interval, 1) };
  }
  const interval: Interval = {
    unit: subscription.recurringInterval,
    count: subscription.recurringIntervalCount,
  };
  // Boundaries within a pause go by; the period that is running when it ends is not charged again.
  const isLater = status === 'paused' && resumeAt !== null && resumeAt > currentIntervalEnd;
  const startMs = isLater ? toBoundaryFrom(anchorAt, interval, resumeAt) : currentIntervalEnd;
  return { startMs, endMs: periodContaining(anchorAt, interval, startMs).endMs };
}

/** The first boundary of the calendar at or after a moment. */
function toBoundaryFrom(anchorMs: number, interval: Interval, atMs: number): number {
  const { startMs, endMs } = periodContaining(anchorMs, interval, atMs);
  return startMs === atMs ? startMs : endMs;
}

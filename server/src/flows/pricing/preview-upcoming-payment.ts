/** The next new payment of a subscription, by the very code that will make it. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { BillingLine, PlanItem } from '../../domain/billing/line.ts';
import type { SubscriptionStatus } from '../../domain/states/subscription.ts';
import { type Interval, periodContaining } from '../../domain/subscriptions/period.ts';
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
  return { dateMs: next.dateMs, periodStart: next.startMs, periodEnd: next.endMs, payment };
}

interface NextPeriod {
  startMs: number;
  endMs: number;
  /** When its payment is charged. */
  dateMs: number;
}

function planNextPeriod(subscription: Row<'subscriptions'>): NextPeriod | null {
  const { status, cancelAtIntervalEnd, anchorAt, currentIntervalEnd, resumeAt, pauseBehavior } = subscription;
  if (NOTHING_COMES.has(status) || cancelAtIntervalEnd) return null;
  if (anchorAt === null || currentIntervalEnd === null) return null;
  if (status === 'paused' && resumeAt === null) return null;
  const calendar = toNextCalendar(subscription, { anchorAt, currentIntervalEnd });
  const periodFrom = (startMs: number, dateMs = startMs) => {
    const { endMs } = periodContaining(calendar.anchorMs, calendar.interval, startMs);
    return { startMs, endMs, dateMs };
  };
  if (status !== 'paused' || resumeAt === null || resumeAt <= currentIntervalEnd) {
    return periodFrom(currentIntervalEnd);
  }
  // A draft is made of the period, and is charged as the pause ends.
  if (pauseBehavior === 'keep_as_draft') return periodFrom(currentIntervalEnd, resumeAt);
  // Boundaries within a pause go by; the period that is running when it ends is not charged again.
  return periodFrom(toBoundaryFrom(calendar.anchorMs, calendar.interval, resumeAt));
}

/** Another interval that was asked for begins its calendar where the current period ends, in a pause as well. */
function toNextCalendar(
  { scheduledChange, recurringInterval: unit, recurringIntervalCount: count }: Row<'subscriptions'>,
  { anchorAt, currentIntervalEnd }: { anchorAt: number; currentIntervalEnd: number },
): { anchorMs: number; interval: Interval } {
  if (scheduledChange === null) return { anchorMs: anchorAt, interval: { unit, count } };
  return { anchorMs: currentIntervalEnd, interval: readPlan(scheduledChange).interval };
}

/** The first boundary of the calendar at or after a moment. */
function toBoundaryFrom(anchorMs: number, interval: Interval, atMs: number): number {
  const { startMs, endMs } = periodContaining(anchorMs, interval, atMs);
  return startMs === atMs ? startMs : endMs;
}

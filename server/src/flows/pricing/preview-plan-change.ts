/** An update of a subscription, stopped before it is written. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { BillingLine } from '../../domain/billing/line.ts';
import { storePlan } from '../../domain/subscriptions/stored-plan.ts';
import { showUpcomingPayment, type UpcomingPayment } from './preview-upcoming-payment.ts';
import { type AskedPlan, type QuotedChange, quotePlanChange } from './quote-plan-change.ts';

export interface PlanPreview {
  lines: BillingLine[];
  /** The value of the payment that the update would make now; 0 when none. */
  amountDueMinor: bigint;
  nextPayment: UpcomingPayment | null;
}

export async function previewPlanChange(
  ctx: Context,
  scope: Scope,
  {
    db,
    subscription,
    asked,
    cancelAtIntervalEnd,
  }: {
    db: Db;
    subscription: Row<'subscriptions'>;
    /** Null = the items stay. */
    asked: AskedPlan | null;
    /** Null = the flag stays. */
    cancelAtIntervalEnd: boolean | null;
  },
): Promise<PlanPreview> {
  const flagged = {
    ...subscription,
    cancelAtIntervalEnd: cancelAtIntervalEnd ?? subscription.cancelAtIntervalEnd,
  };
  if (asked === null) {
    const nextPayment = await showUpcomingPayment(ctx, scope, { db, subscription: flagged });
    return { lines: [], amountDueMinor: 0n, nextPayment };
  }
  const quoted = await quotePlanChange(ctx, scope, { db, subscription, asked });
  const nextPayment = await showUpcomingPayment(ctx, scope, {
    db,
    subscription: toChanged(flagged, quoted),
    waiting: quoted.waiting,
    // What is scheduled brings its own items.
    ...(quoted.kind === 'schedule' ? {} : { items: quoted.after }),
  });
  return { lines: quoted.lines, amountDueMinor: quoted.payment?.valueMinor ?? 0n, nextPayment };
}

/** The subscription as the change leaves it, once its payment is PAID. */
function toChanged(subscription: Row<'subscriptions'>, quoted: QuotedChange): Row<'subscriptions'> {
  const { kind, after, interval, periodStart, periodEnd } = quoted;
  switch (kind) {
    case 'nothing':
      return subscription;
    case 'schedule': {
      const plan = { items: after, interval, startsAnew: true, left: [] };
      // Read back as the store would give it.
      return { ...subscription, scheduledChange: JSON.parse(toJson(storePlan(plan))) as unknown };
    }
    case 'restart':
      return {
        ...subscription,
        ...toInterval(quoted),
        scheduledChange: null,
        anchorAt: periodStart,
        currentIntervalStart: periodStart,
        currentIntervalEnd: periodEnd,
        discountUses: subscription.discountUses + 1,
      };
    case 'swap':
    case 'prorate':
    case 'invoice':
      return { ...subscription, ...toInterval(quoted), scheduledChange: null };
  }
}

function toInterval({ interval }: QuotedChange) {
  return { recurringInterval: interval.unit, recurringIntervalCount: interval.count };
}

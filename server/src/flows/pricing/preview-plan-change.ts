/** An update of a subscription, stopped before it is written. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { BillingLine } from '../../domain/billing/line.ts';
import { type PayBack, planPayBacks, withPayBacks } from '../../domain/billing/pay-back.ts';
import { storePlan } from '../../domain/subscriptions/stored-plan.ts';
import { loadBookedPayments } from '../../resources/payments/booked-payments.view.ts';
import { previewUpcomingPayment, type UpcomingPayment } from './preview-upcoming-payment.ts';
import { type AskedPlan, type QuotedChange, quotePlanChange } from './quote-plan-change.ts';

export interface PlanPreview {
  lines: BillingLine[];
  /** The value of the payment that the update would make now; 0 when none. */
  amountDueMinor: bigint;
  /** Refunds by which the change pays credits back: when it holds, and of lines that wait with the next payment. */
  returns: PayBack[];
  nextPayment: UpcomingPayment | null;
  /** What it comes to in full; null where the items stay. */
  quoted: QuotedChange | null;
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
    const nextPayment = await previewUpcomingPayment(ctx, scope, { db, subscription: flagged });
    const returns = await quoteReturns(scope, { db, subscription, nextPayment, before: [] });
    return { lines: [], amountDueMinor: 0n, returns, nextPayment, quoted: null };
  }
  const quoted = await quotePlanChange(ctx, scope, { db, subscription, asked });
  const nextPayment = await previewUpcomingPayment(ctx, scope, {
    db,
    subscription: toChanged(flagged, quoted),
    waiting: quoted.waiting,
    // What is scheduled brings its own items.
    ...(quoted.kind === 'schedule' ? {} : { items: quoted.after }),
  });
  const before = quoted.payBacks;
  return {
    lines: quoted.lines,
    amountDueMinor: quoted.payment?.valueMinor ?? 0n,
    returns: await quoteReturns(scope, { db, subscription, nextPayment, before }),
    nextPayment,
    quoted,
  };
}

/** What is paid back when the change holds, and then what the next payment leaves of credits that nobody can use. */
async function quoteReturns(
  scope: Scope,
  {
    db,
    subscription,
    nextPayment,
    before,
  }: {
    db: Db;
    subscription: Row<'subscriptions'>;
    nextPayment: UpcomingPayment | null;
    before: PayBack[];
  },
): Promise<PayBack[]> {
  if (nextPayment === null || nextPayment.payment.unborne.size === 0) return before;
  const { unborne, rests, left } = nextPayment.payment;
  const waiting = [...rests, ...left];
  const ends = [...new Set(waiting.flatMap(({ periodEnd }) => periodEnd ?? []))];
  const payments = await loadBookedPayments(db, scope, { subscriptionId: subscription.id, ends });
  return [...before, ...planPayBacks(waiting, unborne, withPayBacks(payments, before)).payBacks];
}

/** The subscription as the change leaves it, once its payment is PAID. */
function toChanged(subscription: Row<'subscriptions'>, quoted: QuotedChange): Row<'subscriptions'> {
  const { kind, after, interval, periodStart, periodEnd } = quoted;
  switch (kind) {
    case 'nothing':
      return subscription;
    case 'schedule': {
      const plan = { items: after, interval, startsAnew: true, left: [], unborne: [] };
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

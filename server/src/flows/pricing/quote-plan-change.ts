/**
 * What an update of a subscription's items would do and cost, in full and without a write: the update does
 * exactly this, and the preview shows it.
 */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { type Composed, composePayment, isInForce } from '../../domain/billing/compose.ts';
import type { BillingLine, PlanItem } from '../../domain/billing/line.ts';
import {
  isSamePlan,
  listCharged,
  type PlanChange,
  planProration,
  planUnusedRest,
  taxItems,
} from '../../domain/billing/proration.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { canAct, type SubscriptionStatus } from '../../domain/states/subscription.ts';
import { computeFullMs } from '../../domain/subscriptions/first-period.ts';
import { boundaryMs, type Interval } from '../../domain/subscriptions/period.ts';
import {
  type ChangeKind,
  decideChange,
  isSameInterval,
  type ProrationBehavior,
} from '../../domain/subscriptions/plan-change.ts';
import { readTerms } from '../../domain/subscriptions/stored-plan.ts';
import {
  isPeriodCounted,
  listWaitingLines,
  sumPeriod,
} from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { isPeriodPending } from '../../resources/payments/payments.queries.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { type ComposedPayment, composeInterval, decideTax, type Taxing } from './compose-period-payment.ts';
import { type AskedLine, resolveItems, toPlanTerms } from './resolve-items.ts';

export interface AskedPlan {
  lines: readonly AskedLine[];
  behavior: ProrationBehavior;
  /** From when on the difference counts, ms; null = now. */
  prorationDateMs: number | null;
}

export interface QuotedChange {
  kind: ChangeKind;
  before: PlanItem[];
  /** With the tax that a later credit of them is by. */
  after: PlanItem[];
  interval: Interval;
  /** What the change itself gives back and charges. */
  lines: BillingLine[];
  /** The payment that it makes now; null = none. */
  payment: ComposedPayment | null;
  /** Of that payment, or of the running one. */
  periodStart: number;
  periodEnd: number;
  /** What will wait for the next payment once the change holds. */
  waiting: BillingLine[];
}

/** Refuses what the subscription's state or the request does not allow. */
export async function quotePlanChange(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked }: { db: Db; subscription: Row<'subscriptions'>; asked: AskedPlan },
): Promise<QuotedChange> {
  const plan = await loadChange(ctx, scope, { db, subscription, asked });
  switch (plan.kind) {
    case 'nothing':
    case 'swap':
    case 'schedule':
      return plan;
    case 'prorate':
    case 'invoice':
      return quoteProration(ctx, scope, { db, subscription, asked, plan });
    case 'restart':
      return quoteRestart(ctx, scope, { db, subscription, asked, plan });
  }
}

type LoadedChange = QuotedChange & { taxing: Taxing };

async function loadChange(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked }: { db: Db; subscription: Row<'subscriptions'>; asked: AskedPlan },
): Promise<LoadedChange> {
  const status = subscription.status as SubscriptionStatus;
  const { id, currency, currentIntervalStart, currentIntervalEnd } = subscription;
  const before = toPlanItems(await listSubscriptionItems(db, scope, id));
  const resolved = await resolveItems(ctx, scope, { db, lines: asked.lines, currency, kept: before });
  const { interval } = toPlanTerms(asked.lines, resolved.offers);
  if (!canAct('update_items', status)) throw new Refusal('subscription_state');
  if (currentIntervalStart === null || currentIntervalEnd === null) throw new Refusal('subscription_state');
  if (subscription.pendingPaymentId !== null) throw new Refusal('change_pending');
  if (await isPeriodPending(db, scope, { subscriptionId: id, periodStart: currentIntervalStart })) {
    throw new Refusal('payment_pending');
  }
  const taxing = await decideTax(ctx, scope, {
    db,
    subscription,
    items: resolved.items,
    atMs: ctx.nowMs,
  });
  const after = taxItems({ before, after: resolved.items, tax: taxing.tax }, []);
  const isSameTime = isSameInterval(interval, toIntervalOf(subscription));
  const kind = decideChange({
    isTrialing: status === 'trialing',
    isSamePlan: isSamePlan(before, after),
    isSameInterval: isSameTime,
    isScheduled: subscription.scheduledChange !== null,
    behavior: asked.behavior,
  });
  const waiting = toBillingLines(await listWaitingLines(db, scope, id));
  const base = { kind, before, after, interval, lines: [], payment: null, waiting, taxing };
  return { ...base, periodStart: currentIntervalStart, periodEnd: currentIntervalEnd };
}

interface Quoting {
  db: Db;
  subscription: Row<'subscriptions'>;
  asked: AskedPlan;
  plan: LoadedChange;
}

function toPlanChange(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked, plan }: Quoting,
): Promise<PlanChange> {
  const { before, after, periodStart, periodEnd } = plan;
  const atMs = asked.prorationDateMs ?? ctx.nowMs;
  if (atMs < periodStart || atMs >= periodEnd) {
    throw invalidField('prorationDate', 'must lie in the current period');
  }
  return loadPlanChange(scope, { db, subscription, before, after, atMs, tax: plan.taxing.tax });
}

interface LoadingChange extends Pick<PlanChange, 'before' | 'after' | 'tax'> {
  db: Db;
  subscription: Row<'subscriptions'>;
  atMs: number;
}

async function loadPlanChange(
  scope: Scope,
  { db, subscription, before, after, atMs, tax }: LoadingChange,
): Promise<PlanChange> {
  const { id: subscriptionId, currency, discountUses: uses } = subscription;
  const { currentIntervalStart: startMs, currentIntervalEnd: endMs } = subscription;
  assert(startMs !== null && endMs !== null, 'a subscription that is changed has begun');
  const terms = readTerms(subscription.discount);
  // The period's own payment counts among the uses already. A period that was given up has none that does: what would
  // have lowered it is what lowers the next one.
  const isCounted = await isPeriodCounted(db, scope, { subscriptionId, startMs });
  const discount = terms && isInForce(terms, isCounted ? uses - 1 : uses) ? terms : null;
  const anchorMs = subscription.anchorAt ?? startMs;
  const fullMs = computeFullMs(anchorMs, toIntervalOf(subscription), { startMs, endMs });
  const creditMaxMinor = await sumPeriod(db, scope, { subscriptionId, startMs, endMs });
  const period = { startMs, endMs, fullMs, atMs };
  return { before, after, currency, discount, period, tax, creditMaxMinor };
}

async function quoteProration(ctx: Context, scope: Scope, quoting: Quoting): Promise<QuotedChange> {
  const { plan, subscription } = quoting;
  const change = await toPlanChange(ctx, scope, quoting);
  const lines = planProration(change);
  const after = taxItems(change, listCharged(change));
  const waits: QuotedChange = {
    ...plan,
    kind: 'prorate',
    after,
    lines,
    waiting: [...plan.waiting, ...lines],
  };
  if (plan.kind === 'prorate') return waits;
  const composed = composePayment(lines, plan.waiting);
  // Nothing is to be paid: it holds at once, and what is over goes on waiting.
  if (composed.valueMinor === 0n) return waits;
  return {
    ...plan,
    after,
    lines,
    payment: toComposedPayment(composed, {
      plan,
      currency: subscription.currency,
      discount: change.discount,
    }),
    waiting: [...composed.rests, ...composed.left],
  };
}

function toComposedPayment(
  composed: Composed,
  {
    plan,
    currency,
    discount,
  }: { plan: LoadedChange; currency: string; discount: ComposedPayment['discount'] },
): ComposedPayment {
  const { country, decision: taxDecision } = plan.taxing;
  return { ...composed, currency, discount, country, taxDecision, retaxed: [] };
}

/** Another interval: the full new period less the unused rest of the old one. */
async function quoteRestart(ctx: Context, scope: Scope, quoting: Quoting): Promise<QuotedChange> {
  const { db, plan, subscription } = quoting;
  const change = await toPlanChange(ctx, scope, quoting);
  const credits = planUnusedRest(change);
  const startMs = ctx.nowMs;
  const endMs = boundaryMs(startMs, plan.interval, 1);
  const payment = await composeInterval(ctx, scope, {
    db,
    subscription,
    items: plan.after,
    startMs,
    endMs,
    waiting: plan.waiting,
    extraLines: credits,
  });
  const own = payment.lines.filter(({ kind, id }) => kind === 'interval' && id === null);
  return {
    ...plan,
    after: taxItems(change, change.after),
    lines: [...credits, ...own],
    payment: { ...payment, retaxed: [] },
    periodStart: startMs,
    periodEnd: endMs,
    waiting: [...payment.rests, ...payment.left],
  };
}

export function toIntervalOf(subscription: {
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
}): Interval {
  return { unit: subscription.recurringInterval, count: subscription.recurringIntervalCount };
}

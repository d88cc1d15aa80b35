/**
 * What an update of a subscription's items would do and cost, in full and without a write: the update does
 * exactly this, and the preview shows it.
 */
import type { Context, Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { type Composed, composePayment, sumByTax } from '../../domain/billing/compose.ts';
import { type BillingLine, type PlanItem, toTaxKey } from '../../domain/billing/line.ts';
import { afterPayBacks, findUnborne, type PayBack, planPayBacks } from '../../domain/billing/pay-back.ts';
import { type BookedPayment, computeRoom, toBookedLine } from '../../domain/billing/period-books.ts';
import {
  isSamePlan,
  listCharged,
  type PlanChange,
  planProration,
  planUnusedRest,
  taxItems,
} from '../../domain/billing/proration.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { checkAction } from '../../domain/states/subscription.ts';
import { computeFullMs } from '../../domain/subscriptions/first-period.ts';
import { boundaryMs, type Interval } from '../../domain/subscriptions/period.ts';
import {
  type ChangeKind,
  decideChange,
  isSameInterval,
  type ProrationBehavior,
} from '../../domain/subscriptions/plan-change.ts';
import { loadBookedPayments } from '../../resources/payments/booked-payments.view.ts';
import { listWaitingLines } from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { isPeriodPending } from '../../resources/payments/payments.queries.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { askForDetails } from './check-tax-number.ts';
import {
  type ComposedPayment,
  composePeriodPayment,
  decideTax,
  isBelowMinimum,
  refuseUnbillable,
  type Taxing,
  toNextLines,
} from './compose-period-payment.ts';
import { findCurrentDiscount } from './current-discount.ts';
import { findStepMinor } from './find-step.ts';
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
  /** Lines of the change that are not on its payment: they wait once it holds. */
  left: BillingLine[];
  /** Taxes, by their keys, whose waiting credits are paid back once the change holds, and the refunds that this makes. */
  unborne: ReadonlySet<string>;
  payBacks: PayBack[];
  /** What will wait for the next payment then. */
  waiting: BillingLine[];
}

/** Refuses what the subscription's state or the request does not allow. */
export async function quotePlanChange(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked }: { db: Db; subscription: Row<'subscriptions'>; asked: AskedPlan },
): Promise<QuotedChange> {
  await askForDetails(ctx, scope, subscription.billingDetails);
  const plan = await loadChange(ctx, scope, { db, subscription, asked });
  if (plan.kind === 'nothing') return plan;
  const quoted = await quoteByKind(ctx, scope, { db, subscription, asked, plan });
  const { after, waiting } = quoted;
  refuseUnbillable({ items: after, tax: plan.taxing.tax }, { currency: subscription.currency, waiting });
  return quoted;
}

async function quoteByKind(ctx: Step, scope: Scope, quoting: Quoting): Promise<QuotedChange> {
  const { plan } = quoting;
  switch (plan.kind) {
    case 'nothing':
    case 'swap':
    case 'schedule':
      return plan;
    case 'prorate':
    case 'invoice':
      return quoteProration(ctx, scope, quoting);
    case 'restart':
      return quoteRestart(ctx, scope, quoting);
  }
}

type LoadedChange = QuotedChange & { taxing: Taxing };

async function loadChange(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked }: { db: Db; subscription: Row<'subscriptions'>; asked: AskedPlan },
): Promise<LoadedChange> {
  const status = subscription.status;
  const { id, currency, currentIntervalStart, currentIntervalEnd } = subscription;
  const before = toPlanItems(await listSubscriptionItems(db, scope, id));
  const resolved = await resolveItems(ctx, scope, { db, lines: asked.lines, currency, kept: before });
  const { interval } = toPlanTerms(asked.lines, resolved.offers);
  checkAction('update_items', subscription);
  if (currentIntervalStart === null || currentIntervalEnd === null) throw new Refusal('subscription_state');
  if (subscription.pendingPaymentId !== null) throw new Refusal('change_pending');
  if (await isPeriodPending(db, scope, { subscriptionId: id, periodStart: currentIntervalStart })) {
    throw new Refusal('payment_pending');
  }
  const taxing = await decideTax(ctx, scope, {
    db,
    subscription,
    // An item that no bill has named yet is credited by today's tax.
    items: [...before, ...resolved.items],
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
  const nothing = { lines: [], left: [], unborne: new Set<string>(), payBacks: [] };
  const base = { kind, before, after, interval, payment: null, waiting, taxing, ...nothing };
  return { ...base, periodStart: currentIntervalStart, periodEnd: currentIntervalEnd };
}

interface Quoting {
  db: Db;
  subscription: Row<'subscriptions'>;
  asked: AskedPlan;
  plan: LoadedChange;
}

/** The change and the payments that its credits are bound by. */
interface Bound {
  change: PlanChange;
  payments: BookedPayment[];
}

function toPlanChange(ctx: Step, scope: Scope, { db, subscription, asked, plan }: Quoting): Promise<Bound> {
  const { periodStart, periodEnd } = plan;
  const atMs = asked.prorationDateMs ?? ctx.nowMs;
  if (atMs < periodStart || atMs >= periodEnd) {
    throw invalidField('prorationDate', 'must lie in the current period');
  }
  return loadPlanChange(ctx, scope, { db, subscription, plan, atMs });
}

async function loadPlanChange(
  ctx: Step,
  scope: Scope,
  { db, subscription, plan, atMs }: Omit<Quoting, 'asked'> & { atMs: number },
): Promise<Bound> {
  const { id: subscriptionId, currency } = subscription;
  const { currentIntervalStart: startMs, currentIntervalEnd: endMs } = subscription;
  assert(startMs !== null && endMs !== null, 'a subscription that is changed has begun');
  const discount = await findCurrentDiscount(db, scope, subscription);
  const anchorMs = subscription.anchorAt ?? startMs;
  const fullMs = computeFullMs(anchorMs, toIntervalOf(subscription), { startMs, endMs });
  const ends = [...new Set([endMs, ...plan.waiting.flatMap((line) => line.periodEnd ?? [])])];
  const payments = await loadBookedPayments(db, scope, { subscriptionId, ends });
  const roomMinor = computeRoom(endMs, payments, plan.waiting.map(toBookedLine));
  const period = { startMs, endMs, fullMs, atMs };
  const { before, after, taxing } = plan;
  const stepMinor = await findStepMinor(ctx, scope, { db, subscription });
  const limits = { creditMaxMinor: roomMinor, stepMinor };
  const change = { before, after, currency, discount, period, tax: taxing.tax, ...limits };
  return { change, payments };
}

async function quoteProration(ctx: Step, scope: Scope, quoting: Quoting): Promise<QuotedChange> {
  const { plan, subscription } = quoting;
  const { change, payments } = await toPlanChange(ctx, scope, quoting);
  const lines = planProration(change);
  const after = taxItems(change, listCharged(change));
  const quoted = { ...plan, after, lines };
  const waiting = [...plan.waiting, ...lines];
  if (plan.kind === 'prorate') return { ...quoted, left: lines, waiting };

  // It is paid for the taxes whose charges are more than their credits; lines of the others wait.
  const sums = sumByTax(waiting);
  const isDue = (line: BillingLine) => (sums.get(toTaxKey(line))?.valueMinor ?? 0n) > 0n;
  const left = lines.filter((line) => !isDue(line));
  const next = toNextLines({ subscription, items: after, tax: plan.taxing.tax });
  const returned = quoteReturned({ waiting: waiting.filter((line) => !isDue(line)), next, payments });
  if (!waiting.some(isDue)) return { ...quoted, kind: 'prorate', left, ...returned };
  const composed = composePayment(lines.filter(isDue), plan.waiting.filter(isDue));
  const { db } = quoting;
  if (await isBelowMinimum(ctx, scope, { db, subscription, amountMinor: composed.valueMinor })) {
    // Nobody charges so little: the change holds at once, and waits with its sum for the next payment.
    const still = [...returned.waiting, ...waiting.filter(isDue)];
    return { ...quoted, kind: 'prorate', left: lines, ...returned, waiting: still };
  }
  const { currency } = subscription;
  const payment = toComposedPayment(composed, { plan, currency, discount: change.discount });
  return { ...quoted, left, payment, ...returned };
}

/** What of the lines that wait once the change holds is paid back then: credits of a tax that no charge bears any more. */
function quoteReturned({
  waiting,
  next,
  payments,
}: {
  waiting: readonly BillingLine[];
  next: readonly BillingLine[];
  payments: readonly BookedPayment[];
}): Pick<QuotedChange, 'unborne' | 'payBacks' | 'waiting'> {
  const unborne = findUnborne(waiting, [...waiting, ...next]);
  const planned = planPayBacks(waiting, unborne, payments);
  return { unborne, payBacks: planned.payBacks, waiting: afterPayBacks(waiting, planned) };
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
  return { ...composed, currency, discount, country, taxDecision, retaxed: [], unborne: new Set() };
}

/** Another interval: the full new period less the unused rest of the old one. */
async function quoteRestart(ctx: Step, scope: Scope, quoting: Quoting): Promise<QuotedChange> {
  const { db, plan, subscription } = quoting;
  const { change, payments } = await toPlanChange(ctx, scope, quoting);
  const credits = planUnusedRest(change);
  const startMs = ctx.nowMs;
  const endMs = boundaryMs(startMs, plan.interval, 1);
  const payment = await composePeriodPayment(ctx, scope, {
    db,
    subscription,
    items: plan.after,
    startMs,
    endMs,
    waiting: plan.waiting,
    extraLines: credits,
  });
  const isOwn = ({ kind, id }: BillingLine) => kind === 'interval' && id === null;
  const own = [...payment.lines, ...payment.left].filter(isOwn);
  // One too small to be charged uses nothing of what waits.
  const isDeferred = payment.lines.length === 0;
  const waiting = [...(isDeferred ? plan.waiting : []), ...payment.rests, ...payment.left];
  const planned = planPayBacks(waiting, payment.unborne, payments);
  return {
    ...plan,
    after: taxItems(change, change.after),
    lines: [...credits, ...own],
    payment: { ...payment, retaxed: [] },
    periodStart: startMs,
    periodEnd: endMs,
    left: waiting.filter(({ id }) => id === null),
    unborne: payment.unborne,
    payBacks: planned.payBacks,
    waiting: afterPayBacks(waiting, planned),
  };
}

export function toIntervalOf(subscription: {
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
}): Interval {
  return { unit: subscription.recurringInterval, count: subscription.recurringIntervalCount };
}

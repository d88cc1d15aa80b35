/** A buyer changes a plan: what is shown before the press is what is charged by it. */
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { type ErrorCode, Refusal } from '../domain/errors.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import type { Settings } from '../domain/settings.ts';
import { fingerprintChange } from '../flows/portal/fingerprint-change.ts';
import { type AskedByBuyer, listPlans, PREVIEW_MS, toAskedPlan } from '../flows/portal/plans.ts';
import { previewPlanChange } from '../flows/pricing/preview-plan-change.ts';
import type { AskedPlan } from '../flows/pricing/quote-plan-change.ts';
import { changePlan } from '../flows/subscriptions/change-plan.ts';
import { buyerFlow, buyerRead } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { findPayment } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import {
  ChangedData,
  ChangePreviewData,
  MakeChange,
  OwnSubscriptionParams,
  PlansData,
  PreviewChange,
  toPortalPlan,
  toRunningPlan,
} from '../resources/portal/subscriptions.schema.ts';
import { toLine, toUpcomingPayment } from '../resources/subscriptions/subscription-billing.schema.ts';
import { getOwnSubscription } from './own-objects.ts';
import { refuseEnding, showSubscription } from './show-subscription.ts';

const CHANGE_ERRORS: readonly ErrorCode[] = [
  'feature_disabled',
  'subscription_state',
  'change_pending',
  'payment_pending',
  'offer_not_for_sale',
];
const OFFER_ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';

const plans = buyerRead({
  method: 'GET',
  path: '/v0/portal/subscriptions/:subscriptionId/plans',
  operationId: 'listPortalPlans',
  tag: 'portal',
  summary: 'List the plans that a subscription can change to',
  params: OwnSubscriptionParams,
  data: PlansData,
  handler: async ({ db, scope, params, buyer: { user, settings } }) => {
    const asked = { userId: user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(db, scope, asked);
    const { item, offers } = await listPlans(scope, { db, subscription, settings });
    const currentId = item?.offerId ?? null;
    const plans = offers.map((offer) => toPortalPlan(offer, item));
    const isOffered = offers.length > 0 || settings.portal.quantityChange;
    const isListed = plans.some(({ current }) => current);
    // Of a plan that is not for sale any more the quantity is chosen all the same.
    if (item && currentId !== null && isOffered && !isListed)
      plans.unshift(toRunningPlan({ item: { ...item, offerId: currentId }, subscription }));
    return {
      plans,
      quantity: item?.quantity ?? null,
      quantityChange: settings.portal.quantityChange,
    };
  },
});

const preview = buyerRead({
  method: 'POST',
  path: '/v0/portal/subscriptions/:subscriptionId/preview-change',
  operationId: 'previewPortalChange',
  tag: 'portal',
  summary: 'Show what a change of plan costs',
  description:
    'By the code that makes it. `prorationDate` and `fingerprint` go with the change: for 15 minutes it charges this or nothing.',
  params: OwnSubscriptionParams,
  body: PreviewChange,
  data: ChangePreviewData,
  errors: CHANGE_ERRORS,
  example: { offerId: OFFER_ID },
  handler: async ({ ctx, db, scope, params, body, buyer: { user, settings, store } }) => {
    const owned = { userId: user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(db, scope, owned);
    refuseClosed(store);
    refuseEnding(subscription);
    const asked = { offerId: body.offerId, quantity: body.quantity, prorationDateMs: null };
    return { preview: await showChange(ctx, scope, { db, subscription, settings, asked }) };
  },
});

/** An archived shop charges nobody, and so changes no plan. */
function refuseClosed({ state }: { state: string }): void {
  if (state === 'archived') throw new Refusal('feature_disabled');
}

interface Previewing {
  db: Db;
  subscription: Row<'subscriptions'>;
  settings: Settings;
  asked: AskedByBuyer;
}

async function showChange(ctx: Context, scope: Scope, { db, subscription, settings, asked }: Previewing) {
  const plan = await toAskedPlan(ctx, scope, { db, subscription, settings, asked });
  const change = { db, subscription, asked: plan, cancelAtIntervalEnd: null };
  const shown = await previewPlanChange(ctx, scope, change);
  assert(shown.quoted, 'a plan that is asked for is quoted');
  const returns = shown.returns.map(({ paymentId, amountMinor, taxMinor }) => ({
    paymentId,
    amount: Number(amountMinor),
    tax: Number(taxMinor),
  }));
  const named = toNamed(subscription.number, plan);
  return {
    object: 'change_preview' as const,
    lines: shown.lines.map(toLine),
    amountDue: Number(shown.amountDueMinor),
    amountReturned: returns.reduce((sum, { amount }) => sum + amount, 0),
    returns,
    // Written by our own check of currencies.
    currency: subscription.currency as 'EUR',
    currencyDecimals: currencyDecimals(subscription.currency),
    nextPayment: toUpcomingPayment(subscription.number, shown.nextPayment),
    prorationDate: named.prorationDate,
    fingerprint: fingerprintChange(shown.quoted, named),
  };
}

function toNamed(subscriptionId: string, { lines, prorationDateMs }: AskedPlan) {
  const [line] = lines;
  assert(line?.offerId && prorationDateMs !== null, 'a buyer’s change names an offer and a moment');
  return { subscriptionId, offerId: line.offerId, quantity: line.quantity, prorationDate: prorationDateMs };
}

const change = buyerFlow({
  method: 'PATCH',
  path: '/v0/portal/subscriptions/:subscriptionId/change',
  operationId: 'changePortalPlan',
  tag: 'portal',
  summary: 'Change the plan of a subscription as it was shown',
  description:
    'A decline is a result: the old plan stays. With `action` the bank asks the buyer first, and the change holds once they have answered.',
  params: OwnSubscriptionParams,
  body: MakeChange,
  data: ChangedData,
  errors: [...CHANGE_ERRORS, 'price_changed', 'payment_in_progress'],
  example: { offerId: OFFER_ID, prorationDate: 1_790_000_000_000, fingerprint: 'PLAIN-EXAMPLE' },
  handler: async ({ ctx, scope, params, body, buyer: { user, settings, store }, claim, audit }) => {
    const owned = { userId: user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(ctx.db, scope, owned);
    refuseClosed(store);
    const { id } = subscription;
    const { offerId, quantity, prorationDate: prorationDateMs, fingerprint } = body;
    const asked = { offerId, quantity, prorationDateMs };
    const before = await showSubscription(ctx, scope, { id, settings, store });
    audit(before, before.id);
    const refuse = new PriceMoved();
    const isFresh = prorationDateMs <= ctx.nowMs && ctx.nowMs < prorationDateMs + PREVIEW_MS;
    try {
      if (!isFresh && claim.resumeId === null) throw refuse;
      const plan = await toAskedPlan(ctx, scope, { db: ctx.db, subscription, settings, asked });
      const named = toNamed(subscription.number, plan);
      const { paymentId } = await changePlan(ctx, scope, {
        ...{ id, asked: plan, billing: {}, discountCode: null, cancelAtIntervalEnd: null, claim },
        confirm: (quoted, found) => {
          refuseEnding(found);
          if (fingerprintChange(quoted, named) !== fingerprint) throw refuse;
        },
      });
      return await answerChange(ctx, scope, { id, settings, store, paymentId });
    } catch (error) {
      if (error !== refuse) throw error;
      const now = { db: ctx.db, subscription, settings, asked: { ...asked, prorationDateMs: null } };
      const current = await showChange(ctx, scope, now);
      throw new Refusal('price_changed', {
        facts: [{ object: 'change_preview', current: withoutInternalIds(current) }],
      });
    }
  },
});

/** The merchant's own marks are no buyer's: an answer leaves them out by its shape, which facts do not have. */
const withoutInternalIds = (told: object): object =>
  JSON.parse(JSON.stringify(told, (name, value: unknown) => (name === 'internalId' ? undefined : value)));

/** What was shown is not what it costs now. */
class PriceMoved extends Error {
  override name = 'PriceMoved';
}

async function answerChange(
  ctx: Context,
  scope: Scope,
  {
    id,
    settings,
    store,
    paymentId,
  }: { id: string; settings: Settings; store: { state: string }; paymentId: string | null },
) {
  const subscription = await showSubscription(ctx, scope, { id, settings, store });
  const row = paymentId === null ? undefined : await findPayment(ctx.db, scope, paymentId);
  const isWaiting = row?.status === 'PENDING' && subscription.actionUrl !== null;
  return {
    subscription,
    payment: row ? toPayment(row, ctx.config.publicUrl) : null,
    action: isWaiting && subscription.actionUrl !== null ? { url: subscription.actionUrl } : null,
  };
}

export const planChangeOfBuyerRoutes: Route[] = [plans, preview, change];

/** What a buyer has subscribed to, and how it goes on or ends. */
import type { Context } from '../context.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { isInForce } from '../domain/billing/compose.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import type { Settings } from '../domain/settings.ts';
import { canAct } from '../domain/states/subscription.ts';
import { readTerms } from '../domain/subscriptions/stored-plan.ts';
import { previewUpcomingPayment } from '../flows/pricing/preview-upcoming-payment.ts';
import { pauseSubscription } from '../flows/subscription-lifecycle/pause-subscription.ts';
import { cancelAtIntervalEnd, cancelNow } from '../flows/subscriptions/cancel-subscription.ts';
import { changePlan } from '../flows/subscriptions/change-plan.ts';
import { resumeSubscription } from '../flows/subscriptions/resume-subscription.ts';
import type { Claim } from '../http/idempotency.ts';
import { buyerFlow, buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { hasRedemption } from '../resources/checkouts/holds.queries.ts';
import { findDiscount } from '../resources/discounts/discounts.queries.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { NoBody } from '../resources/portal/bought.schema.ts';
import {
  CancelOwn,
  KeepOwn,
  ListOwnSubscriptions,
  OwnSubscriptionData,
  OwnSubscriptionParams,
  OwnSubscriptionsData,
  OwnUpcomingData,
  PauseOwn,
} from '../resources/portal/subscriptions.schema.ts';
import { toUpcomingPayment } from '../resources/subscriptions/subscription-billing.schema.ts';
import { listSubscriptions } from '../resources/subscriptions/subscriptions.queries.ts';
import { getOwnSubscription } from './own-objects.ts';
import { refuseEnding, showSubscription } from './show-subscription.ts';

const TAKE_DEFAULT = 10;
const DAY_MS = 24 * 3_600_000;

const list = buyerRead({
  method: 'GET',
  path: '/v0/portal/subscriptions/list',
  operationId: 'listPortalSubscriptions',
  tag: 'portal',
  summary: 'List the subscriptions of this buyer, newest first, ended ones too',
  query: ListOwnSubscriptions,
  data: OwnSubscriptionsData,
  handler: async ({ ctx, db, scope, query, buyer: { user, settings, store } }) => {
    const page = toPage(query, TAKE_DEFAULT);
    const rows = await listSubscriptions(db, scope, { filter: { userId: user.id }, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const subscriptions = await Promise.all(
      cut.rows.map(({ id }) => showSubscription(ctx, scope, { id, settings, store })),
    );
    return { subscriptions, count: null, ...cut.page };
  },
});

const get = buyerRead({
  method: 'GET',
  path: '/v0/portal/subscriptions/:subscriptionId',
  operationId: 'getPortalSubscription',
  tag: 'portal',
  summary: 'Get a subscription of this buyer',
  params: OwnSubscriptionParams,
  data: OwnSubscriptionData,
  handler: async ({ ctx, db, scope, params, buyer: { user, settings, store } }) => {
    const { id } = await getOwnSubscription(db, scope, { userId: user.id, text: params.subscriptionId });
    return { subscription: await showSubscription(ctx, scope, { id, settings, store }) };
  },
});

const upcoming = buyerRead({
  method: 'GET',
  path: '/v0/portal/subscriptions/:subscriptionId/upcoming-payment',
  operationId: 'getPortalUpcomingPayment',
  tag: 'portal',
  summary: 'Show the next payment of a subscription',
  description: 'By the code that charges it. Null when nothing will be charged.',
  params: OwnSubscriptionParams,
  data: OwnUpcomingData,
  handler: async ({ ctx, db, scope, params, buyer }) => {
    const asked = { userId: buyer.user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(db, scope, asked);
    if (buyer.store.state === 'archived') return { upcomingPayment: null };
    const shown = await previewUpcomingPayment(ctx, scope, { db, subscription });
    return { upcomingPayment: toUpcomingPayment(subscription.number, shown) };
  },
});

const cancel = buyerFlow({
  method: 'PATCH',
  path: '/v0/portal/subscriptions/:subscriptionId/cancel',
  operationId: 'cancelPortalSubscription',
  tag: 'portal',
  summary: 'Cancel a subscription',
  description: 'As the shop has it: with the interval, at once, or as `timing` says. No reason is required.',
  params: OwnSubscriptionParams,
  body: CancelOwn,
  data: OwnSubscriptionData,
  errors: ['subscription_state', 'payment_in_progress'],
  example: { reason: 'unused' },
  handler: async ({ ctx, scope, params, body, buyer: { user, settings, store }, claim, audit }) => {
    const asked = { userId: user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(ctx.db, scope, asked);
    const { id: subscriptionId, status } = subscription;
    const { portal } = settings;
    const { reason: word, comment, timing } = body;
    if (timing && portal.cancelTiming !== 'choice' && timing !== portal.cancelTiming)
      throw invalidField('timing', `must be ${portal.cancelTiming}`);
    if (word && !portal.cancelReasons.includes(word)) throw invalidField('reason', 'is none of the shop’s');
    const before = await showSubscription(ctx, scope, { id: subscriptionId, settings, store });
    audit(before, before.id);
    const said = [word, comment].filter(Boolean).join(': ');
    const cancelling = { subscriptionId, reason: said === '' ? null : said, claim };
    const isNow = (timing ?? portal.cancelTiming) === 'immediately';
    // What was never paid, or is not any more, has no interval to end with.
    if (isNow || !canAct('set_cancel_flag', status))
      await cancelNow(ctx, scope, { ...cancelling, refund: false });
    else await cancelAtIntervalEnd(ctx, scope, cancelling);
    return { subscription: await showSubscription(ctx, scope, { id: subscriptionId, settings, store }) };
  },
});

const keep = buyerFlow({
  method: 'PATCH',
  path: '/v0/portal/subscriptions/:subscriptionId/keep',
  operationId: 'keepPortalSubscription',
  tag: 'portal',
  summary: 'Take back that a subscription ends with its interval',
  description: 'With `acceptOffer` what the shop gives to whoever stays counts from the next interval.',
  params: OwnSubscriptionParams,
  body: KeepOwn,
  data: OwnSubscriptionData,
  errors: [
    'subscription_state',
    'discount_running',
    'discount_exhausted',
    'payment_in_progress',
    'feature_disabled',
  ],
  example: {},
  handler: async ({ ctx, scope, params, body, buyer: { user, settings, store }, claim, audit }) => {
    const asked = { userId: user.id, text: params.subscriptionId };
    const subscription = await getOwnSubscription(ctx.db, scope, asked);
    const { id } = subscription;
    const before = await showSubscription(ctx, scope, { id, settings, store });
    audit(before, before.id);
    const discountCode = body.acceptOffer
      ? await findStayCode(ctx, scope, { subscription, settings, claim })
      : null;
    const update = {
      id,
      asked: null,
      billing: {},
      discountCode,
      cancelAtIntervalEnd: false,
      tellsKept: true,
    };
    await changePlan(ctx, scope, { ...update, claim });
    return { subscription: await showSubscription(ctx, scope, { id, settings, store }) };
  },
});

interface Staying {
  subscription: Row<'subscriptions'>;
  settings: Settings;
  claim: Claim;
}

/** Throws feature_disabled where nothing is offered, or it was taken before: once per subscription. */
async function findStayCode(
  ctx: Context,
  scope: Scope,
  { subscription: { orderId, discount, discountUses }, settings, claim }: Staying,
): Promise<string> {
  const running = readTerms(discount);
  if (running && isInForce(running, discountUses)) throw new Refusal('discount_running');
  const { stayDiscountId: discountId } = settings.portal;
  const offered = discountId === null ? undefined : await findDiscount(ctx.db, scope, discountId);
  if (discountId === null || !offered?.discountCode) throw new Refusal('feature_disabled');
  // The same request again, after this process died in it, has taken it itself.
  const isTaken = claim.resumeId === null && (await hasRedemption(ctx.db, scope, { discountId, orderId }));
  if (isTaken) throw new Refusal('feature_disabled');
  return offered.discountCode;
}

const pause = buyerWrite({
  method: 'PATCH',
  path: '/v0/portal/subscriptions/:subscriptionId/pause',
  operationId: 'pausePortalSubscription',
  tag: 'portal',
  summary: 'Pause a subscription for a while',
  description: 'Until `resumeAt`, and for as many days as the shop allows at most: missing, for those.',
  params: OwnSubscriptionParams,
  body: PauseOwn,
  data: OwnSubscriptionData,
  errors: ['subscription_state', 'feature_disabled'],
  example: {},
  handler: async ({ ctx, tx, scope, params, body, buyer: { user, settings, store }, audit }) => {
    const { pause: isOffered, pauseMaxDays } = settings.portal;
    if (!isOffered) throw new Refusal('feature_disabled');
    const asked = { userId: user.id, text: params.subscriptionId };
    const { id: subscriptionId } = await getOwnSubscription(tx, scope, asked);
    const latest = ctx.nowMs + pauseMaxDays * DAY_MS;
    const { resumeAt = latest } = body;
    if (resumeAt > latest) throw invalidField('resumeAt', `must lie within ${pauseMaxDays} days`);
    const within = { ...ctx, db: tx };
    const before = await showSubscription(within, scope, { id: subscriptionId, settings, store });
    audit(before, before.id);
    const paused = await pauseSubscription(ctx, scope, { tx, subscriptionId, behavior: 'void', resumeAt });
    refuseEnding(paused);
    return { subscription: await showSubscription(within, scope, { id: subscriptionId, settings, store }) };
  },
});

const resume = buyerFlow({
  method: 'PATCH',
  path: '/v0/portal/subscriptions/:subscriptionId/resume',
  operationId: 'resumePortalSubscription',
  tag: 'portal',
  summary: 'End the pause of a subscription now',
  params: OwnSubscriptionParams,
  body: NoBody,
  data: OwnSubscriptionData,
  errors: ['subscription_state'],
  example: {},
  handler: async ({ ctx, scope, params, buyer: { user, settings, store }, claim, audit }) => {
    const asked = { userId: user.id, text: params.subscriptionId };
    const { id: subscriptionId } = await getOwnSubscription(ctx.db, scope, asked);
    const before = await showSubscription(ctx, scope, { id: subscriptionId, settings, store });
    audit(before, before.id);
    await resumeSubscription(ctx, scope, { subscriptionId, resumeAt: null, claim });
    return { subscription: await showSubscription(ctx, scope, { id: subscriptionId, settings, store }) };
  },
});

export const portalSubscriptionRoutes: Route[] = [list, get, upcoming, cancel, keep, pause, resume];

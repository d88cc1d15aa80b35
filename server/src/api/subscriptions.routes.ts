/** Subscriptions: what is shown of them, and what their clock is asked to do. */

import { Refusal } from '../domain/errors.ts';
import { pauseSubscription } from '../flows/subscription-lifecycle/pause-subscription.ts';
import { cancelAtIntervalEnd, cancelNow, previewUnused } from '../flows/subscriptions/cancel-subscription.ts';
import { endTrial } from '../flows/subscriptions/end-trial.ts';
import { resumeSubscription } from '../flows/subscriptions/resume-subscription.ts';
import { requireAccess } from '../http/may-do.ts';
import { flow, type Route, read, write } from '../http/route.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { findPayment } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import { loadSubscription } from '../resources/sales/sale.view.ts';
import {
  CancelPreviewData,
  CancelSubscription,
  EndTrial,
  isAtIntervalEnd,
  ListSubscriptions,
  PauseSubscription,
  ResumeSubscription,
  SubscriptionChangedData,
  SubscriptionParams,
  SubscriptionsData,
  TrialEndedData,
  toCancelPreview,
  WholeSubscriptionData,
} from '../resources/subscriptions/subscription-actions.schema.ts';
import {
  countSubscriptions,
  findSubscription,
  getSubscription,
  listItemsOfSubscriptions,
  listSubscriptions,
  type SubscriptionOrder,
  type SubscriptionRow,
} from '../resources/subscriptions/subscriptions.queries.ts';
import { toListedSubscription } from '../resources/subscriptions/subscriptions.schema.ts';
import { getUser } from '../resources/users/users.queries.ts';
import { toUser } from '../resources/users/users.schema.ts';
import { getSubscriptionId } from './find-subscription.ts';

/** Paging form C. */
const TAKE_DEFAULT = 10;

const list = read({
  method: 'GET',
  path: '/v0/subscriptions/list',
  operationId: 'listSubscriptions',
  tag: 'subscriptions',
  summary: 'List subscriptions, newest first unless sorted',
  query: ListSubscriptions,
  data: SubscriptionsData,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query, TAKE_DEFAULT);
    const { take: _take, skip: _skip, cursor: _cursor, returnCount, status: _status, ...given } = query;
    const statuses = toStatuses(query);
    const filter = { ...given, statuses: statuses?.includes('all') ? undefined : statuses };
    const rows = await listSubscriptions(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: toSortValue(row, query.orderBy), id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countSubscriptions(db, scope, { filter, limit }));
    const items = await listItemsOfSubscriptions(
      db,
      scope,
      cut.rows.map(({ id }) => id),
    );
    const subscriptions = cut.rows.map((row) => toListedSubscription(row, items.get(row.id) ?? []));
    return { subscriptions, count, ...cut.page };
  },
});

/** What the cursor keeps of the last row, by the column that the list is sorted by. */
function toSortValue(row: SubscriptionRow, orderBy: SubscriptionOrder | undefined): number {
  if (orderBy === 'value') return Number(row.value);
  return orderBy === 'currentIntervalEnd' ? (row.currentIntervalEnd ?? 0) : row.createdAt;
}

const get = read({
  method: 'GET',
  path: '/v0/subscriptions/:subscriptionId',
  operationId: 'getSubscription',
  tag: 'subscriptions',
  summary: 'Get a subscription',
  params: SubscriptionParams,
  data: WholeSubscriptionData,
  handler: async ({ db, scope, params, ctx }) => {
    const id = await getSubscriptionId(db, scope, params.subscriptionId);
    const row = await findSubscription(db, scope, id);
    if (!row) throw new Refusal('not_found');
    const subscription = await loadSubscription(db, scope, id);
    const last = row.lastPaymentId ? await findPayment(db, scope, row.lastPaymentId) : undefined;
    return {
      subscription,
      items: subscription.items,
      lastPayment: last ? toPayment(last, ctx.config.publicUrl) : null,
      user: toUser(await getUser(db, scope, row.userId)),
    };
  },
});

const cancel = flow({
  method: 'PATCH',
  path: '/v0/subscriptions/:subscriptionId/cancel',
  operationId: 'cancelSubscription',
  tag: 'subscriptions',
  summary: 'Cancel a subscription, now or with its interval',
  description:
    'At once unless `endInterval` is chosen; that can be taken back by an update until the interval ends. Money is ' +
    'given back only with `refund`, which needs the right to refund too (of a key pair `orders:write`).',
  params: SubscriptionParams,
  body: CancelSubscription,
  data: SubscriptionChangedData,
  errors: ['subscription_state', 'payment_in_progress'],
  example: { cancelAtIntervalEnd: true, reason: 'too expensive' },
  handler: async ({ ctx, scope, params, body, claim, audit, actor }) => {
    // Money leaves the store: whoever may end subscriptions may not give back by that alone.
    if (body.refund) requireAccess(actor, 'refunds', 'write');
    const subscriptionId = await getSubscriptionId(ctx.db, scope, params.subscriptionId);
    const before = await loadSubscription(ctx.db, scope, subscriptionId);
    audit(before, before.id);
    const cancelled = { subscriptionId, reason: body.reason ?? null, claim };
    if (isAtIntervalEnd(body)) await cancelAtIntervalEnd(ctx, scope, cancelled);
    else await cancelNow(ctx, scope, { ...cancelled, refund: body.refund ?? false });
    return { success: true, subscription: await loadSubscription(ctx.db, scope, subscriptionId) };
  },
});

const previewCancel = read({
  method: 'GET',
  path: '/v0/subscriptions/:subscriptionId/cancel/preview',
  operationId: 'previewCancel',
  tag: 'subscriptions',
  needsSecret: true,
  summary: 'Show what ending a subscription now would give back',
  description: 'Decided as with `refund` itself; nothing is written.',
  params: SubscriptionParams,
  data: CancelPreviewData,
  needsClock: true,
  handler: async ({ ctx, db, scope, params }) => {
    const id = await getSubscriptionId(db, scope, params.subscriptionId);
    const subscription = await getSubscription(db, scope, id);
    const amountMinor = await previewUnused(ctx, scope, { db, subscription });
    return { cancelPreview: toCancelPreview(subscription.currency, amountMinor) };
  },
});

const pause = write({
  method: 'PATCH',
  path: '/v0/subscriptions/:subscriptionId/pauseCollection',
  operationId: 'pauseSubscription',
  tag: 'subscriptions',
  summary: 'Pause the collection of a subscription',
  description: 'Periods go by without a charge; `invoicingBehavior` says what becomes of their payments.',
  params: SubscriptionParams,
  body: PauseSubscription,
  data: SubscriptionChangedData,
  errors: ['subscription_state'],
  example: { invoicingBehavior: 'keep_as_draft' },
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const subscriptionId = await getSubscriptionId(tx, scope, params.subscriptionId);
    const before = await loadSubscription(tx, scope, subscriptionId);
    audit(before, before.id);
    await pauseSubscription(ctx, scope, {
      tx,
      subscriptionId,
      behavior: body.invoicingBehavior ?? 'void',
      resumeAt: body.resumeAt ?? null,
    });
    return { success: true, subscription: await loadSubscription(tx, scope, subscriptionId) };
  },
});

const resume = flow({
  method: 'PATCH',
  path: '/v0/subscriptions/:subscriptionId/resume',
  operationId: 'resumeSubscription',
  tag: 'subscriptions',
  summary: 'Resume a paused subscription',
  description: 'Drafts are charged, oldest first. A decline is a result: the subscription is past due then.',
  params: SubscriptionParams,
  body: ResumeSubscription,
  data: SubscriptionChangedData,
  errors: ['subscription_state'],
  example: {},
  handler: async ({ ctx, scope, params, body, claim, audit }) => {
    const subscriptionId = await getSubscriptionId(ctx.db, scope, params.subscriptionId);
    const before = await loadSubscription(ctx.db, scope, subscriptionId);
    audit(before, before.id);
    await resumeSubscription(ctx, scope, { subscriptionId, resumeAt: body.resumeAt ?? null, claim });
    const subscription = await loadSubscription(ctx.db, scope, subscriptionId);
    return { success: subscription.status !== 'past_due', subscription };
  },
});

const finishTrial = flow({
  method: 'POST',
  path: '/v0/subscriptions/:subscriptionId/end-trial',
  operationId: 'endTrial',
  tag: 'subscriptions',
  summary: 'End the trial of a subscription now',
  description: 'Its first interval begins and is charged. A decline is a result, not an error.',
  params: SubscriptionParams,
  body: EndTrial,
  data: TrialEndedData,
  errors: ['subscription_state'],
  example: {},
  handler: async ({ ctx, scope, params, claim, audit }) => {
    const subscriptionId = await getSubscriptionId(ctx.db, scope, params.subscriptionId);
    const before = await loadSubscription(ctx.db, scope, subscriptionId);
    audit(before, before.id);
    await endTrial(ctx, scope, { subscriptionId, claim });
    const subscription = await loadSubscription(ctx.db, scope, subscriptionId);
    const { lastPaymentId } = subscription;
    const payment = lastPaymentId === null ? undefined : await findPayment(ctx.db, scope, lastPaymentId);
    return { subscription, payment: payment ? toPayment(payment, ctx.config.publicUrl) : null };
  },
});

export const subscriptionRoutes: Route[] = [list, get, cancel, previewCancel, pause, resume, finishTrial];

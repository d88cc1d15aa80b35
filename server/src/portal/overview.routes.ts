/** What a buyer sees first: what needs them, what runs, what was bought last. */

import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { toDeletionDueMs } from '../domain/user-deletion.ts';
import { findPortalUrl } from '../flows/portal/portal-address.ts';
import { previewUpcomingPayment } from '../flows/pricing/preview-upcoming-payment.ts';
import { buyerRead } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { listOrders } from '../resources/orders/list-orders.queries.ts';
import { toListedOrder } from '../resources/orders/orders.schema.ts';
import { toPage } from '../resources/paging.ts';
import { listPaymentMethods } from '../resources/payment-methods/payment-methods.queries.ts';
import { OverviewData } from '../resources/portal/overview.schema.ts';
import { toUpcomingPayment } from '../resources/subscriptions/subscription-billing.schema.ts';
import { getSubscription, listSubscriptions } from '../resources/subscriptions/subscriptions.queries.ts';
import { showSubscription } from './show-subscription.ts';

const SUBSCRIPTIONS_MAX = 20;
const ORDERS_MAX = 5;
/** An order whose key is still to come is told of though newer ones were made since. */
const ORDERS_LOOKED_AT = 50;
const METHODS = '/payment-methods';
/** A card is told of in the month in which it expires and the one before. */
const MONTHS_AHEAD = 1;

const overview = buyerRead({
  method: 'GET',
  path: '/v0/portal/overview',
  operationId: 'getPortalOverview',
  tag: 'portal',
  summary: 'What needs this buyer, what runs, and what was bought last',
  data: OverviewData,
  handler: async ({ ctx, db, scope, buyer: { user, settings, store } }) => {
    const filter = { userId: user.id };
    const first = toPage({ take: SUBSCRIPTIONS_MAX });
    const rows = (await listSubscriptions(db, scope, { filter, page: first })).slice(0, SUBSCRIPTIONS_MAX);
    const subscriptions = await Promise.all(
      rows.map(({ id }) => showSubscription(ctx, scope, { id, settings, store })),
    );
    const listed = (
      await listOrders(db, scope, { ...filter, archived: 'with' }, toPage({ take: ORDERS_LOOKED_AT }))
    ).map(toListedOrder);
    const methods = await listPaymentMethods(db, scope, user.id);
    const dueAt = user.erasedAt === null ? toDeletionDueMs(user) : null;
    const portal = await findPortalUrl(ctx, scope);
    const plain = { amount: null, at: null };
    const paying = new Set(
      subscriptions.flatMap(({ endedAt, paymentMethod }) =>
        endedAt === null && paymentMethod ? [paymentMethod.id] : [],
      ),
    );
    return {
      needs: [
        ...subscriptions.flatMap(({ id, owed, actions }) =>
          owed && actions.includes('pay')
            ? [{ kind: 'owed' as const, id, amount: owed.amount, url: owed.payUrl, at: null }]
            : [],
        ),
        ...subscriptions.flatMap(({ id, actionUrl }) =>
          actionUrl ? [{ kind: 'authentication' as const, id, amount: null, url: actionUrl, at: null }] : [],
        ),
        ...methods
          .filter((method) => paying.has(method.id) && isExpiring(method, ctx.nowMs))
          .map(({ id }) => ({ kind: 'card_expiring' as const, id, url: portal + METHODS, ...plain })),
        ...listed
          .filter(({ fulfilment }) => fulfilment === 'awaiting_stock')
          .map(({ number: id }) => ({
            kind: 'key_waiting' as const,
            id,
            url: `${portal}/orders/${id}`,
            ...plain,
          })),
        ...(dueAt === null
          ? []
          : [{ kind: 'deletion_due' as const, ...plain, id: null, url: `${portal}/account`, at: dueAt }]),
      ],
      subscriptions,
      // An archived shop charges nobody.
      nextPayments: store.state === 'archived' ? [] : await listNextPayments(ctx, scope, rows),
      orders: listed.slice(0, ORDERS_MAX),
    };
  },
});

/** As each will be charged. */
async function listNextPayments(ctx: Context, scope: Scope, rows: ReadonlyArray<{ id: string }>) {
  const shown = await Promise.all(
    rows.map(async ({ id }) => {
      const subscription = await getSubscription(ctx.db, scope, id);
      const upcoming = await previewUpcomingPayment(ctx, scope, { db: ctx.db, subscription });
      const next = toUpcomingPayment(subscription.number, upcoming);
      return next && { subscriptionId: subscription.number, date: next.date, value: next.value };
    }),
  );
  return shown.filter((next) => next !== null);
}

function isExpiring(
  { expMonth, expYear }: { expMonth: number | null; expYear: number | null },
  nowMs: number,
) {
  if (expMonth === null || expYear === null) return false;
  const now = new Date(nowMs);
  const ahead = (expYear - now.getUTCFullYear()) * 12 + expMonth - (now.getUTCMonth() + 1);
  return ahead <= MONTHS_AHEAD;
}

export const overviewRoutes: Route[] = [overview];

/** What the page of a subscription's card shows: what it is charged to, and how another method can be given. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { toShownMethod } from '../../domain/payments/method-name.ts';
import { toShownReason } from '../../domain/payments/shown-decline.ts';
import { toSettings } from '../../domain/settings.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import { findLastSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../../resources/subscriptions/locked-subscription.queries.ts';
import {
  getSubscription,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { showSeller } from '../checkout/show-seller.ts';
import { listOfferedFor } from '../payments/choose-connection.ts';
import { listOwed } from '../subscription-lifecycle/schedule-subscription.ts';
import { toCardPath } from './card-link.ts';
import { ASKED } from './settle-setup.ts';

export type CardStatus = 'open' | 'requires_action' | 'processing' | 'closed';

export async function showCard(ctx: Context, scope: Scope, subscriptionId: string) {
  const { db } = ctx;
  const subscription = await getSubscription(db, scope, subscriptionId);
  const { currency, endedAt } = subscription;
  const store = await getStore(db, scope);
  const settings = toSettings(store.settings);
  const isOpen = endedAt === null && subscription.status !== 'incomplete';
  const last = await findLastSetup(db, scope, { subscriptionId });
  const waiting = isOpen && last?.status === 'pending' ? last : null;
  const [item] = await listSubscriptionItems(db, scope, subscriptionId);
  const offered = await listOfferedFor(ctx, scope, {
    settings,
    ...{ currency, country: null, canWait: false },
    // What takes days takes no longer to be kept.
    fields: { amountMinor: 0n, keepsMethod: true, isScarce: false, isFramed: false },
  });
  const isAsked = waiting?.actionPath === ASKED;
  const path = await toCardPath(ctx, scope, subscriptionId);
  return {
    kind: 'card' as const,
    status: isOpen ? toStatus(waiting) : ('closed' as CardStatus),
    actionUrl: isAsked ? `${path}/authenticate` : (waiting?.actionPath ?? null),
    isActionAsked: isAsked,
    /** The last try, once it is decided. */
    isTaken: last?.status === 'succeeded',
    failure:
      last?.status === 'failed' && last.declineReason !== 'canceled'
        ? { reason: toShownReason(last.declineReason ?? 'unknown'), message: last.declineMessage ?? '' }
        : null,
    methods: isOpen ? offered.methods : [],
    processorFields: isOpen ? offered.fields : null,
    method: await showMethod(ctx, scope, subscription.paymentMethodId),
    owed: isOpen ? await showOwedSum(ctx, scope, subscriptionId) : null,
    productName: toWholeName(item),
    subscriptionNumber: subscription.number,
    currency,
    currencyDecimals: currencyDecimals(currency),
    transfer: null,
    seller: showSeller(settings, store.name),
    testMode: scope.testMode,
  };
}

function toStatus(waiting: { actionPath: string | null } | null): CardStatus {
  if (!waiting) return 'open';
  return waiting.actionPath === null ? 'processing' : 'requires_action';
}

async function showMethod(ctx: Context, scope: Scope, methodId: string | null) {
  const method = await findPaymentMethod(ctx.db, scope, methodId);
  // Written by our own queries.
  const details = method?.details as PaymentMethodDetails | undefined;
  return details ? toShownMethod(details) : null;
}

/** What the new method could not pay, and where it is paid; null where nothing is owed. */
async function showOwedSum(ctx: Context, scope: Scope, subscriptionId: string) {
  const { status } = await getSubscription(ctx.db, scope, subscriptionId);
  if (status !== 'past_due' && status !== 'unpaid') return null;
  const owed = listOwed(await listOpenPayments(ctx.db, scope, subscriptionId));
  const [oldest] = owed;
  const payment = oldest && (await findPayment(ctx.db, scope, oldest.id));
  if (!payment) return null;
  const amount = Number(owed.reduce((sum, { value }) => sum + value, 0n));
  return { amount, url: `/pay/${payment.payToken}` };
}

/**
 * What the page of a subscription's payment shows: what is owed, and how it can be paid. Once it is paid it says so and
 * no more: a link is passed on, and a receipt leads to documents.
 */

import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { toShownMethod } from '../../domain/payments/method-name.ts';
import { toShownFailure } from '../../domain/payments/shown-decline.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { CAPTURED, type PaymentStatus } from '../../domain/states/payment.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { type LaterPayment, listLaterPayments } from '../../resources/payments/owed-payments.queries.ts';
import { findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import {
  listOpenPayments,
  type OpenPayment,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import {
  findSubscription,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { toPayAction } from '../checkout/show-order-payment.ts';
import { showSeller } from '../checkout/show-seller.ts';
import { loadAccess } from '../fulfilment/check-access.ts';
import { listOfferedFor } from '../payments/choose-connection.ts';
import { findCharging } from '../payments/provider-of.ts';
import { showTransfer } from '../payments/show-transfer.ts';
import { listOwed } from '../subscription-lifecycle/schedule-subscription.ts';
import { chooseTarget, type Debt } from './pay-owed.ts';

export type OwedStatus = 'open' | 'requires_action' | 'processing' | 'paid' | 'closed';

export async function showOwed(
  ctx: Context,
  scope: Scope,
  { paymentId, subscriptionId, isProved, language }: Debt & { isProved: boolean; language: string | null },
) {
  const { db } = ctx;
  const payment = await findPayment(db, scope, paymentId);
  const subscription = await findSubscription(db, scope, subscriptionId);
  if (!payment || !subscription) throw new Refusal('not_found');
  const open = await listOpenPayments(db, scope, subscriptionId);
  const target = chooseTarget(open, subscription.status, paymentId);
  const waiting = target?.status === 'PENDING' ? await findPendingCharge(db, scope, target.id) : undefined;
  const isForAll = target?.type === 'subscription_interval' && subscription.status !== 'paused';
  const rest = isForAll ? listOwed(open).filter(({ id }) => id !== target.id) : [];
  const due = target ? [target, ...rest] : [];
  const lines = await listLaterPayments(db, scope, { subscriptionId, paymentIds: due.map(({ id }) => id) });
  const method = await findPaymentMethod(db, scope, subscription.paymentMethodId);
  // Written by our own queries.
  const details = method?.details as PaymentMethodDetails | undefined;
  const hasMethod =
    isChargeable(details) && method !== null && (await findCharging(ctx, scope, method)) !== null;
  const store = await getStore(db, scope);
  const settings = toSettings(store.settings);
  const [item] = await listSubscriptionItems(db, scope, subscriptionId);
  const failure = target ? (await findPayment(db, scope, target.id))?.charges.at(-1) : undefined;
  return {
    status: target ? toStatus(target.status, waiting?.actionPath ?? null) : toClosedStatus(payment.status),
    // Written by our own queries, in the API's form.
    failure: toShownFailure(
      (failure as { failure?: { reason: string; message: string } | null } | undefined)?.failure ?? null,
    ),
    ...toPayAction(waiting?.actionPath ?? null),
    transfer: waiting
      ? await showTransfer(ctx, scope, { charge: waiting, reference: payment.orderNumber, language })
      : null,
    ...(await showWays(ctx, scope, { target, settings })),
    paymentNumber: payment.number,
    productName: toWholeName(item),
    orderNumber: payment.orderNumber,
    amount: sum(lines, 'value'),
    tax: sum(lines, 'tax'),
    payments: due.length,
    access: target ? await showAccess(ctx, scope, { subscription, settings }) : null,
    /** One by one, oldest first. */
    dues: lines.map(toPart),
    currency: payment.currency,
    currencyDecimals: currencyDecimals(payment.currency),
    /** Whether the stored card can be charged from here: never, once its owner has proved to be here, or now. */
    proof: toProof({ hasMethod, isProved }),
    storedCard: isProved && hasMethod && details ? toShownMethod(details) : null,
    seller: showSeller(settings, store.name),
    testMode: scope.testMode,
  };
}

/** By what the oldest can be paid: each is a charge of its own, and a method that pays one is kept for the others. */
async function showWays(
  ctx: Context,
  scope: Scope,
  { target, settings }: { target: OpenPayment | undefined; settings: Settings },
) {
  if (!target) return { methods: [], processorFields: null };
  const { methods, fields } = await listOfferedFor(ctx, scope, {
    settings,
    ...{ currency: target.currency, country: null, canWait: true },
    fields: { amountMinor: target.value, keepsMethod: true, isScarce: false, isFramed: false },
  });
  return { methods, processorFields: fields };
}

/** What the debt does to access, and from when on; null where it does nothing. */
async function showAccess(
  ctx: Context,
  scope: Scope,
  { subscription, settings }: { subscription: Row<'subscriptions'>; settings: Settings },
): Promise<{ isOpen: boolean; endsAt: number | null } | null> {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return null;
  const { orderId } = subscription;
  const { status, endsAtMs } = await loadAccess(ctx, scope, { orderId, subscription, settings });
  return { isOpen: status === 'active', endsAt: endsAtMs };
}

function toStatus(status: OpenPayment['status'], actionPath: string | null): OwedStatus {
  if (status !== 'PENDING') return 'open';
  return actionPath === null ? 'processing' : 'requires_action';
}

/** Of a payment that nothing can be paid for any more. */
function toClosedStatus(status: string): OwedStatus {
  return isPaid(status) ? 'paid' : 'closed';
}

// Rows hold only what the state tables let in.
const isPaid = (status: string): boolean => CAPTURED.has(status as PaymentStatus);

const sum = (payments: readonly LaterPayment[], part: 'value' | 'tax'): number =>
  Number(payments.reduce((total, payment) => total + payment[part], 0n));

function toPart({ number, type, value, names, periodStart, periodEnd }: LaterPayment) {
  return { number, type, names: [...new Set(names)], periodStart, periodEnd, amount: Number(value) };
}

function toProof({ hasMethod, isProved }: { hasMethod: boolean; isProved: boolean }) {
  if (!hasMethod) return 'none' as const;
  return isProved ? ('given' as const) : ('required' as const);
}

/** What is sent by hand each time cannot be asked for. */
function isChargeable(details: PaymentMethodDetails | undefined): boolean {
  return details !== undefined && details.type !== 'bank_transfer';
}

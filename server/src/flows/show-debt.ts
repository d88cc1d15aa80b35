/** What the page of a subscription's payment shows: what is owed, and how it can be paid. */
import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import { toSettings } from '../domain/settings.ts';
import { CAPTURED, type PaymentStatus } from '../domain/states/payment.ts';
import type { PaymentMethodDetails } from '../providers/payment/payment-provider.ts';
import { findPayment, findPendingCharge } from '../resources/payments/payments.queries.ts';
import {
  findPaymentMethod,
  listOpenPayments,
  type OpenPayment,
} from '../resources/subscriptions/billing.queries.ts';
import { findSubscription, listSubscriptionItems } from '../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { chooseTarget, type Debt } from './pay-debt.ts';
import { listOwed } from './schedule-subscription.ts';

export type DebtStatus = 'open' | 'requires_action' | 'processing' | 'paid' | 'closed';

export async function showDebt(ctx: Context, scope: Scope, { paymentId, subscriptionId }: Debt) {
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
  const method = await findPaymentMethod(db, scope, subscription.paymentMethodId);
  const store = await getStore(db, scope);
  const settings = toSettings(store.settings);
  const [item] = await listSubscriptionItems(db, scope, subscriptionId);
  const failure = target ? (await findPayment(db, scope, target.id))?.charges.at(-1) : undefined;
  return {
    status: target ? toStatus(target.status, waiting?.actionPath ?? null) : toClosedStatus(payment.status),
    // Written by our own queries, in the API's form.
    failure:
      (failure as { failure?: { reason: string; message: string } | null } | undefined)?.failure ?? null,
    actionUrl: waiting?.actionPath ?? null,
    paymentNumber: payment.number,
    productName: item?.name ?? '',
    amount: Number(due.reduce((sum, { value }) => sum + value, 0n)),
    payments: due.length,
    currency: payment.currency,
    currencyDecimals: currencyDecimals(payment.currency),
    storedCard: toStoredCard(method?.details as PaymentMethodDetails | undefined),
    seller: { name: settings.seller.name ?? store.name, supportEmail: settings.seller.email },
    testMode: scope.testMode,
  };
}

export type DebtView = Awaited<ReturnType<typeof showDebt>>;

function toStatus(status: OpenPayment['status'], actionPath: string | null): DebtStatus {
  if (status !== 'PENDING') return 'open';
  return actionPath === null ? 'processing' : 'requires_action';
}

/** Of a payment that nothing can be paid for any more. */
function toClosedStatus(status: string): DebtStatus {
  return CAPTURED.has(status as PaymentStatus) ? 'paid' : 'closed';
}

function toStoredCard(details: PaymentMethodDetails | undefined) {
  return details?.last4 ? { brand: details.brand, last4: details.last4 } : null;
}

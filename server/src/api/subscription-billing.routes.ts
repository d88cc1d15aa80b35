/** Subscriptions and money: made by the API, changed, charged, and what they will cost. */
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { type ErrorCode, invalidField } from '../domain/errors.ts';
import { parseNumber } from '../domain/numbers.ts';
import { isCodeUnused } from '../domain/pricing/discount.ts';
import { countingGuess } from '../flows/limits/guess-codes.ts';
import { previewPlanChange } from '../flows/pricing/preview-plan-change.ts';
import { previewUpcomingPayment } from '../flows/pricing/preview-upcoming-payment.ts';
import { type AskedBilling, planBilling } from '../flows/subscriptions/change-billing.ts';
import { changePlan } from '../flows/subscriptions/change-plan.ts';
import { chargeExtra } from '../flows/subscriptions/charge-extra.ts';
import { createSubscription } from '../flows/subscriptions/create-subscription.ts';
import { planDiscount } from '../flows/subscriptions/put-discount.ts';
import { flow, type Route, read } from '../http/route.ts';
import { findPayment } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import { loadSubscription, type Sale } from '../resources/sales/sale.view.ts';
import { SubscriptionParams } from '../resources/subscriptions/subscription-actions.schema.ts';
import {
  ChargedData,
  ChargeSubscription,
  CreatedData,
  CreateSubscription,
  PreviewData,
  toAskedLines,
  toChargeLines,
  toLine,
  toUpcomingPayment,
  UpcomingPaymentData,
  UpdatedData,
  UpdateSubscription,
} from '../resources/subscriptions/subscription-billing.schema.ts';
import { findSubscriptionId, getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { getSubscriptionId } from './find-subscription.ts';

const ITEM_ERRORS: readonly ErrorCode[] = [
  'unknown_reference',
  'offer_not_for_sale',
  'offer_currency_mismatch',
  'amount_too_large',
];
const CHANGE_ERRORS: readonly ErrorCode[] = [
  ...ITEM_ERRORS,
  'subscription_state',
  'change_pending',
  'payment_pending',
  'discount_running',
];
const CODE_ERRORS: readonly ErrorCode[] = [
  'discount_code_unknown',
  'discount_inactive',
  'discount_not_started',
  'discount_expired',
  'discount_exhausted',
  'discount_user_limit',
  'discount_not_applicable',
  'discount_wrong_currency',
];
const OFFER_ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';

const create = flow({
  method: 'POST',
  path: '/v0/subscriptions/create',
  operationId: 'createSubscription',
  tag: 'subscriptions',
  summary: 'Create a subscription for a user with a stored payment method',
  description:
    'Charged at once, or put into its trial. A decline, a needed authentication and an unknown outcome are results: 200 with order and payment as they stand.',
  body: CreateSubscription,
  data: CreatedData,
  errors: [
    ...ITEM_ERRORS,
    'payment_method_required',
    ...CODE_ERRORS,
    'sold_out',
    'offer_limit_reached',
    'processor_not_configured',
    'amount_below_minimum',
    'amount_not_chargeable',
  ],
  example: { userEmail: 'ada@example.com', items: [{ offerId: OFFER_ID, quantity: 2 }] },
  handler: async ({ ctx, scope, body, claim, finish, ipAddress }) => {
    const lines = toAskedLines(body);
    if (lines === null) throw invalidField('items', 'or offerId is required');
    const sale = await createSubscription(ctx, scope, {
      userId: body.userId ?? null,
      userEmail: body.userEmail ?? null,
      paymentMethodId: body.paymentMethodId ?? null,
      lines,
      start: {
        trialEnd: body.trialEnd ?? null,
        skipTrial: body.skipTrial ?? false,
        billingCycleAnchor: body.billingCycleAnchor ?? null,
        backdateStartDate: body.backdateStartDate ?? null,
      },
      skipNotifications: body.skipNotifications ?? false,
      discountCode: body.discountCode ?? null,
      ipAddress,
      claim,
      finish: (tx, settled) => finish(tx, toCreated(settled, body)),
    });
    return toCreated(sale, body);
  },
});

function toCreated({ subscription, order, payment }: Sale, body: Static<typeof CreateSubscription>) {
  assert(subscription, 'what was created is a subscription');
  return { subscription, order, payment, codeUnused: isCodeUnused(body.discountCode, order) };
}

async function priceTerms(db: Db, scope: Scope, text: string) {
  const number = parseNumber(text);
  const id = number === null ? undefined : await findSubscriptionId(db, scope, number);
  return id === undefined ? undefined : getSubscription(db, scope, id);
}

const update = flow({
  method: 'PATCH',
  path: '/v0/subscriptions/:subscriptionId/update',
  operationId: 'updateSubscription',
  tag: 'subscriptions',
  summary: "Change a subscription's items, how it is billed, or whether it ends with its period",
  description:
    '`items` is the new full set. With `always_invoice`, and with another interval, the change holds once its payment is PAID. `billingDetails` (missing fields stay, null unsets one) and `paymentMethodId` are of this subscription alone: its renewals, their tax and invoices take them. A new method is tried at once where something is owed.',
  params: SubscriptionParams,
  priceTerms,
  body: UpdateSubscription,
  data: UpdatedData,
  errors: [...CHANGE_ERRORS, ...CODE_ERRORS, 'payment_in_progress'],
  example: { items: [{ offerId: OFFER_ID }], prorationBehavior: 'always_invoice' },
  handler: async ({ ctx, scope, params, body, claim, audit }) => {
    const id = await getSubscriptionId(ctx.db, scope, params.subscriptionId);
    const before = await loadSubscription(ctx.db, scope, id);
    audit(before, before.id);
    const cancelAtIntervalEnd = body.cancelAtIntervalEnd ?? null;
    const discountCode = body.discountCode ?? null;
    const [asked, billing] = [toAskedPlan(body), toAskedBilling(body)];
    const change = { id, asked, billing, discountCode, cancelAtIntervalEnd };
    const { paymentId } = await changePlan(ctx, scope, { ...change, claim });
    const subscription = await loadSubscription(ctx.db, scope, id);
    const payment = paymentId === null ? null : await loadPayment(ctx, scope, paymentId);
    return { success: payment === null || payment.status === 'PAID', subscription, payment };
  },
});

const preview = read({
  method: 'POST',
  path: '/v0/subscriptions/:subscriptionId/preview-update',
  operationId: 'previewSubscriptionUpdate',
  tag: 'subscriptions',
  summary: 'Show what an update would cost, by the code that makes it',
  params: SubscriptionParams,
  priceTerms,
  body: UpdateSubscription,
  data: PreviewData,
  needsClock: true,
  errors: [...CHANGE_ERRORS, ...CODE_ERRORS, 'too_many_codes'],
  example: { items: [{ offerId: OFFER_ID }], prorationBehavior: 'create_prorations' },
  handler: async ({ ctx, db, scope, params, body, withSecret, ipAddress }) => {
    const id = await getSubscriptionId(db, scope, params.subscriptionId);
    const before = await getSubscription(db, scope, id);
    const billing = await planBilling(ctx, scope, { subscription: before, asked: toAskedBilling(body) });
    const cancelAtIntervalEnd = body.cancelAtIntervalEnd ?? null;
    const asked = toAskedPlan(body);
    const code = body.discountCode ?? null;
    const discount = await countingGuess(ctx, scope, {
      guess: withSecret || code === null ? null : { db, session: null, ipAddress },
      work: () =>
        planDiscount(ctx, scope, { db, subscription: before, code, asked, isStranger: !withSecret }),
    });
    const subscription = { ...before, ...billing, ...discount };
    const shown = await previewPlanChange(ctx, scope, { db, subscription, asked, cancelAtIntervalEnd });
    return {
      preview: {
        object: 'subscription_preview' as const,
        lines: shown.lines.map(toLine),
        amountDue: Number(shown.amountDueMinor),
        ...toReturns(shown.returns),
        nextPayment: toUpcomingPayment(subscription.number, shown.nextPayment),
      },
    };
  },
});

function toReturns(payBacks: Awaited<ReturnType<typeof previewPlanChange>>['returns']) {
  const returns = payBacks.map(({ paymentId, amountMinor, taxMinor }) => ({
    paymentId,
    amount: Number(amountMinor),
    tax: Number(taxMinor),
  }));
  return { amountReturned: returns.reduce((sum, { amount }) => sum + amount, 0), returns };
}

const charge = flow({
  method: 'POST',
  path: '/v0/subscriptions/:subscriptionId/charge',
  operationId: 'chargeSubscription',
  tag: 'subscriptions',
  summary: 'Charge something once, beside the schedule',
  params: SubscriptionParams,
  priceTerms,
  body: ChargeSubscription,
  data: ChargedData,
  errors: [...ITEM_ERRORS, 'subscription_state', 'amount_below_minimum', 'amount_not_chargeable'],
  example: { items: [{ name: 'Set-up', unitPrice: 4900, currency: 'EUR' }] },
  handler: async ({ ctx, scope, params, body, claim, audit }) => {
    const id = await getSubscriptionId(ctx.db, scope, params.subscriptionId);
    const { currency, number } = await getSubscription(ctx.db, scope, id);
    audit(null, number);
    const { paymentId } = await chargeExtra(ctx, scope, { id, ...toChargeLines(body, currency), claim });
    return { payment: await loadPayment(ctx, scope, paymentId) };
  },
});

const upcoming = read({
  method: 'GET',
  path: '/v0/subscriptions/:subscriptionId/upcoming-payment',
  operationId: 'getUpcomingPayment',
  tag: 'subscriptions',
  summary: 'Show the next new payment of a subscription',
  description: 'Null when nothing will be charged. What waits and what is carried over is in it.',
  params: SubscriptionParams,
  data: UpcomingPaymentData,
  needsClock: true,
  handler: async ({ ctx, db, scope, params }) => {
    const id = await getSubscriptionId(db, scope, params.subscriptionId);
    const subscription = await getSubscription(db, scope, id);
    const shown = await previewUpcomingPayment(ctx, scope, { db, subscription });
    return { upcomingPayment: toUpcomingPayment(subscription.number, shown) };
  },
});

function toAskedBilling({
  billingDetails,
  paymentMethodId,
}: Static<typeof UpdateSubscription>): AskedBilling {
  return {
    ...(billingDetails ? { billingDetails } : {}),
    ...(paymentMethodId === undefined ? {} : { paymentMethodId }),
  };
}

function toAskedPlan(body: Static<typeof UpdateSubscription>) {
  const lines = toAskedLines(body);
  if (lines === null) {
    if (body.prorationDate !== undefined) throw invalidField('prorationDate', 'needs items');
    return null;
  }
  return {
    lines,
    behavior: body.prorationBehavior ?? ('create_prorations' as const),
    prorationDateMs: body.prorationDate ?? null,
  };
}

async function loadPayment(ctx: Context, scope: Scope, id: string) {
  const row = await findPayment(ctx.db, scope, id);
  assert(row, 'a payment that was just made exists');
  return toPayment(row, ctx.config.publicUrl);
}

export const planChangeRoutes: Route[] = [create, update, preview, charge, upcoming];

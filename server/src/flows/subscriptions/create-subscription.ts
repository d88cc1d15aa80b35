/** A subscription made by the API, for a user who has a stored method: priced as a checkout prices, and charged at once. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { priceItems, taxBy, toCategory } from '../../domain/billing/compose.ts';
import type { PlanItem } from '../../domain/billing/line.ts';
import { findDetailsIssues } from '../../domain/billing-details.ts';
import { type BuyerForm, EMPTY_FORM, withDetails } from '../../domain/checkout/buyer.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toSettings } from '../../domain/settings.ts';
import { type AskedStart, planStart } from '../../domain/subscriptions/start-plan.ts';
import { findOrder } from '../../resources/orders/orders.queries.ts';
import {
  findDefaultPaymentMethod,
  findPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { findUser, findUserByEmail } from '../../resources/users/users.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { chargePayment } from '../payments/charge-payment.ts';
import { refuseAmountOf } from '../payments/choose-connection.ts';
import { getCharging } from '../payments/provider-of.ts';
import { resumeCharge } from '../payments/resume-charge.ts';
import { settleWithoutCharge } from '../payments/settle-payment.ts';
import { refuseUnbillable } from '../pricing/compose-period-payment.ts';
import { quoteLines } from '../pricing/quote-cart.ts';
import { type AskedLine, resolveItems, toPlanTerms } from '../pricing/resolve-items.ts';
import { holdMethod } from '../users/hold-method.ts';
import { toUnknownMethod } from './change-billing.ts';
import { placeSubscription, type SubscriptionPlan } from './place-subscription.ts';

export interface NewSubscription {
  userId: string | null;
  userEmail: string | null;
  /** Null = the user's default. */
  paymentMethodId: string | null;
  lines: readonly AskedLine[];
  start: Omit<AskedStart, 'nowMs' | 'interval' | 'trial'>;
  skipNotifications: boolean;
  discountCode: string | null;
  ipAddress: string;
  /** The idempotency key of the request: the order it stands for, if an earlier request with it died. */
  claim: { resumeId: string | null; begin: (tx: Tx, orderId: string, made: unknown) => Promise<void> };
  /** Runs in the last transaction. */
  finish: (tx: Tx, sale: Sale) => Promise<void>;
}

/** Answers the sale as it stands: PAID, FAILED after a decline, or PENDING. */
export async function createSubscription(ctx: Context, scope: Scope, asked: NewSubscription): Promise<Sale> {
  const { claim, finish, skipNotifications, ipAddress } = asked;
  if (claim.resumeId !== null) return goOn(ctx, scope, { orderId: claim.resumeId, finish });
  const user = await findPayer(ctx, scope, asked);
  const method = await findMethod(ctx, scope, { user, id: asked.paymentMethodId });
  const plan = await planSubscription(ctx, scope, { asked, user, method });
  if (plan.trialEnd === null) {
    const amountMinor = plan.totals.reduce((sum, { totalMinor }) => sum + totalMinor, 0n);
    refuseAmountOf(ctx, { processor: method.processor, currency: plan.currency, amountMinor });
  }
  const provider = await getCharging(ctx, scope, method);
  const step = await inTransaction(ctx.db, async (tx) => {
    if (!(await holdMethod(tx, scope, { userId: user.id, methodId: method.id })))
      throw asked.paymentMethodId === null ? new Refusal('payment_method_required') : toUnknownMethod();
    const placed = await placeSubscription(ctx, scope, {
      tx,
      user,
      method,
      plan,
      skipNotifications,
      ipAddress,
    });
    await claim.begin(tx, placed.orderId, { order: { object: 'order', id: placed.orderId } });
    const { chargeId, paymentId } = placed;
    if (chargeId !== null) return { placed: { ...placed, chargeId } };
    const sale = await settleWithoutCharge(ctx, scope, { tx, paymentId });
    await finish(tx, sale);
    return { sale };
  });
  if (step.sale) return step.sale;
  return chargePayment(ctx, scope, {
    provider,
    charge: { ...step.placed, currency: plan.currency },
    look: { kind: 'watch_order', refId: step.placed.orderId },
    method: { kind: 'stored', reference: method.reference },
    offSession: true,
    finish,
  });
}

/** The request that made this order died: the same charge is made, or the order answered as it stands. */
async function goOn(
  ctx: Context,
  scope: Scope,
  { orderId, finish }: Pick<NewSubscription, 'finish'> & { orderId: string },
): Promise<Sale> {
  const resumed = await resumeCharge(ctx, scope, { orderId, typed: null, finish });
  if (resumed) return resumed;
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order?.lastPaymentId) throw new Refusal('not_found');
  const { publicUrl } = ctx.config;
  return loadSale(ctx.db, scope, { orderId, paymentId: order.lastPaymentId, publicUrl });
}

async function findPayer(
  ctx: Context,
  scope: Scope,
  { userId, userEmail }: NewSubscription,
): Promise<Row<'users'>> {
  if ((userId === null) === (userEmail === null)) {
    throw invalidField('userId', 'or userEmail is required, not both');
  }
  const user =
    userId === null
      ? await findUserByEmail(ctx.db, scope, userEmail ?? '')
      : await findUser(ctx.db, scope, userId);
  if (!user) {
    const path = userId === null ? 'userEmail' : 'userId';
    throw new Refusal('unknown_reference', { message: `${path} names no user.` });
  }
  if (user.billingDetails.countryCode === undefined) {
    throw invalidField('billingDetails.countryCode', 'of the user is required');
  }
  const [issue] = findDetailsIssues(user.billingDetails);
  if (issue) throw invalidField(issue.path, `of the user ${issue.message}`);
  return user;
}

async function findMethod(
  ctx: Context,
  scope: Scope,
  { user, id }: { user: Row<'users'>; id: string | null },
): Promise<Row<'paymentMethods'>> {
  if (id === null) {
    const method = await findDefaultPaymentMethod(ctx.db, scope, user.id);
    if (!method) throw new Refusal('payment_method_required');
    return method;
  }
  const named = await findPaymentMethod(ctx.db, scope, id);
  if (named?.userId !== user.id || !named.kept) throw toUnknownMethod();
  return named;
}

async function planSubscription(
  ctx: Context,
  scope: Scope,
  { asked, user, method }: { asked: NewSubscription; user: Row<'users'>; method: Row<'paymentMethods'> },
): Promise<SubscriptionPlan> {
  const { lines, start, discountCode } = asked;
  const resolved = await resolveItems(ctx, scope, { db: ctx.db, lines, currency: null, kept: [] });
  const { interval, trial } = toPlanTerms(lines, resolved.offers);
  const planned = planStart({ ...start, nowMs: ctx.nowMs, interval, trial });
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  const { quote, taxRules } = await quoteLines(ctx, scope, {
    db: ctx.db,
    priced: { lines: resolved.items.map(toQuoteLine), currency: resolved.currency, settings },
    form: toForm(user, discountCode),
    exceptOrderId: null,
  });
  if (quote.codeRefusal) throw new Refusal(quote.codeRefusal);
  const { items, currency } = resolved;
  const tax = taxBy(taxRules);
  refuseUnbillable({ items, tax }, { currency, waiting: [] });
  const stepMinor = ctx.payments.listSteps(currency).get(method.processor) ?? 1n;
  const fraction = planned.fraction === null ? null : { ...planned.fraction, stepMinor };
  const totals = priceItems({ items, discount: quote.discount, tax, fraction });
  const { sellerCountry, consumer } = settings;
  return { ...resolved, ...planned, interval, quote, totals, sellerCountry, withdrawal: consumer.withdrawal };
}

function toQuoteLine(item: PlanItem, index: number) {
  return {
    key: String(index),
    offerId: item.offerId,
    unitPriceMinor: item.unitPrice,
    quantity: item.quantity,
    category: toCategory(item),
    taxBehavior: item.inclusive ? ('inclusive' as const) : ('exclusive' as const),
  };
}

function toForm({ email, billingDetails }: Row<'users'>, discountCode: string | null): BuyerForm {
  return { ...withDetails(EMPTY_FORM, billingDetails), email, discountCode };
}

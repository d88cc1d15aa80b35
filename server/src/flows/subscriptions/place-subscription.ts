/** The first transaction of a subscription made by the API: order, items, payment, charge and the subscription. */

import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { type PlanItem, toSums } from '../../domain/billing/line.ts';
import { decideRight, type Withdrawable } from '../../domain/consumer/right.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { orderNumberFrom, paymentNumber } from '../../domain/numbers.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import type { Quote } from '../../domain/pricing/quote.ts';
import type { LineTotals } from '../../domain/pricing/totals.ts';
import type { ConsumerBlock } from '../../domain/settings-blocks.ts';
import type { PaymentStatus } from '../../domain/states/payment.ts';
import type { Interval } from '../../domain/subscriptions/period.ts';
import type { PlannedStart } from '../../domain/subscriptions/start-plan.ts';
import { storeTerms } from '../../domain/subscriptions/stored-plan.ts';
import { insertOrder, insertOrderItems } from '../../resources/orders/orders.queries.ts';
import { insertPayment } from '../../resources/payments/payments.queries.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { toItemRow } from '../../resources/subscriptions/plan-items.schema.ts';
import {
  insertSubscription,
  insertSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import type { PlacedOrder } from '../checkout/place-order.ts';
import { holdStock } from '../fulfilment/hold-stock.ts';
import { recordEvents } from '../outbox/record-event.ts';
import { openCharge } from '../payments/open-charge.ts';
import type { ResolvedItems } from '../pricing/resolve-items.ts';
import { sumValue } from '../subscription-lifecycle/apply-plan-change.ts';

/** An order that is not paid expires after this. */
const ORDER_MS = 24 * 3_600_000;
const HOLDS_MS = 30 * 60_000;

/** What will be sold, at its price and from when on. */
export interface SubscriptionPlan extends ResolvedItems, PlannedStart {
  interval: Interval;
  quote: Quote;
  /** Of the first period, in the order of the items. */
  totals: LineTotals[];
  sellerCountry: string | null;
  withdrawal: ConsumerBlock['withdrawal'];
}

interface Placing {
  tx: Tx;
  user: Row<'users'>;
  method: Row<'paymentMethods'>;
  plan: SubscriptionPlan;
  skipNotifications: boolean;
  ipAddress: string;
}

interface Ids {
  orderId: string;
  paymentId: string;
  subscriptionId: string;
  number: string;
}

export async function placeSubscription(ctx: Step, scope: Scope, placing: Placing): Promise<PlacedOrder> {
  const { tx, plan, user } = placing;
  const { nowMs } = ctx;
  const ids: Ids = {
    orderId: ctx.ids.next(nowMs),
    paymentId: ctx.ids.next(nowMs),
    subscriptionId: ctx.ids.next(nowMs),
    number: orderNumberFrom(ctx.ids.randomBytes(16)),
  };
  const { orderId, paymentId } = ids;
  // Nothing is paid while a trial runs.
  const totals = plan.trialEnd === null ? plan.totals : [];
  const value = totals.reduce((sum, { totalMinor }) => sum + totalMinor, 0n);
  await writeSubscription(ctx, scope, placing, ids);
  await writeOrder(ctx, scope, placing, {
    ids,
    value,
    tax: totals.reduce((sum, { taxMinor }) => sum + taxMinor, 0n),
  });
  await insertOrderItems(tx, scope, toOrderItems(ctx, plan, { orderId, totals }));
  await holdStock(ctx, scope, {
    tx,
    orderId,
    userId: user.id,
    discountId: plan.quote.discount?.id ?? null,
    hasStock: plan.offers.some(({ salesLimit, hasKeys }) => salesLimit !== null || hasKeys),
  });
  const chargeId = value > 0n ? await openFirstCharge(ctx, scope, placing, { ids, value }) : null;
  await recordCreation(ctx, scope, { tx, ids });
  return { orderId, paymentId, userId: user.id, chargeId, amountMinor: value };
}

async function writeSubscription(
  ctx: Step,
  scope: Scope,
  { tx, plan, user, method, skipNotifications }: Placing,
  ids: Ids,
): Promise<void> {
  const { subscriptionId: id, number, orderId, paymentId } = ids;
  const { discount } = plan.quote;
  const { currency, interval } = plan;
  await insertSubscription(tx, scope, {
    id,
    number,
    orderId,
    userId: user.id,
    status: 'incomplete',
    currency,
    value: sumValue(plan.items),
    recurringInterval: interval.unit,
    recurringIntervalCount: interval.count,
    anchorAt: plan.anchorAt,
    trialEnd: plan.trialEnd,
    // Its own from here on.
    billingDetails: toJson(user.billingDetails),
    paymentMethodId: method.id,
    discount: discount ? toJson(storeTerms(discount)) : null,
    discountUses: discount && plan.trialEnd === null ? 1 : 0,
    skipNotifications,
    lastPaymentId: paymentId,
    createdAt: ctx.nowMs,
  });
  const rows = plan.items.map((item, position) => {
    const place = {
      id: ctx.ids.next(ctx.nowMs),
      subscriptionId: id,
      position,
      currency,
      createdAt: ctx.nowMs,
    };
    return toItemRow(withTax(item, plan.totals[position]), place);
  });
  await insertSubscriptionItems(tx, scope, rows);
}

/** The item keeps the rates that it is billed by. */
function withTax(item: PlanItem, totals: LineTotals | undefined): PlanItem {
  assert(totals, 'every item is priced');
  const { taxReason, taxRates } = toSums(totals);
  return { ...item, taxReason, taxRates };
}

async function writeOrder(
  ctx: Step,
  scope: Scope,
  { tx, plan, user }: Placing,
  { ids, value, tax }: { ids: Ids; value: bigint; tax: bigint },
): Promise<void> {
  const { orderId, paymentId, subscriptionId, number } = ids;
  const { nowMs } = ctx;
  const { quote, currency } = plan;
  const country = user.billingDetails.countryCode ?? null;
  const discount = quote.discount ? toJson(toAppliedDiscount(quote.discount)) : null;
  const taxDecision = toJson({
    place: quote.place,
    reason: quote.reason,
    taxNumberValid: quote.taxNumberValid,
    taxNumberAnswer: quote.taxNumberAnswer,
    sentences: quote.sentences,
    sellerCountry: plan.sellerCountry,
  });
  const status: PaymentStatus = 'PENDING';
  const shared = { type: 'subscription_initial', status, value, tax, currency, country, discount };
  await insertOrder(tx, scope, {
    ...shared,
    id: orderId,
    number,
    userId: user.id,
    subscriptionId,
    lastPaymentId: paymentId,
    totalItems: plan.items.reduce((sum, { quantity }) => sum + quantity, 0),
    discountId: quote.discount?.id ?? null,
    billingDetails: toJson(user.billingDetails),
    taxDecision,
    locationEvidence: toJson(country ? [{ kind: 'billing', country }] : []),
    withdrawalRight: decideRight({
      rule: plan.withdrawal,
      country,
      isCompany: user.billingDetails.type === 'company',
      kinds: plan.items.map(({ offerId }) => findWithdrawal(plan, offerId)),
      isGift: false,
    }),
    holds: 'held',
    holdsUntil: nowMs + HOLDS_MS,
    expiresAt: nowMs + ORDER_MS,
    createdAt: nowMs,
  });
  await insertPayment(tx, scope, {
    ...shared,
    id: paymentId,
    orderId,
    orderNumber: number,
    number: paymentNumber(number, 0),
    userId: user.id,
    subscriptionId,
    payToken: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
    taxDecision,
    createdAt: nowMs,
  });
}

/** In a trial nothing is sold yet: its lines are of 0, the subscription keeps the price. */
function toOrderItems(
  ctx: Step,
  { items, offers, currency }: SubscriptionPlan,
  { orderId, totals }: { orderId: string; totals: readonly LineTotals[] },
) {
  return items.map((item, position) => {
    const line = totals[position];
    const sums = line ? toSums(line) : { ...NOTHING, quantity: item.quantity };
    const offer = offers.find(({ id }) => id === item.offerId);
    const place = { id: ctx.ids.next(ctx.nowMs), position, currency, createdAt: ctx.nowMs };
    const { subscriptionId: _none, ...row } = toItemRow(item, { ...place, subscriptionId: '' });
    return {
      ...row,
      ...sums,
      taxRates: toJson(sums.taxRates),
      orderId,
      limitHeld: (offer?.salesLimit ?? null) !== null,
      downloadLimit: offer?.downloadLimit ?? null,
      downloadDays: offer?.downloadDays ?? null,
      withdrawal: offer?.withdrawal ?? ('service' as const),
      fulfilment:
        offer && (offer.hasKeys || offer.downloadFileId !== null) ? ('waiting' as const) : ('none' as const),
    };
  });
}

function findWithdrawal({ offers }: SubscriptionPlan, offerId: string | null): Withdrawable {
  return offers.find(({ id }) => id === offerId)?.withdrawal ?? 'service';
}

const NOTHING = {
  unitPrice: 0n,
  subtotal: 0n,
  discount: 0n,
  tax: 0n,
  total: 0n,
  taxReason: 'outside_scope',
  taxRates: [],
};

function openFirstCharge(
  ctx: Step,
  scope: Scope,
  { tx, plan, method, ipAddress }: Placing,
  { ids, value }: { ids: Ids; value: bigint },
): Promise<string> {
  const { orderId, paymentId } = ids;
  return openCharge(ctx, scope, {
    tx,
    charge: {
      payment: { orderId, paymentId, paymentType: 'subscription_initial' },
      amountMinor: value,
      currency: plan.currency,
      processor: method.processor,
      connectionId: method.connectionId,
      offSession: true,
      ipAddress,
      methodId: method.id,
    },
  });
}

/** `subscription_created` is informational: order and payment are still PENDING in it. */
async function recordCreation(ctx: Step, scope: Scope, { tx, ids }: { tx: Tx; ids: Ids }): Promise<void> {
  const { orderId, paymentId, subscriptionId } = ids;
  const sale = await loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
  await recordEvents(tx, scope, ctx.ids, [
    {
      type: 'subscription_created',
      entityId: subscriptionId,
      entityVersion: 0,
      orderId,
      paymentId,
      subscriptionId,
      createdAtMs: ctx.nowMs,
      data: toEventData(sale),
    },
  ]);
}

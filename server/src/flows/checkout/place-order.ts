/**
 * The first transaction of a purchase: order, items, payment, charge and what is held for them come into
 * being together at the first submit, or are written anew when a declined buyer tries again.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { orderNumberFrom, paymentNumber } from '../../domain/numbers.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { move } from '../../domain/states/machine.ts';
import { ORDER, type OrderStatus } from '../../domain/states/order.ts';
import {
  deleteOrderItems,
  insertOrder,
  insertOrderItems,
  updateOrder,
} from '../../resources/orders/orders.queries.ts';
import { insertPayment, updatePayment } from '../../resources/payments/payments.queries.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { findOrInsertBuyer } from '../../resources/users/users.queries.ts';
import { holdForOrder, releaseHolds } from '../fulfilment/hold-stock.ts';
import { recordEvents } from '../outbox/record-event.ts';
import { openCharge } from '../payments/open-charge.ts';
import { type Purchase, toBillingDetails, toOrderItems } from '../pricing/order-rows.ts';
import { writeSubscription } from '../subscription-lifecycle/write-subscription.ts';

/** Where holds of keys and limited places end, from the submit. */
const HOLDS_MS = 30 * 60_000;

export interface Placing extends Purchase {
  tx: Tx;
  session: Row<'checkoutSessions'>;
  /** An unpaid order of the session that is tried again. */
  order: Row<'orders'> | null;
  ipAddress: string | null;
  /** Name of the processor that is to be charged; null when there is nothing to charge. */
  processor: string | null;
}

export interface PlacedOrder {
  orderId: string;
  paymentId: string;
  userId: string;
  chargeId: string | null;
  amountMinor: bigint;
}

export async function placeOrder(ctx: Context, scope: Scope, placing: Placing): Promise<PlacedOrder> {
  const { tx, quote, order } = placing;
  const { nowMs } = ctx;
  const user = await findOrInsertBuyer(tx, scope, {
    id: ctx.ids.next(nowMs),
    email: placing.form.email ?? '',
    createdAt: nowMs,
  });
  const ids = order
    ? await reopenOrder(ctx, scope, { placing, order, userId: user.id })
    : await openOrder(ctx, scope, { placing, userId: user.id });
  await insertOrderItems(tx, scope, toOrderItems(ctx, placing, ids.orderId));
  await holdForOrder(ctx, scope, {
    tx,
    orderId: ids.orderId,
    userId: user.id,
    discountId: quote.discount?.id ?? null,
    hasStock: placing.cart.lines.some(({ offer }) => offer.salesLimit !== null || offer.hasKeys),
  });
  const chargeId = placing.processor === null ? null : await openFirstCharge(ctx, scope, { placing, ids });
  if (ids.newSubscriptionId) await recordCreation(ctx, scope, { placing, ids });
  return { ...ids, userId: user.id, chargeId, amountMinor: quote.dueNowMinor };
}

interface OrderIds {
  orderId: string;
  paymentId: string;
  /** Set when the subscription came into being just now. */
  newSubscriptionId: string | null;
}

async function openOrder(
  ctx: Context,
  scope: Scope,
  { placing, userId }: { placing: Placing; userId: string },
): Promise<OrderIds> {
  const { tx, cart, session } = placing;
  const { nowMs } = ctx;
  const orderId = ctx.ids.next(nowMs);
  const paymentId = ctx.ids.next(nowMs);
  const number = orderNumberFrom(ctx.ids.randomBytes(16));
  const subscriptionId = await writeSubscription(ctx, scope, { placing, userId, orderId, number, paymentId });
  const priced = toPricedColumns(placing, userId);
  await insertOrder(tx, scope, {
    id: orderId,
    number,
    type: cart.type,
    status: 'PENDING',
    ...priced,
    ...toOrderColumns(ctx, placing),
    checkoutId: session.elementId,
    sessionId: session.id,
    subscriptionId,
    lastPaymentId: paymentId,
    expiresAt: session.expiresAt,
    createdAt: nowMs,
  });
  await insertPayment(tx, scope, {
    id: paymentId,
    orderId,
    orderNumber: number,
    number: paymentNumber(number, 0),
    type: cart.type,
    status: 'PENDING',
    ...priced,
    subscriptionId,
    checkoutId: session.elementId,
    payToken: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
    createdAt: nowMs,
  });
  return { orderId, paymentId, newSubscriptionId: subscriptionId };
}

/** Another try: the same order and payment, priced anew, with what it held given back first. */
async function reopenOrder(
  ctx: Context,
  scope: Scope,
  { placing, order, userId }: { placing: Placing; order: Row<'orders'>; userId: string },
): Promise<OrderIds> {
  const { tx } = placing;
  const orderId = order.id;
  const paymentId = order.lastPaymentId ?? '';
  await releaseHolds(tx, scope, { orderId, holds: order.holds, withRedemption: true });
  await deleteOrderItems(tx, scope, orderId);
  const priced = toPricedColumns(placing, userId);
  await writeSubscription(ctx, scope, { placing, userId, orderId, number: order.number, paymentId });
  await updateOrder(tx, scope, {
    id: orderId,
    status: move(ORDER, order.status as OrderStatus, 'PENDING'),
    ...priced,
    ...toOrderColumns(ctx, placing),
    version: order.version + 1,
  });
  await updatePayment(tx, scope, { id: paymentId, status: 'PENDING', ...priced });
  return { orderId, paymentId, newSubscriptionId: null };
}

/** What order and payment have in common: nothing is paid while a trial runs. */
function toPricedColumns({ quote, cart, form }: Placing, userId: string) {
  const isTrial = cart.trial !== null;
  return {
    value: quote.dueNowMinor,
    tax: isTrial ? 0n : quote.taxMinor,
    currency: cart.currency,
    country: form.countryCode,
    userId,
    discount: quote.discount ? toJson(toAppliedDiscount(quote.discount)) : null,
  };
}

function toOrderColumns(ctx: Context, { cart, quote, form, ipAddress }: Placing) {
  return {
    totalItems: cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    discountId: quote.discount?.id ?? null,
    billingDetails: toJson(toBillingDetails(form)),
    taxDecision: toJson({
      place: quote.place,
      reason: quote.reason,
      taxNumberValid: quote.taxNumberValid,
      taxNumberAnswer: quote.taxNumberAnswer,
      sentences: quote.sentences,
      sellerCountry: cart.settings.sellerCountry,
    }),
    locationEvidence: toJson([
      ...(form.countryCode ? [{ kind: 'billing', country: form.countryCode }] : []),
      ...(ipAddress ? [{ kind: 'address', ipAddress }] : []),
    ]),
    holds: 'held' as const,
    holdsUntil: ctx.nowMs + HOLDS_MS,
  };
}

function openFirstCharge(
  ctx: Context,
  scope: Scope,
  { placing, ids: { orderId, paymentId } }: { placing: Placing; ids: OrderIds },
): Promise<string> {
  const { tx, quote, cart, processor, ipAddress } = placing;
  return openCharge(ctx, scope, {
    tx,
    charge: {
      payment: { orderId, paymentId, paymentType: cart.type },
      amountMinor: quote.dueNowMinor,
      currency: cart.currency,
      processor: processor ?? '',
      offSession: false,
      ipAddress,
      methodId: null,
    },
  });
}

/** `subscription_created` is informational: order and payment are still PENDING in it. */
async function recordCreation(
  ctx: Context,
  scope: Scope,
  { placing, ids }: { placing: Placing; ids: OrderIds },
): Promise<void> {
  const { tx } = placing;
  const { orderId, paymentId, newSubscriptionId } = ids;
  if (newSubscriptionId === null) return;
  const sale = await loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
  await recordEvents(tx, scope, ctx.ids, [
    {
      type: 'subscription_created',
      entityId: newSubscriptionId,
      entityVersion: 0,
      orderId,
      paymentId,
      subscriptionId: newSubscriptionId,
      createdAtMs: ctx.nowMs,
      data: toEventData(sale),
    },
  ]);
}

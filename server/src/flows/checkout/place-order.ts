/**
 * The first transaction of a purchase: order, items, payment, charge and what is held for them come into
 * being together at the first submit, or are written anew when a declined buyer tries again.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { ConsentText } from '../../domain/consumer/consent.ts';
import { decideRight } from '../../domain/consumer/right.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { orderNumberFrom, paymentNumber } from '../../domain/numbers.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { toInStep } from '../../domain/states/order.ts';
import { insertConsents } from '../../resources/consumer/consents.queries.ts';
import { hashConsent } from '../../resources/consumer/statement-hashes.ts';
import {
  deleteOrderItems,
  insertOrder,
  insertOrderItems,
  updateOrder,
} from '../../resources/orders/orders.queries.ts';
import { insertPayment, updatePayment } from '../../resources/payments/payments.queries.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { findOrInsertBuyer } from '../../resources/users/users.queries.ts';
import { holdStock, releaseHolds } from '../fulfilment/hold-stock.ts';
import { recordEvents } from '../outbox/record-event.ts';
import { beginCharge, type OpeningCharge } from '../payments/open-charge.ts';
import { type Purchase, toBillingDetails, toOrderItems } from '../pricing/order-rows.ts';
import { writeSubscription } from '../subscription-lifecycle/write-subscription.ts';
import { admitOrder } from './admit-order.ts';
import type { Payer } from './saved-methods.ts';

/** Where holds of keys and limited places end, from the submit. */
export const HOLDS_MS = 30 * 60_000;

export interface Placing extends Purchase {
  tx: Tx;
  session: Row<'checkoutSessions'>;
  /** An unpaid order of the session that is tried again. */
  order: Row<'orders'> | null;
  ipAddress: string | null;
  /** Who opens it without the secret key (`toOpener`); null = nobody is limited. */
  openedBy: string | null;
  /** What the buyer ticked at this try. */
  consents: ConsentText[];
  /** How the money is asked for; null when there is nothing to charge. */
  payer: Payer | null;
}

export interface PlacedOrder {
  orderId: string;
  paymentId: string;
  userId: string;
  chargeId: string | null;
  amountMinor: bigint;
}

/** The last of its rows are on their way: wait for them before the transaction ends. */
interface OnTheirWay {
  written: Promise<unknown>;
}

export async function placeOrder(
  ctx: Step,
  scope: Scope,
  placing: Placing,
): Promise<{ placed: PlacedOrder } & OnTheirWay> {
  const { tx, quote, order } = placing;
  const { nowMs } = ctx;
  const user = await findOrInsertBuyer(tx, scope, {
    id: ctx.ids.next(nowMs),
    email: placing.form.email ?? '',
    createdAt: nowMs,
  });
  await admit(scope, { placing, userId: user.id });
  const ids = order
    ? await reopenOrder(ctx, scope, { placing, order, userId: user.id })
    : await openOrder(ctx, scope, { placing, userId: user.id });
  // What is written one after the other without looking leaves together.
  const hasStock = placing.cart.lines.some(({ offer }) => offer.salesLimit !== null || offer.hasKeys);
  const isScarce = hasStock || quote.discount !== null;
  const rows = [ids.written, insertOrderItems(tx, scope, toOrderItems(ctx, placing, ids.orderId))];
  const held = holdStock(ctx, scope, {
    tx,
    orderId: ids.orderId,
    userId: user.id,
    discountId: quote.discount?.id ?? null,
    hasStock,
  });
  // Whoever is refused something scarce has had no charge opened.
  if (isScarce) await Promise.all([...rows, held]);
  const charge = placing.payer === null ? null : openFirstCharge(ctx, scope, { placing, ids });
  const written = Promise.all([...rows, held, charge?.written]);
  // Whoever waits for it hears of its failure, however late that is.
  written.catch(() => {});
  await writeConsents(ctx, scope, { placing, ids });
  if (ids.newSubscriptionId) {
    await written;
    await recordCreation(ctx, scope, { placing, ids });
  }
  const chargeId = charge?.id ?? null;
  const { orderId, paymentId } = ids;
  const placed = { orderId, paymentId, userId: user.id, chargeId, amountMinor: quote.dueNowMinor };
  return { placed, written };
}

/** What is not charged is not declined, and holds nothing that is not its own already. */
async function admit(scope: Scope, { placing, userId }: { placing: Placing; userId: string }): Promise<void> {
  const { tx, order, session, form, openedBy, ipAddress, payer } = placing;
  if (openedBy === null || ipAddress === null || payer === null) return;
  const exceptOrderId = order?.id ?? null;
  const [sessionId, email] = [session.id, form.email ?? ''];
  await admitOrder(scope, { tx, openedBy, ipAddress, sessionId, userId, email, exceptOrderId });
}

interface OrderIds extends OnTheirWay {
  orderId: string;
  number: string;
  paymentId: string;
  /** Set when the subscription came into being just now. */
  newSubscriptionId: string | null;
}

async function openOrder(
  ctx: Step,
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
  const order = insertOrder(tx, scope, {
    id: orderId,
    number,
    type: cart.type,
    status: 'PENDING',
    ...priced,
    ...toOrderColumns(ctx, placing),
    checkoutId: session.elementId,
    sessionId: session.id,
    reference: session.reference,
    subscriptionId,
    lastPaymentId: paymentId,
    expiresAt: session.expiresAt,
    createdAt: nowMs,
  });
  const payment = insertPayment(tx, scope, {
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
  return {
    ...{ orderId, number, paymentId, newSubscriptionId: subscriptionId },
    written: Promise.all([order, payment]),
  };
}

/** Another try: the same order and payment, priced anew, with what it held given back first. */
async function reopenOrder(
  ctx: Step,
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
    // One that the merchant has put right waits for a try already.
    status: toInStep(order.status),
    ...priced,
    ...toOrderColumns(ctx, placing),
    version: order.version + 1,
  });
  await updatePayment(tx, scope, { id: paymentId, status: 'PENDING', ...priced });
  const { number } = order;
  return { orderId, number, paymentId, newSubscriptionId: null, written: Promise.resolve() };
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

function toOrderColumns(ctx: Step, { cart, quote, form, ipAddress, openedBy, consents }: Placing) {
  return {
    openedBy,
    withdrawalRight: decideRight({
      rule: cart.settings.consumer.withdrawal,
      country: form.countryCode,
      isCompany: form.type === 'company',
      kinds: cart.lines.map(({ offer }) => offer.withdrawal),
      isGift: cart.type === 'claim_free',
    }),
    consentedAt: consents.length === 0 ? null : ctx.nowMs,
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

/** What was agreed to at an earlier try stays written and counts no more. */
async function writeConsents(
  ctx: Step,
  scope: Scope,
  { placing, ids }: { placing: Placing; ids: OrderIds },
): Promise<void> {
  const { tx, consents, form } = placing;
  if (consents.length === 0) return;
  // Both are what the rows point to.
  await ids.written;
  const { orderId, number: orderNumber } = ids;
  const email = form.email ?? '';
  const rows = consents.map((consent) => {
    const stated = { ...consent, givenAt: ctx.nowMs, orderNumber, email };
    return { ...stated, id: ctx.ids.next(ctx.nowMs), orderId, sha256: hashConsent(stated) };
  });
  await insertConsents(tx, scope, rows);
}

function openFirstCharge(
  ctx: Step,
  scope: Scope,
  { placing, ids: { orderId, paymentId } }: { placing: Placing; ids: OrderIds },
): OpeningCharge {
  const { tx, quote, cart, payer, ipAddress } = placing;
  assert(payer, 'a charge is opened of somebody');
  const { connection, methodId, keepsMethod } = payer;
  return beginCharge(ctx, scope, {
    tx,
    charge: {
      payment: { orderId, paymentId, paymentType: cart.type },
      amountMinor: quote.dueNowMinor,
      currency: cart.currency,
      processor: connection.provider.name,
      connectionId: connection.id,
      offSession: false,
      ipAddress,
      methodId,
      keepsMethod,
    },
  });
}

/** `subscription_created` is informational: order and payment are still PENDING in it. */
async function recordCreation(
  ctx: Step,
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

/**
 * The payment that carries an order: a one-time purchase, a free claim, or the first payment of a
 * subscription. Order and payment move together, with holds and entitlements.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { computeWithdrawableUntil } from '../../domain/consumer/right.ts';
import { computeNextWatchMs } from '../../domain/payments/watch.ts';
import { move } from '../../domain/states/machine.ts';
import { ORDER, toInStep } from '../../domain/states/order.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import type { DeclinedCharge, SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { countPaidOrder } from '../../resources/checkout-elements/checkout-elements.queries.ts';
import { clearSessionError, updateSessionError } from '../../resources/checkouts/checkouts.queries.ts';
import { closeRedemption, insertUsedRedemption } from '../../resources/checkouts/holds.queries.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { listItemsToFulfil, updateOrder } from '../../resources/orders/orders.queries.ts';
import { insertPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { updatePayment } from '../../resources/payments/payments.queries.ts';
import type { LockedSale } from '../../resources/sales/locked-sale.queries.ts';
import { type Sale, toEventData } from '../../resources/sales/sale.view.ts';
import { fillBillingDetails, lockUser } from '../../resources/users/users.queries.ts';
import { countSales, fulfilOrder } from '../fulfilment/fulfil-order.ts';
import { releaseHolds } from '../fulfilment/hold-stock.ts';
import { countDecline } from '../limits/count-declines.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { type NewEvent, recordEvents } from '../outbox/record-event.ts';
import { activateSubscription } from '../subscription-lifecycle/activate-subscription.ts';
import { lookBackAtMethod } from './look-back-at-method.ts';
import {
  closeCharge,
  readSale,
  recordPaid,
  type Settling,
  toPaymentEvent,
  toPaymentFee,
} from './record-paid.ts';

/** Fulfils what was bought, starts the subscription, and moves order and payment together. */
export async function settleOrderPaid(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome, isMailHeldBack }: Settling<SucceededCharge | null>,
): Promise<Sale> {
  const { nowMs } = ctx;
  const fee = outcome ? toPaymentFee(sale, outcome) : 0n;
  const { orderId, sessionId, discountId } = sale;
  // Locks are taken in the order of a placing: the buyer, then offers, then the discount.
  const [isOwn, items] = await Promise.all([
    keepBuyer(tx, scope, sale),
    listItemsToFulfil(tx, scope, orderId),
    updateOrder(tx, scope, {
      id: orderId,
      status: move(ORDER, toInStep(sale.orderStatus), 'PAID'),
      fee,
      paidAt: nowMs,
      ...(sale.withdrawalRight === 'granted' ? { withdrawableUntil: computeWithdrawableUntil(nowMs) } : {}),
      holds: 'used',
      holdsUntil: null,
      expiresAt: null,
      version: sale.orderVersion + 1,
      ...(outcome?.cardCountry
        ? { locationEvidence: toJson(withCardCountry(sale, outcome.cardCountry)) }
        : {}),
    }),
    sessionId ? clearSessionError(tx, scope, sessionId) : null,
    deleteDueWork(tx, scope, 'watch_order', orderId),
  ]);
  await fulfilOrder(ctx, scope, { tx, orderId, items });
  const count = () => countSales(tx, scope, { items, isHeld: sale.holds === 'held' });
  if (discountId) {
    await count();
    await useDiscount(ctx, scope, { tx, sale, discountId });
  }
  const methodId = outcome ? await keepMethod(ctx, scope, { tx, sale, outcome, isOwn }) : null;
  if (sale.subscriptionId) await activateSubscription(ctx, scope, { tx, id: sale.subscriptionId, methodId });
  // Offers, the element, the series: the same order in every sale, asked for at once.
  const { checkoutId } = sale;
  const lockLast = () =>
    Promise.all([discountId ? null : count(), checkoutId ? countPaidOrder(tx, scope, checkoutId) : null]);
  return recordPaid(ctx, scope, {
    tx,
    sale,
    outcome,
    ...(isMailHeldBack ? { isMailHeldBack } : {}),
    lockLast,
    toEvents: (success) => toPaidEvents(sale, success),
  });
}

const ANOTHER_WAY_MS = 86_400_000;

/**
 * The buyer may try another card. Nothing is held for them until then: no attempt of a declined card keeps others from
 * what is scarce.
 */
export async function settleOrderFailed(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<DeclinedCharge>,
): Promise<Sale> {
  await closeCharge(ctx, scope, { tx, sale, outcome });
  const { orderId, holds } = sale;
  // After a method that took days the buyer has a day for another: the page's own time is long over.
  const isLate = sale.chargeExpectedBy !== null;
  const expiresAt = isLate ? ctx.nowMs + ANOTHER_WAY_MS : sale.expiresAt;
  await releaseHolds(tx, scope, { orderId, holds, withRedemption: true });
  await updateOrder(tx, scope, {
    id: orderId,
    status: move(ORDER, toInStep(sale.orderStatus), 'FAILED'),
    holds: 'none',
    holdsUntil: null,
    expiresAt,
    version: sale.orderVersion + 1,
  });
  await updatePayment(tx, scope, {
    id: sale.paymentId,
    status: move(PAYMENT, sale.paymentStatus, 'FAILED'),
    version: sale.paymentVersion + 1,
  });
  if (sale.sessionId) {
    const error = { code: outcome.reason, message: outcome.message };
    await updateSessionError(tx, scope, { id: sale.sessionId, error, ...(isLate && { expiresAt }) });
  }
  await watchAgain(tx, scope, orderId, computeNextWatchMs({ ...sale, expiresAt, holds: 'none' }));
  const failed = await readSale(ctx, scope, { tx, sale });
  const data = toEventData(failed);
  const event = toPaymentEvent(ctx, sale, { type: 'payment_failed', data });
  // Nobody sits before the page any more.
  const told = isLate ? { ...event, ...(await mailOfLate(ctx, scope, { tx, sale })) } : event;
  await recordEvents(tx, scope, ctx.ids, [told]);
  // What the merchant tries counts for nothing.
  if (sale.openedBy !== null) {
    const { sessionId, ipAddress, userEmail: email } = sale;
    await countDecline(ctx, scope, { db: tx, outcome, sessionId, ipAddress, email });
  }
  return failed;
}

/** Whoever types an address and any account of a bank can cause it; what the merchant places counts for nothing. */
async function mailOfLate(
  ctx: Step,
  scope: Scope,
  { tx, sale: { openedBy, userEmail } }: { tx: Tx; sale: LockedSale },
): Promise<Pick<NewEvent, 'mail' | 'isMailHeldBack'>> {
  const mail = 'payment_failed';
  const to = openedBy === null ? null : userEmail;
  return {
    mail,
    isMailHeldBack: to !== null && (await isMailOneTooMany(ctx, scope, { db: tx, kind: mail, to })),
  };
}

async function watchAgain(tx: Tx, scope: Scope, orderId: string, dueMs: number | null): Promise<void> {
  if (dueMs === null) await deleteDueWork(tx, scope, 'watch_order', orderId);
  else await insertDueWork(tx, scope, [{ kind: 'watch_order', refId: orderId, dueMs }]);
}

/** What is held is used. An order that was paid after all, since its decline gave it back, takes it anew if it can. */
async function useDiscount(
  ctx: Step,
  scope: Scope,
  { tx, sale: { orderId, userId }, discountId }: { tx: Tx; sale: LockedSale; discountId: string },
): Promise<void> {
  if (await closeRedemption(tx, scope, { orderId, outcome: 'used' })) return;
  const { nowMs: createdAt } = ctx;
  await insertUsedRedemption(tx, scope, {
    id: ctx.ids.next(createdAt),
    discountId,
    orderId,
    userId,
    createdAt,
  });
}

/**
 * Whether what was paid with becomes the user's: of one who had no billing details, such as one whom this purchase made.
 * Of any other user nothing is written, not even what is empty, since a typed e-mail proves nothing. A free claim keeps
 * nothing but its order.
 */
async function keepBuyer(tx: Tx, scope: Scope, sale: LockedSale): Promise<boolean> {
  const { userId: id, billingDetails, userBillingDetails, paymentType } = sale;
  if (sale.keepsMethod) await lockUser(tx, scope, id);
  if (paymentType === 'claim_free' || Object.keys(userBillingDetails).length > 0) return false;
  if (Object.keys(billingDetails).length === 0) return true;
  return fillBillingDetails(tx, scope, { id, billingDetails });
}

/**
 * Only a subscription charges again; a one-time buyer's method is not kept without their word. What was charged as a
 * stored method is kept already. Null where the subscription has brought its method along.
 */
async function keepMethod(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome, isOwn }: Settling<SucceededCharge> & { isOwn: boolean },
): Promise<string | null> {
  const { subscriptionId, userId, processor, connectionId, offSession, keepsMethod } = sale;
  const { storedReference: reference, method: details, cardExpiry: expiry } = outcome;
  if (offSession) return null;
  if (sale.chargeMethodId !== null) return sale.chargeMethodId;
  if ((!subscriptionId && !keepsMethod) || reference === null || processor === null) return null;
  const createdAt = ctx.nowMs;
  const id = ctx.ids.next(createdAt);
  const as = isOwn || keepsMethod ? 'kept' : 'apart';
  const method = { id, userId, processor, connectionId, reference, details, expiry, createdAt, as } as const;
  const methodId = await insertPaymentMethod(tx, scope, method);
  await lookBackAtMethod(ctx, scope, { tx, connectionId, reference, type: details.type });
  return methodId;
}

function withCardCountry(sale: LockedSale, country: string): unknown[] {
  // Written by the submit as a list of pieces of evidence.
  return [...(sale.locationEvidence as unknown[]), { kind: 'card', country }];
}

/** Of a first purchase: the subscription's change first, then the payment. */
function toPaidEvents({ subscriptionId }: LockedSale, success: NewEvent): NewEvent[] {
  if (!subscriptionId) return [success];
  return [{ ...success, type: 'subscription_updated', entityId: subscriptionId, entityVersion: 1 }, success];
}

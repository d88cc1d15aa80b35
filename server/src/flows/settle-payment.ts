/**
 * What a charge's outcome does: the one place where a payment becomes PAID or FAILED. States, events,
 * holds and entitlements change together, in the caller's transaction.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { type Scope, toJson } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { computeNextLookMs, computeNextWatchMs } from '../domain/billing/watch.ts';
import { move } from '../domain/states/machine.ts';
import { ORDER, type OrderStatus } from '../domain/states/order.ts';
import { PAYMENT, type PaymentStatus } from '../domain/states/payment.ts';
import { type NewEvent, recordEvents } from '../events/record-event.ts';
import type {
  DeclinedCharge,
  StandingOutcome,
  SucceededCharge,
} from '../providers/payment/payment-provider.ts';
import { updateSessionError } from '../resources/checkouts/checkouts.queries.ts';
import { closeRedemption } from '../resources/checkouts/holds.queries.ts';
import { deleteDueWork, insertDueWork } from '../resources/due-work/due-work.queries.ts';
import { type LockedSale, lockSale } from '../resources/orders/locked-sale.queries.ts';
import { updateOrder } from '../resources/orders/orders.queries.ts';
import { updateCharge, updatePayment } from '../resources/payments/payments.queries.ts';
import { insertPaymentMethod, updateBillingDetails } from '../resources/users/users.queries.ts';
import { activateSubscription } from './activate-subscription.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { takeInvoiceNumber } from './issue-invoice.ts';
import { loadSale, type Sale, toEventData } from './load-sale.ts';

interface Settling<Outcome> {
  tx: Tx;
  sale: LockedSale;
  outcome: Outcome;
}

/** Applies what the processor said of a charge; one that is settled already stays as it is. */
export async function settlePayment(
  ctx: Context,
  scope: Scope,
  {
    tx,
    paymentId,
    chargeId,
    outcome,
  }: { tx: Tx; paymentId: string; chargeId: string; outcome: StandingOutcome },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale, 'a charge that was sent to the processor has its payment');
  if (sale.chargeStatus !== 'pending') return readSale(ctx, scope, { tx, sale });
  switch (outcome.kind) {
    case 'succeeded':
      return settlePaid(ctx, scope, { tx, sale, outcome });
    case 'declined':
      return settleFailed(ctx, scope, { tx, sale, outcome });
    case 'needs_action':
    case 'pending':
    case 'unknown':
      return keepWaiting(ctx, scope, { tx, sale, outcome });
  }
}

/** A payment of nothing needs no processor: free claims, and orders that a discount brought to 0. */
export async function settleWithoutCharge(
  ctx: Context,
  scope: Scope,
  { tx, paymentId }: { tx: Tx; paymentId: string },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  assert(sale && sale.paymentValue === 0n, 'only a payment of 0 is settled without a charge');
  return settlePaid(ctx, scope, { tx, sale, outcome: null });
}

function readSale(ctx: Context, scope: Scope, { tx, sale }: { tx: Tx; sale: LockedSale }): Promise<Sale> {
  const { orderId, paymentId } = sale;
  return loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
}

async function settlePaid(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | null>,
): Promise<Sale> {
  const { nowMs } = ctx;
  const fee = outcome?.feeMinor ?? 0n;
  if (outcome) await closeCharge(ctx, scope, { tx, sale, outcome });
  await updateOrder(tx, scope, {
    id: sale.orderId,
    status: move(ORDER, sale.orderStatus as OrderStatus, 'PAID'),
    fee,
    paidAt: nowMs,
    holds: 'used',
    holdsUntil: null,
    expiresAt: null,
    version: sale.orderVersion + 1,
    ...(outcome?.cardCountry ? { locationEvidence: toJson(withCardCountry(sale, outcome.cardCountry)) } : {}),
  });
  await fulfilOrder(ctx, scope, { tx, orderId: sale.orderId, isHeld: sale.holds === 'held' });
  if (sale.discountId) await closeRedemption(tx, scope, { orderId: sale.orderId, outcome: 'used' });
  await keepBuyer(tx, scope, sale);
  const methodId = outcome ? await keepMethod(ctx, scope, { tx, sale, outcome }) : null;
  if (sale.subscriptionId) await activateSubscription(ctx, scope, { tx, id: sale.subscriptionId, methodId });
  if (sale.sessionId) await updateSessionError(tx, scope, { id: sale.sessionId, error: null });
  await deleteDueWork(tx, scope, 'watch_order', sale.orderId);
  await updatePayment(tx, scope, {
    id: sale.paymentId,
    status: move(PAYMENT, sale.paymentStatus as PaymentStatus, 'PAID'),
    fee,
    paidAt: nowMs,
    version: sale.paymentVersion + 1,
    // The series' row is the last lock before commit: everyone in the workspace waits for it.
    ...(sale.paymentValue > 0n ? { invoiceNumber: await takeInvoiceNumber(ctx, scope, tx) } : {}),
  });
  const paid = await readSale(ctx, scope, { tx, sale });
  await recordEvents(tx, scope, ctx.ids, toPaidEvents(ctx, sale, paid));
  return paid;
}

/** The attempt's own row: succeeded with its fee, or failed with the reason. */
async function closeCharge(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | DeclinedCharge>,
): Promise<void> {
  assert(sale.chargeId, 'an outcome belongs to a charge');
  const result =
    outcome.kind === 'succeeded'
      ? { status: 'succeeded' as const, fee: outcome.feeMinor }
      : {
          status: 'failed' as const,
          decline: outcome.decline,
          declineReason: outcome.reason,
          declineMessage: outcome.message,
        };
  await updateCharge(tx, scope, {
    id: sale.chargeId,
    ...result,
    processorId: outcome.processorId,
    paymentMethod: toJson(outcome.method),
    actionPath: null,
    settledAt: ctx.nowMs,
  });
}

async function settleFailed(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<DeclinedCharge>,
): Promise<Sale> {
  await closeCharge(ctx, scope, { tx, sale, outcome });
  await updateOrder(tx, scope, {
    id: sale.orderId,
    status: move(ORDER, sale.orderStatus as OrderStatus, 'FAILED'),
    version: sale.orderVersion + 1,
  });
  await updatePayment(tx, scope, {
    id: sale.paymentId,
    status: move(PAYMENT, sale.paymentStatus as PaymentStatus, 'FAILED'),
    version: sale.paymentVersion + 1,
  });
  if (sale.sessionId) {
    const error = { code: outcome.reason, message: outcome.message };
    await updateSessionError(tx, scope, { id: sale.sessionId, error });
  }
  await watchAgain(tx, scope, sale.orderId, computeNextWatchMs(sale));
  const failed = await readSale(ctx, scope, { tx, sale });
  const data = toEventData(failed);
  await recordEvents(tx, scope, ctx.ids, [toPaymentEvent(ctx, sale, { type: 'payment_failed', data })]);
  return failed;
}

/** The charge stays pending: the buyer must authenticate, or the processor has not decided. */
async function keepWaiting(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<Exclude<StandingOutcome, SucceededCharge | DeclinedCharge>>,
): Promise<Sale> {
  const isAuthenticating = outcome.kind === 'needs_action';
  const lookCount = sale.lookCount ?? 0;
  assert(sale.chargeId, 'an outcome belongs to a charge');
  await updateCharge(tx, scope, {
    id: sale.chargeId,
    lookCount: lookCount + 1,
    actionPath: isAuthenticating ? outcome.actionPath : null,
    ...(outcome.kind === 'unknown'
      ? {}
      : { processorId: outcome.processorId, paymentMethod: toJson(outcome.method) }),
  });
  if (sale.sessionId) await updateSessionError(tx, scope, { id: sale.sessionId, error: null });
  const nextMs = isAuthenticating
    ? sale.expiresAt
    : computeNextLookMs(ctx.nowMs, lookCount, outcome.lookAgainAtMs);
  await watchAgain(tx, scope, sale.orderId, nextMs);
  return readSale(ctx, scope, { tx, sale });
}

async function watchAgain(tx: Tx, scope: Scope, orderId: string, dueMs: number | null): Promise<void> {
  if (dueMs === null) await deleteDueWork(tx, scope, 'watch_order', orderId);
  else await insertDueWork(tx, scope, [{ kind: 'watch_order', refId: orderId, dueMs }]);
}

/** What was paid with is what the buyer's next purchase and renewals are taxed and billed by. */
async function keepBuyer(tx: Tx, scope: Scope, sale: LockedSale): Promise<void> {
  const { userId, billingDetails, userBillingDetails } = sale;
  if (Object.keys(billingDetails).length === 0) return;
  const merged = { ...userBillingDetails, ...billingDetails };
  if (JSON.stringify(merged) === JSON.stringify(userBillingDetails)) return;
  await updateBillingDetails(tx, scope, { id: userId, billingDetails: merged });
}

/** Only a subscription charges again; a one-time buyer's method is not kept without being asked for. */
async function keepMethod(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<string | null> {
  if (!sale.subscriptionId || outcome.storedReference === null || sale.processor === null) return null;
  return insertPaymentMethod(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    userId: sale.userId,
    processor: sale.processor,
    reference: outcome.storedReference,
    details: outcome.method,
    createdAt: ctx.nowMs,
  });
}

function withCardCountry(sale: LockedSale, country: string): unknown[] {
  // Written by the submit as a list of pieces of evidence.
  return [...(sale.locationEvidence as unknown[]), { kind: 'card', country }];
}

/** Of a first purchase: the subscription's change first, then the payment. */
function toPaidEvents(ctx: Context, sale: LockedSale, paid: Sale): NewEvent[] {
  const data = toEventData(paid);
  const success = toPaymentEvent(ctx, sale, { type: 'payment_success', data });
  if (!sale.subscriptionId) return [success];
  const updated: NewEvent = {
    ...success,
    type: 'subscription_updated',
    entityId: sale.subscriptionId,
    entityVersion: 1,
  };
  return [updated, success];
}

function toPaymentEvent(
  ctx: Context,
  sale: LockedSale,
  { type, data }: { type: NewEvent['type']; data: Record<string, unknown> },
): NewEvent {
  return {
    type,
    entityId: sale.paymentId,
    entityVersion: sale.paymentVersion + 1,
    orderId: sale.orderId,
    paymentId: sale.paymentId,
    subscriptionId: sale.subscriptionId,
    createdAtMs: ctx.nowMs,
    data,
  };
}

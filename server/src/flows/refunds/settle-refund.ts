/**
 * What a refund's outcome does: payment, order and entitlements move with it, in the caller's transaction. The
 * order follows its initial payment alone.
 */
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { computeRefundLimit } from '../../domain/payments/refund.ts';
import { computeNextLookMs } from '../../domain/payments/watch.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { ORDER, type OrderStatus } from '../../domain/states/order.ts';
import { isInitialPayment, PAYMENT, type PaymentStatus } from '../../domain/states/payment.ts';
import type { RefundOutcome } from '../../providers/payment/payment-provider.ts';
import { releaseUsedRedemption } from '../../resources/checkouts/holds.queries.ts';
import { findDispute } from '../../resources/disputes/disputes.queries.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findOrder, updateOrder } from '../../resources/orders/orders.queries.ts';
import { type Order, toOrder } from '../../resources/orders/orders.schema.ts';
import { findPayment, lockPayment, updatePayment } from '../../resources/payments/payments.queries.ts';
import { type Payment, toPayment } from '../../resources/payments/payments.schema.ts';
import { findRefund, lockRefund, updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { type Refund, toRefund } from '../../resources/refunds/refunds.schema.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { issueCreditNote } from '../accounting/issue-credit-note.ts';
import { postDisputeLost, postRefund } from '../accounting/post-to-ledger.ts';
import { revokeEntitlements } from '../fulfilment/revoke-entitlements.ts';
import { recordEvents } from '../outbox/record-event.ts';
import { toPaymentEvent } from '../payments/record-paid.ts';
import { restoreCredits } from '../subscription-lifecycle/lower-credits.ts';

export interface RefundView {
  refund: Static<typeof Refund>;
  order: Static<typeof Order>;
  payment: Static<typeof Payment>;
}

interface Settling {
  tx: Tx;
  sale: LockedSale;
  refund: Row<'refunds'>;
}

/** Applies what the processor said of a refund; one that is settled already stays as it is. */
export async function settleRefund(
  ctx: Context,
  scope: Scope,
  { tx, refundId, outcome }: { tx: Tx; refundId: string; outcome: RefundOutcome },
): Promise<RefundView> {
  const written = await findRefund(tx, scope, refundId);
  assert(written, 'a refund is settled after it was written');
  // The order and payment first: everyone who locks a refund holds them.
  const sale = await lockSale(tx, scope, { paymentId: written.paymentId, chargeId: written.chargeId });
  assert(sale, 'a refund has its payment');
  const refund = await lockRefund(tx, scope, refundId);
  if (refund.status === 'pending') {
    switch (outcome.kind) {
      case 'succeeded':
        await settleSucceeded(ctx, scope, { tx, sale, refund, processorId: outcome.processorId });
        break;
      case 'failed':
        await settleFailed(ctx, scope, { tx, sale, refund, reason: outcome.reason });
        break;
      case 'pending':
      case 'unknown':
        await keepWaiting(ctx, scope, { tx, refund, lookAgainAtMs: outcome.lookAgainAtMs });
        break;
    }
  }
  return loadRefund(tx, scope, { refundId, publicUrl: ctx.config.publicUrl });
}

/** The refund with its order and payment, as the API shows them. */
export async function loadRefund(
  db: Db,
  scope: Scope,
  { refundId, publicUrl }: { refundId: string; publicUrl: string },
): Promise<RefundView> {
  const refund = await findRefund(db, scope, refundId);
  assert(refund, 'a refund is shown after it was written');
  const order = await findOrder(db, scope, refund.orderId);
  const payment = await findPayment(db, scope, refund.paymentId);
  assert(order && payment, 'a refund has its order and payment');
  return {
    refund: toRefund(refund, toCreditNoteUrl(refund, publicUrl)),
    order: toOrder(order),
    payment: toPayment(payment, publicUrl),
  };
}

function toCreditNoteUrl(
  { creditNoteToken }: { creditNoteToken: string | null },
  publicUrl: string,
): string | null {
  return creditNoteToken === null ? null : toDocumentUrl(publicUrl, creditNoteToken);
}

async function closeRefund(
  ctx: Context,
  scope: Scope,
  tx: Tx,
  {
    id,
    ...changes
  }: Pick<Row<'refunds'>, 'id' | 'status'> & Partial<Pick<Row<'refunds'>, 'failureReason' | 'processorId'>>,
): Promise<void> {
  await updateRefund(tx, scope, { id, ...changes, settledAt: ctx.nowMs });
  await deleteDueWork(tx, scope, 'send_refund', id);
}

/** The money stays with the merchant: credits that it was to pay back or had lowered wait again. */
async function settleFailed(
  ctx: Context,
  scope: Scope,
  { tx, sale, refund, reason }: Settling & { reason: string },
): Promise<void> {
  await closeRefund(ctx, scope, tx, { id: refund.id, status: 'failed', failureReason: reason });
  const { subscriptionId } = sale;
  const { creditLines } = refund;
  if (subscriptionId) await restoreCredits(ctx, scope, { tx, subscriptionId, creditLines });
}

async function keepWaiting(
  ctx: Context,
  scope: Scope,
  { tx, refund, lookAgainAtMs }: { tx: Tx; refund: Row<'refunds'>; lookAgainAtMs: number | null },
): Promise<void> {
  const { id, lookCount } = refund;
  await updateRefund(tx, scope, { id, lookCount: lookCount + 1 });
  const dueMs = computeNextLookMs(ctx.nowMs, lookCount, lookAgainAtMs);
  await insertDueWork(tx, scope, [{ kind: 'send_refund', refId: id, dueMs }]);
}

async function settleSucceeded(
  ctx: Context,
  scope: Scope,
  { tx, sale, refund, processorId }: Settling & { processorId: string },
): Promise<void> {
  const payment = await lockPayment(tx, scope, sale.paymentId);
  const refundedValue = payment.refundedValue + refund.amount;
  const { chargeCurrency, takenAmount, takenCurrency } = sale;
  const taken = { currency: chargeCurrency ?? payment.currency, takenAmount, takenCurrency };
  const isFull = refundedValue === computeRefundLimit(payment.value, taken);
  const status = isFull ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  const from = payment.status as PaymentStatus;
  await closeRefund(ctx, scope, tx, { id: refund.id, status: 'succeeded', processorId });
  await updatePayment(tx, scope, {
    id: payment.id,
    status: from === status ? status : move(PAYMENT, from, status),
    refundedValue,
    version: payment.version + 1,
  });
  if (isInitialPayment(payment.type)) {
    const orderStatus = sale.orderStatus as OrderStatus;
    await updateOrder(tx, scope, {
      id: sale.orderId,
      // An order that the merchant has corrected may stand where no refund leads on from: it stays there.
      status: canMove(ORDER, orderStatus, status) ? move(ORDER, orderStatus, status) : orderStatus,
      refundedValue,
      version: sale.orderVersion + 1,
    });
    // A credit that was paid back is the rest of a plan that was changed: the purchase stands.
    if (isFull && !refund.paysBack) await releaseUsedRedemption(tx, scope, sale.orderId);
    if (isFull && sale.subscriptionId === null) await revokeEntitlements(tx, scope, sale.orderId);
  }
  await postToLedger(ctx, scope, { tx, sale, refund });
  await recordRefund(ctx, scope, { tx, sale, refund });
}

async function postToLedger(
  ctx: Context,
  scope: Scope,
  { tx, sale: { paymentId, currency }, refund }: Settling,
): Promise<void> {
  const at = ctx.nowMs;
  const dispute = refund.reason === 'dispute' ? await findDispute(tx, scope, refund.chargeId) : null;
  if (dispute) {
    const { chargeId: disputeId, amount: amountMinor, tax: taxMinor } = dispute;
    await postDisputeLost(tx, scope, ctx.ids, { at, paymentId, currency, disputeId, amountMinor, taxMinor });
    return;
  }
  const { id: refundId, processor, amount: amountMinor, tax: taxMinor } = refund;
  await postRefund(tx, scope, ctx.ids, {
    at,
    paymentId,
    currency,
    refundId,
    processor,
    amountMinor,
    taxMinor,
  });
}

/** The credit note's series is the last lock before commit; the event shows its number. */
async function recordRefund(ctx: Context, scope: Scope, { tx, sale, refund }: Settling): Promise<void> {
  const { publicUrl } = ctx.config;
  const { orderId, paymentId } = sale;
  const note = await issueCreditNote(ctx, scope, { tx, refundId: refund.id });
  if (note) await updateRefund(tx, scope, { id: refund.id, creditNoteNumber: note.number });
  const data = toEventData(await loadSale(tx, scope, { orderId, paymentId, publicUrl }));
  const view = await loadRefund(tx, scope, { refundId: refund.id, publicUrl });
  const event = toPaymentEvent(ctx, sale, {
    type: 'payment_refunded',
    data: { ...data, payment: { ...data.payment, refundAmount: view.refund.amount }, refund: view.refund },
  });
  await recordEvents(tx, scope, ctx.ids, [event]);
}

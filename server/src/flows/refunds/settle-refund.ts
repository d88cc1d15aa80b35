/**
 * What a refund's outcome does: payment, order and entitlements move with it, in the caller's transaction. The
 * order follows its initial payment alone.
 */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { askLast } from '../../db/sent-together.ts';
import { assert } from '../../domain/assert.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { computeRefundLimit, UNTRACEABLE } from '../../domain/payments/refund.ts';
import { computeNextLookMs } from '../../domain/payments/watch.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { ORDER } from '../../domain/states/order.ts';
import { isInitialPayment, PAYMENT } from '../../domain/states/payment.ts';
import type { RefundOutcome } from '../../providers/payment/payment-provider.ts';
import { releaseUsedRedemption } from '../../resources/checkouts/holds.queries.ts';
import { closeRefundedWithdrawals } from '../../resources/consumer/withdrawals.queries.ts';
import { findDisputeOfRefund } from '../../resources/disputes/disputes.queries.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findOrder, updateOrder } from '../../resources/orders/orders.queries.ts';
import { type Order, toOrder } from '../../resources/orders/orders.schema.ts';
import { findPayment, updatePayment } from '../../resources/payments/payments.queries.ts';
import { type Payment, toPayment } from '../../resources/payments/payments.schema.ts';
import { findRefund, lockRefund, updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { type Refund, toRefund } from '../../resources/refunds/refunds.schema.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { loadSaleRows, toEventData, toSale } from '../../resources/sales/sale.view.ts';
import { draftCreditNote, issueCreditNote } from '../accounting/issue-credit-note.ts';
import { postDisputeLost, postRefund } from '../accounting/post-to-ledger.ts';
import { revokeEntitlements } from '../fulfilment/revoke-entitlements.ts';
import { atLock } from '../outbox/at-lock.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
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

interface SettlingRefund {
  tx: Tx;
  refundId: string;
  outcome: RefundOutcome;
  /** What it is of, where the caller knows that: it never changes. */
  of?: Pick<Row<'refunds'>, 'paymentId' | 'chargeId'>;
}

/** Applies what the processor said of a refund; one that is settled already stays as it is. */
export async function settleRefund(
  step: Step,
  scope: Scope,
  { tx, refundId, outcome, of }: SettlingRefund,
): Promise<RefundView> {
  const written = of ?? (await findRefund(tx, scope, refundId));
  assert(written, 'a refund is settled after it was written');
  const { paymentId, chargeId } = written;
  // The order and payment first: everyone who locks a refund holds them.
  const [sale, refund] = await Promise.all([
    lockSale(tx, scope, { paymentId, chargeId }),
    lockRefund(tx, scope, refundId),
  ]);
  assert(sale, 'a refund has its payment');
  // What a request begins and ends is of one moment: by that it is told from what a worker ends (invariant 32).
  const isAnswered = refund.createdAt === step.nowMs;
  const ctx = isAnswered ? step : atLock(step);
  if (refund.status === 'pending') {
    switch (outcome.kind) {
      case 'succeeded':
        return settleSucceeded(ctx, scope, { tx, sale, refund, processorId: outcome.processorId });
      case 'failed':
        await settleFailed(ctx, scope, { tx, sale, refund, reason: outcome.reason, isAnswered });
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
  const [order, payment] = await Promise.all([
    findOrder(db, scope, refund.orderId),
    findPayment(db, scope, refund.paymentId),
  ]);
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

/**
 * The money stays with the merchant: credits that it was to pay back or had lowered wait again. `isAnswered`: whether the
 * request that asked for it says so itself.
 */
async function settleFailed(
  ctx: Step,
  scope: Scope,
  { tx, sale, refund, reason, isAnswered }: Settling & { reason: string; isAnswered: boolean },
): Promise<void> {
  const { id } = refund;
  await Promise.all([
    updateRefund(tx, scope, { id, status: 'failed', failureReason: reason, settledAt: ctx.nowMs }),
    deleteDueWork(tx, scope, 'send_refund', id),
  ]);
  if (!isAnswered) await tellOwners(ctx, scope, { tx, sale, refund, reason });
  const { subscriptionId } = sale;
  const { creditLines } = refund;
  if (subscriptionId) await restoreCredits(ctx, scope, { tx, subscriptionId, creditLines });
}

/** Whoever asked for it was told that it waits. Where nobody knows whether the buyer has it, a person looks. */
async function tellOwners(
  ctx: Step,
  scope: Scope,
  { tx, sale, refund, reason }: Settling & { reason: string },
): Promise<void> {
  const { id, amount, currency } = refund;
  const sum = { amountMinor: Number(amount), currency, orderNumber: sale.orderNumber };
  const at = ctx.nowMs;
  await queueOwnerMails(tx, scope, [
    reason === UNTRACEABLE
      ? { kind: 'processor_refund_lost', params: sum, key: `processor_refund_lost:${id}:${at}`, at }
      : {
          kind: 'processor_refund_failed',
          params: { ...sum, reason },
          key: `processor_refund_failed:${id}`,
          at,
        },
  ]);
}

async function keepWaiting(
  ctx: Step,
  scope: Scope,
  { tx, refund, lookAgainAtMs }: { tx: Tx; refund: Row<'refunds'>; lookAgainAtMs: number | null },
): Promise<void> {
  const { id, lookCount } = refund;
  await updateRefund(tx, scope, { id, lookCount: lookCount + 1 });
  const dueMs = computeNextLookMs(ctx.nowMs, lookCount, lookAgainAtMs);
  await insertDueWork(tx, scope, [{ kind: 'send_refund', refId: id, dueMs }]);
}

async function settleSucceeded(
  ctx: Step,
  scope: Scope,
  { tx, sale, refund, processorId }: Settling & { processorId: string },
): Promise<RefundView> {
  const refundedValue = sale.paymentRefundedValue + refund.amount;
  const { chargeCurrency, takenAmount, takenCurrency } = sale;
  const taken = { currency: chargeCurrency ?? sale.currency, takenAmount, takenCurrency };
  const isFull = refundedValue === computeRefundLimit(sale.paymentValue, taken);
  const status = isFull ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  const from = sale.paymentStatus;
  const isInitial = isInitialPayment(sale.paymentType);
  const orderStatus = sale.orderStatus;
  const written = [
    deleteDueWork(tx, scope, 'send_refund', refund.id),
    closeRefundedWithdrawals(tx, scope, refund.id),
    updatePayment(tx, scope, {
      id: sale.paymentId,
      status: from === status ? status : move(PAYMENT, from, status),
      refundedValue,
      version: sale.paymentVersion + 1,
    }),
    isInitial
      ? updateOrder(tx, scope, {
          id: sale.orderId,
          // An order that the merchant has corrected may stand where no refund leads on from: it stays there.
          status: canMove(ORDER, orderStatus, status) ? move(ORDER, orderStatus, status) : orderStatus,
          refundedValue,
          version: sale.orderVersion + 1,
        })
      : null,
    postToLedger(ctx, scope, { tx, sale, refund }),
  ];
  if (isInitial && isFull) {
    await Promise.all(written);
    // A credit that was paid back is the rest of a plan that was changed: the purchase stands.
    if (!refund.paysBack) await releaseUsedRedemption(tx, scope, sale.orderId);
    if (sale.subscriptionId === null) await revokeEntitlements(tx, scope, sale.orderId);
  }
  return recordRefund(ctx, scope, { tx, sale, refund, processorId, written });
}

async function postToLedger(
  ctx: Step,
  scope: Scope,
  { tx, sale: { paymentId, currency }, refund }: Settling,
): Promise<void> {
  const at = ctx.nowMs;
  const dispute = refund.reason === 'dispute' ? await findDisputeOfRefund(tx, scope, refund) : null;
  if (dispute) {
    const { id: disputeId, amount: amountMinor, tax: taxMinor } = dispute;
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

/**
 * The credit note's series is the last lock before commit, behind all that is read; the refund itself and the event show its
 * number. `written`: what is on its way of the refund.
 */
async function recordRefund(
  ctx: Step,
  scope: Scope,
  { tx, sale, refund, processorId, written }: Settling & { processorId: string; written: readonly unknown[] },
): Promise<RefundView> {
  const { publicUrl } = ctx.config;
  const { orderId, paymentId, paymentType, userId } = sale;
  const known = { paymentType, userId };
  const [rows, draft] = await Promise.all([
    loadSaleRows(tx, scope, { orderId, paymentId, publicUrl, known }),
    draftCreditNote(scope, { tx, paymentId }),
    ...written,
  ]);
  const note = draft && (await issueCreditNote(ctx, scope, { tx, refund, draft }));
  const creditNoteNumber = note?.number ?? null;
  const closed = { status: 'succeeded', processorId, settledAt: ctx.nowMs, creditNoteNumber } as const;
  await askLast(tx, () => updateRefund(tx, scope, { id: refund.id, ...closed }));
  const view: RefundView = {
    refund: toRefund({ ...refund, ...closed }, note && toDocumentUrl(publicUrl, note.token)),
    order: toOrder(rows.order),
    payment: toPayment(rows.payment, publicUrl),
  };
  const data = toEventData(toSale(rows));
  const event = toPaymentEvent(ctx, sale, {
    type: 'payment_refunded',
    data: { ...data, payment: { ...data.payment, refundAmount: view.refund.amount }, refund: view.refund },
  });
  await recordEvents(tx, scope, ctx.ids, [event]);
  return view;
}

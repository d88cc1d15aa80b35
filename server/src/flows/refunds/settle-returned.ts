/**
 * A refund that had succeeded came back to us. What it was stands, with its credit note, since the buyer is still owed the
 * money: the ledger says so until somebody has paid it outside, and both are told.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import { lockRefund, updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { postRefundReturned } from '../accounting/post-to-ledger.ts';
import { queueBuyerMails, queueOwnerMails } from '../outbox/queue-mail.ts';

interface Returned {
  tx: Tx;
  refundId: string;
  paymentId: string;
  reason: string | null;
}

/** Once. Answers whether it was news. */
export async function settleReturned(
  ctx: Step,
  scope: Scope,
  { tx, refundId, paymentId, reason }: Returned,
): Promise<boolean> {
  await lockSale(tx, scope, { paymentId, chargeId: null });
  const refund = await lockRefund(tx, scope, refundId);
  if (refund.status !== 'succeeded' || refund.returnedAt !== null) return false;
  const { amount, currency, orderId } = refund;
  const at = ctx.nowMs;
  await updateRefund(tx, scope, { id: refundId, returnedAt: at, returnReason: reason });
  await postRefundReturned(tx, scope, ctx.ids, { at, paymentId, currency, refundId, amountMinor: amount });
  const payment = await findPayment(tx, scope, paymentId);
  const params = { amountMinor: Number(amount), currency, orderNumber: payment?.orderNumber ?? '' };
  const key = `refund_returned:${refundId}`;
  await queueOwnerMails(tx, scope, [{ kind: 'processor_refund_returned', params, key, at }]);
  await queueBuyerMails(tx, scope, [{ kind: 'refund_delayed', params, key, at, orderId, paymentId }]);
  return true;
}

/** A refund that a merchant asks for: of the payment named, or of the order's newest with money left. */
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { notFound, Refusal } from '../../domain/errors.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import { findPaymentToRefund } from '../../resources/refunds/refunds.queries.ts';
import {
  type RefundRequest,
  refuseParts,
  requestRefund,
  sendRefund,
  sendWrittenRefund,
} from './refund-payment.ts';
import type { RefundView } from './settle-refund.ts';

export interface OrderRefund extends Pick<RefundRequest, 'amountMinor' | 'reason' | 'note'> {
  orderId: string;
  paymentId: string | null;
  hooks: {
    /** The idempotency key of the request: the refund it stands for, if an earlier request with it died. */
    claim: { resumeId: string | null; begin: (tx: Tx, refundId: string, made: unknown) => Promise<void> };
    finish: (tx: Tx, view: RefundView) => Promise<void>;
  };
}

/** Throws not_found, also for a payment of another order, and what `planRefund` and `refuseParts` refuse with. */
export async function refundOrder(
  ctx: Context,
  scope: Scope,
  { orderId, paymentId, hooks, ...request }: OrderRefund,
): Promise<RefundView> {
  const { claim, finish } = hooks;
  if (claim.resumeId) return sendWrittenRefund(ctx, scope, claim.resumeId, finish);
  const refund = await inTransaction(ctx.db, async (tx) => {
    const chosenId = await choosePayment(tx, scope, { orderId, paymentId });
    const written = await requestRefund(ctx, scope, { tx, paymentId: chosenId, ...request });
    const { id, amount } = written;
    refuseParts(ctx, written);
    await claim.begin(tx, id, { refund: { object: 'refund', id, amount: Number(amount) } });
    return written;
  });
  return sendRefund(ctx, scope, refund, finish);
}

/** The payment that is meant; throws not_found for one of another order, and paid_elsewhere. */
export async function choosePayment(
  db: Db,
  scope: Scope,
  { orderId, paymentId }: { orderId: string; paymentId: string | null },
): Promise<string> {
  const payment =
    paymentId === null
      ? await findPaymentToRefund(db, scope, orderId)
      : await findPaymentOf(db, scope, { orderId, paymentId });
  assert(payment, 'an order has its payment');
  if (payment.paidElsewhere !== null) throw new Refusal('paid_elsewhere');
  return payment.id;
}

async function findPaymentOf(
  db: Db,
  scope: Scope,
  { orderId, paymentId }: { orderId: string; paymentId: string },
) {
  const payment = await findPayment(db, scope, paymentId);
  if (payment?.orderId !== orderId) throw notFound('payment', paymentId);
  return payment;
}

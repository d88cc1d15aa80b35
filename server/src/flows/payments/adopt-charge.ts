/**
 * A charge that the processor has, and that our rows have lost: its row is written again, with the id of then, and with
 * the object that took the money. Nothing is asked for by it: what the processor says of the object settles it.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { isInitialPayment, PAYMENT, type PaymentStatus } from '../../domain/states/payment.ts';
import type { SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findPendingCharge, insertCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { tellNobody } from '../outbox/told-before.ts';
import { toWatch } from './open-charge.ts';
import { settlePayment } from './settle-payment.ts';

export interface LostCharge {
  chargeId: string;
  /** The kind of the connection. */
  processor: string;
  connectionId: string;
  /** Of the object that took the money. */
  processorId: string;
  offSession: boolean;
}

interface WaitingPayment {
  paymentId: string;
  orderId: string;
  paymentType: string;
  status: PaymentStatus;
  value: bigint;
  currency: string;
}

/** Makes a later payment PENDING where it can be; the look at the charge settles it. Its order must be locked. */
export async function writeLostCharge(
  ctx: Step,
  scope: Scope,
  {
    tx,
    payment,
    lost,
    methodId,
  }: { tx: Tx; payment: WaitingPayment; lost: LostCharge; methodId: string | null },
): Promise<void> {
  const { paymentId, status, value: amount, currency } = payment;
  const { chargeId: id, ...of } = lost;
  // An order moves with its payment, and only where the money is what was asked for.
  const isLater = !isInitialPayment(payment.paymentType);
  if (isLater && status !== 'PENDING' && canMove(PAYMENT, status, 'PENDING'))
    await updatePayment(tx, scope, { id: paymentId, status: move(PAYMENT, status, 'PENDING') });
  await insertCharge(tx, scope, {
    ...of,
    ...{ id, paymentId, amount, currency, status: 'pending', createdAt: ctx.nowMs },
    ipAddress: null,
    paymentMethodId: methodId,
  });
  await insertDueWork(tx, scope, [{ ...toWatch(payment), dueMs: ctx.nowMs }]);
}

/**
 * Of a payment that is there: it is paid by it, as by any money that comes late. False where another charge of it is
 * still open, which is to be settled first.
 */
export async function adoptCharge(
  ctx: Context,
  scope: Scope,
  { paymentId, lost, outcome }: { paymentId: string; lost: LostCharge; outcome: SucceededCharge },
): Promise<boolean> {
  const { chargeId } = lost;
  return inTransaction(ctx.db, async (tx) => {
    if (ctx.isToldBefore) tellNobody(tx);
    const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
    assert(sale, 'a payment has its order');
    if (await findPendingCharge(tx, scope, paymentId)) return false;
    const { orderId, paymentType, paymentStatus: status, paymentValue: value, currency } = sale;
    const payment = { paymentId, orderId, paymentType, status, value, currency };
    await writeLostCharge(ctx, scope, { tx, payment, lost, methodId: null });
    await settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
    return true;
  });
}

/** What a refund would give back, and how much of it is tax: the same decision as the refund, stopped before its first row. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { notFound } from '../../domain/errors.ts';
import { isDisputed } from '../../resources/disputes/disputes.queries.ts';
import { findPayment } from '../../resources/payments/payments.queries.ts';
import { findPaidCharge, sumRefunds } from '../../resources/refunds/refunds.queries.ts';
import { choosePayment } from './refund-order.ts';
import { decideRefund, goesBackByHand, refuseParts } from './refund-payment.ts';

export interface AskedRefund {
  orderId: string;
  paymentId: string | null;
  /** Minor units; null = all that is left. */
  amountMinor: bigint | null;
}

/** Throws not_found, also for a payment of another order, and what `planRefund` and `refuseParts` refuse with. */
export async function previewRefund(
  { db, payments }: Pick<Context, 'db' | 'payments'>,
  scope: Scope,
  { orderId, paymentId, amountMinor }: AskedRefund,
) {
  const chosenId = await choosePayment(db, scope, { orderId, paymentId });
  const [payment, charge, sums, isOpenDispute] = await Promise.all([
    findPayment(db, scope, chosenId),
    findPaidCharge(db, scope, chosenId),
    sumRefunds(db, scope, chosenId),
    isDisputed(db, scope, chosenId),
  ]);
  if (!payment) throw notFound('payment', chosenId);
  const { status, value: valueMinor, tax: taxMinor, currency } = payment;
  const planned = decideRefund(
    { status, valueMinor, taxMinor },
    { charge, sums, isOpenDispute, amountMinor },
  );
  const isByHand = charge !== undefined && goesBackByHand(charge);
  if (charge && !isByHand) {
    refuseParts({ payments }, { processor: charge.processor, amount: planned.amountMinor, currency });
  }
  return { paymentId: chosenId, currency, isByHand, ...planned };
}

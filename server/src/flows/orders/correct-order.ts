/** A merchant puts an order right. The money that was taken stays what it is; what is unpaid is paid as corrected. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { type CorrectedRate, correctLines } from '../../domain/payments/correct-lines.ts';
import { type Correction, type PlannedCorrection, planCorrection } from '../../domain/payments/correction.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { ORDER, type OrderStatus } from '../../domain/states/order.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import type { SucceededCharge } from '../../providers/payment/payment-provider.ts';
import {
  findOrder,
  listOrderItems,
  lockOrder,
  type OrderRow,
  updateOrder,
  updateOrderItem,
} from '../../resources/orders/orders.queries.ts';
import {
  findInitialPayment,
  insertCharge,
  updatePayment,
} from '../../resources/payments/payments.queries.ts';
import { type StoppedCharge, stopCharge } from '../payments/cancel-charge.ts';
import { closePayment, closeStoppedCharge, toStateRefusal } from '../payments/close-payment.ts';
import { settlePayment, settleWithoutCharge } from '../payments/settle-payment.ts';
import { type AskedCharge, endWithoutCharges } from '../payments/stop-subscription-charges.ts';
import { requestRefund } from '../refunds/refund-payment.ts';
import { settleRefund } from '../refunds/settle-refund.ts';
import { applyOrderCancel } from './cancel-order.ts';

export interface OrderCorrection {
  orderId: string;
  correction: Correction;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, orderId: string) => Promise<void>;
  finish: (tx: Tx, order: OrderRow) => Promise<void>;
}

/**
 * Amounts first, then the status. Throws what `planCorrection` refuses with; payment_state and
 * payment_in_progress when a charge under way cannot be stopped; payment_disputed for REFUNDED.
 */
export async function correctOrder(
  ctx: Context,
  scope: Scope,
  { orderId, correction, begin, finish }: OrderCorrection,
): Promise<OrderRow> {
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order) throw new Refusal('not_found');
  const payment = await findInitialPayment(ctx.db, scope, orderId);
  const planned = plan(order, payment, correction);
  const isTouched = planned.isUnpaid && (planned.isAmountChange || planned.action !== 'none');
  const stopped: StoppedCharge = isTouched ? await stopCharge(ctx, scope, payment.id) : { kind: 'none' };
  const endsPaid = planned.action === 'cancel' && !planned.isUnpaid;
  const end = (asked: AskedCharge[]) =>
    inTransaction(ctx.db, async (tx) => {
      await begin(tx, orderId);
      await apply(ctx, scope, { tx, orderId, correction, stopped, asked });
      const corrected = await findOrder(tx, scope, orderId);
      assert(corrected, 'a corrected order exists');
      await finish(tx, corrected);
      return corrected;
    });
  return endWithoutCharges(ctx, scope, { subscriptionId: endsPaid ? order.subscriptionId : null, end });
}

type PlannedOn = Pick<Row<'orders'>, 'status' | 'value' | 'tax' | 'fee' | 'currency' | 'refundedValue'>;

function plan(order: PlannedOn, payment: Row<'payments'>, correction: Correction): PlannedCorrection {
  const { value, tax, fee, currency, refundedValue } = order;
  const status = order.status;
  const paymentStatus = payment.status;
  return planCorrection(
    {
      ...{ status, value, tax, fee, currency, refundedValue },
      paymentStatus,
      paymentValue: payment.value,
      paymentCurrency: payment.currency,
    },
    correction,
  );
}

interface Applying {
  tx: Tx;
  order: Row<'orders'>;
  payment: Row<'payments'>;
  planned: PlannedCorrection;
  correction: Correction;
  stopped: StoppedCharge;
  asked: readonly AskedCharge[];
}

/** Plans again under the lock: what was read before may have moved on. */
async function apply(
  ctx: Step,
  scope: Scope,
  { orderId, ...given }: Pick<Applying, 'tx' | 'correction' | 'stopped' | 'asked'> & { orderId: string },
): Promise<void> {
  const { tx, correction, stopped } = given;
  const order = await lockOrder(tx, scope, orderId);
  assert(order, 'an order is never deleted');
  const payment = await findInitialPayment(tx, scope, orderId);
  if (stopped.kind === 'taken') throw toStateRefusal(payment.status);
  const planned = plan(order, payment, correction);
  const applying = { ...given, order, payment, planned };
  if (planned.isUnpaid && (planned.isAmountChange || planned.action !== 'none')) {
    await closeStoppedCharge(ctx, scope, { tx, paymentId: payment.id, stopped });
  }
  if (planned.isAmountChange) await writeAmounts(ctx, scope, applying);
  await applyStatus(ctx, scope, applying);
}

async function writeAmounts(ctx: Step, scope: Scope, applying: Applying): Promise<void> {
  const { tx, order, payment, planned } = applying;
  const { amounts, isUnpaid } = planned;
  const { id } = order;
  if (!isUnpaid) {
    await updateOrder(tx, scope, { id, ...amounts, correctedAt: ctx.nowMs });
    return;
  }
  // From now on it is paid as it stands. Charges that failed before stay in the currency that they were tried in.
  await updateOrder(tx, scope, { id, ...amounts, correctedAt: ctx.nowMs });
  await updatePayment(tx, scope, { id: payment.id, ...amounts });
  const items = await listOrderItems(tx, scope, id);
  // Written by the pricing, in the API's form.
  const lines = items.map((item) => ({ ...item, taxRates: item.taxRates as CorrectedRate[] }));
  for (const { taxRates, ...change } of correctLines(lines, amounts)) {
    const { currency } = amounts;
    await updateOrderItem(tx, scope, { ...change, currency, taxRates: toJson(taxRates) });
  }
}

async function applyStatus(ctx: Step, scope: Scope, applying: Applying): Promise<void> {
  const { tx, order, payment, planned, correction, stopped, asked } = applying;
  const status = correction.status ?? order.status;
  const { id: orderId } = order;
  switch (planned.action) {
    case 'none':
      return;
    case 'record':
      await recordStatus(ctx, scope, { tx, order }, status);
      return;
    case 'move':
      await moveBoth(scope, applying, status);
      return;
    case 'pay':
      await payManually(ctx, scope, applying);
      return;
    case 'refund':
      await refundManually(ctx, scope, applying);
      return;
    case 'cancel':
      await applyOrderCancel(ctx, scope, { tx, orderId, stopped, asked });
      return;
    case 'expire':
      await closePayment(ctx, scope, { tx, paymentId: payment.id, stopped, to: 'EXPIRED', reason: null });
      return;
  }
}

/** The merchant's word on an order is not bound by the table of states. */
async function recordStatus(
  ctx: Step,
  scope: Scope,
  { tx, order: { id, version } }: Pick<Applying, 'tx' | 'order'>,
  status: OrderStatus,
): Promise<void> {
  await updateOrder(tx, scope, { id, status, correctedAt: ctx.nowMs, version: version + 1 });
}

async function moveBoth(scope: Scope, { tx, order, payment }: Applying, status: OrderStatus): Promise<void> {
  await updateOrder(tx, scope, {
    id: order.id,
    status: move(ORDER, order.status, status),
    version: order.version + 1,
  });
  await updatePayment(tx, scope, {
    id: payment.id,
    status: move(PAYMENT, payment.status, status),
    version: payment.version + 1,
  });
}

/** Received outside: a charge by hand goes the way of every other one, so that all that a payment brings follows. */
async function payManually(ctx: Step, scope: Scope, applying: Applying): Promise<void> {
  const { tx, order, payment, planned, correction } = applying;
  const { id: paymentId } = payment;
  const { value: amount, currency } = planned.amounts;
  if (amount === 0n) {
    if (payment.status !== 'PENDING') await moveBoth(scope, applying, 'PENDING');
    await settleWithoutCharge(ctx, scope, { tx, paymentId });
    return;
  }
  const chargeId = ctx.ids.next(ctx.nowMs);
  await insertCharge(tx, scope, {
    id: chargeId,
    paymentId,
    status: 'pending',
    amount,
    currency,
    processor: 'manual',
    offSession: true,
    ipAddress: null,
    createdAt: ctx.nowMs,
  });
  const outcome: SucceededCharge = {
    kind: 'succeeded',
    processorId: `manual_${order.number}`,
    amountMinor: amount,
    currency,
    feeMinor: correction.fee ?? 0n,
    method: { type: 'manual', brand: null, last4: null, card: null },
    storedReference: null,
    cardCountry: null,
    cardExpiry: null,
  };
  await settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
}

async function refundManually(ctx: Step, scope: Scope, { tx, order, payment }: Applying): Promise<void> {
  if (!canMove(ORDER, order.status, 'REFUNDED')) await recordStatus(ctx, scope, { tx, order }, 'REFUNDED');
  const { id: refundId } = await requestRefund(ctx, scope, {
    tx,
    paymentId: payment.id,
    amountMinor: null,
    reason: 'other',
    note: null,
    isManual: true,
  });
  const outcome = { kind: 'succeeded' as const, processorId: `manual_${refundId}` };
  await settleRefund(ctx, scope, { tx, refundId, outcome });
}

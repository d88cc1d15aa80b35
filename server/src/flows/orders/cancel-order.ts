/** A merchant calls off an order: an unpaid one is not paid any more, a paid one loses what it gave. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { ORDER, type OrderStatus } from '../../domain/states/order.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import { findOrder, lockOrder, type OrderRow, updateOrder } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment } from '../../resources/payments/payments.queries.ts';
import { revokeEntitlements } from '../fulfilment/revoke-entitlements.ts';
import { atLock } from '../outbox/at-lock.ts';
import { type StoppedCharge, stopCharge } from '../payments/cancel-charge.ts';
import { closePayment } from '../payments/close-payment.ts';
import { type AskedCharge, closeAsked, endWithoutCharges } from '../payments/stop-subscription-charges.ts';
import { endSubscription } from '../subscription-lifecycle/end-subscription.ts';

export interface OrderCancel {
  orderId: string;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, orderId: string) => Promise<void>;
  finish: (tx: Tx, order: OrderRow) => Promise<void>;
}

/**
 * Throws order_state when it is REFUNDED, payment_state when it was paid while it was being called off, and
 * payment_in_progress when the processor does not say whether it takes the money. Refunds nothing.
 */
export async function cancelOrder(
  ctx: Context,
  scope: Scope,
  { orderId, begin, finish }: OrderCancel,
): Promise<OrderRow> {
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order) throw new Refusal('not_found');
  checkCancellable(order.status);
  const payment = await findInitialPayment(ctx.db, scope, orderId);
  const stopped = await stopCharge(ctx, scope, payment.id);
  // Before its first payment is settled a subscription has no other.
  const subscriptionId = canMove(PAYMENT, payment.status, 'CANCELLED') ? null : order.subscriptionId;
  const end = (asked: AskedCharge[]) =>
    inTransaction(ctx.db, async (tx) => {
      await begin(tx, orderId);
      await applyOrderCancel(ctx, scope, { tx, orderId, stopped, asked });
      const cancelled = await findOrder(tx, scope, orderId);
      assert(cancelled, 'a cancelled order exists');
      await finish(tx, cancelled);
      return cancelled;
    });
  return endWithoutCharges(ctx, scope, { subscriptionId, end });
}

function checkCancellable(status: OrderStatus): void {
  if (status === 'REFUNDED') throw new Refusal('order_state', { message: 'The order is REFUNDED.' });
}

export interface StoppedOrder {
  tx: Tx;
  orderId: string;
  /** The charge under way of the initial payment. */
  stopped: StoppedCharge;
  /** Those of what its subscription was to pay later. */
  asked: readonly AskedCharge[];
}

/** The cancel itself, for an order whose charges under way were stopped. One that is CANCELLED stays as it is. */
export async function applyOrderCancel(
  step: Step,
  scope: Scope,
  { tx, orderId, stopped, asked }: StoppedOrder,
): Promise<void> {
  const order = await lockOrder(tx, scope, orderId);
  assert(order, 'a locked order exists');
  const ctx = atLock(step);
  checkCancellable(order.status);
  const payment = await findInitialPayment(tx, scope, orderId);
  if (canMove(PAYMENT, payment.status, 'CANCELLED') || stopped.kind !== 'none') {
    const { id: paymentId } = payment;
    await closePayment(ctx, scope, { tx, paymentId, stopped, to: 'CANCELLED', reason: 'order_cancelled' });
  } else if (order.status !== 'CANCELLED') {
    await cancelSettled(ctx, scope, { tx, order, asked });
  }
}

/** It keeps its money: a refund is asked for apart. */
async function cancelSettled(
  ctx: Step,
  scope: Scope,
  { tx, order, asked }: Pick<StoppedOrder, 'tx' | 'asked'> & { order: Row<'orders'> },
): Promise<void> {
  const { id: orderId, subscriptionId } = order;
  const status = order.status;
  await updateOrder(tx, scope, {
    id: orderId,
    // An order that is over otherwise (EXPIRED, or so by a correction) is called off by the merchant's word alone.
    status: canMove(ORDER, status, 'CANCELLED') ? move(ORDER, status, 'CANCELLED') : 'CANCELLED',
    version: order.version + 1,
  });
  await revokeEntitlements(tx, scope, orderId);
  if (subscriptionId === null) return;
  const reason = 'order_cancelled';
  await closeAsked(ctx, scope, { tx, subscriptionId, asked, reason });
  await endSubscription(ctx, scope, { tx, subscriptionId, canceledAt: ctx.nowMs, reason });
}

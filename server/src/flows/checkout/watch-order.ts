/**
 * An unpaid order changes by itself: the processor is asked about a charge whose outcome is not known, holds
 * lapse after 30 minutes, and 24 hours after its session was opened the order expires.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { computeNextWatchMs } from '../../domain/payments/watch.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { lockOrder, updateOrder } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment, findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { releaseHolds } from '../fulfilment/hold-stock.ts';
import { stopCharge } from '../payments/cancel-charge.ts';
import { closePayment } from '../payments/close-payment.ts';
import { reconcileCharge } from '../payments/reconcile-charge.ts';

/** Looks at one order; ends or postpones its row. */
export async function watchOrder(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: orderId } = work;
  const charge = await findPendingChargeOfOrder(ctx.db, scope, orderId);
  if (!charge) return inTransaction(ctx.db, (tx) => advanceOrder(ctx, { tx, work }));
  if (isLapsed(charge, ctx.nowMs)) return lapse(ctx, scope, charge);
  // What is found gives the row its next time, or takes it away, in its own transaction.
  await reconcileCharge(ctx, scope, charge);
  if (charge.hold !== null) await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
}

/** A transfer that has not come is waited for this long after it was due. */
const LAPSES_MS = 7 * 86_400_000;

function isLapsed({ processor, expectedBy }: Row<'charges'>, nowMs: number): boolean {
  return processor === 'manual' && expectedBy !== null && expectedBy + LAPSES_MS <= nowMs;
}

/** Order and payment expire; what has come meanwhile has paid them. */
async function lapse(ctx: Context, scope: Scope, { paymentId }: Row<'charges'>): Promise<void> {
  const stopped = await stopCharge(ctx, scope, paymentId);
  if (stopped.kind === 'taken') return;
  await inTransaction(ctx.db, (tx) =>
    closePayment(ctx, scope, { tx, paymentId, stopped, to: 'EXPIRED', reason: null }),
  );
}

async function advanceOrder(ctx: Step, { tx, work }: { tx: Tx; work: ClaimedWork }): Promise<void> {
  const { scope, refId: orderId } = work;
  const order = await lockOrder(tx, scope, orderId);
  const isOpen = order && ['PENDING', 'FAILED', 'UNPAID'].includes(order.status);
  if (!isOpen) {
    await finishDueWork(tx, work);
    return;
  }
  // Begun since it was looked for: its own row has another fence. Nothing lapses or expires meanwhile.
  if (await findPendingChargeOfOrder(tx, scope, orderId)) return;
  if (order.expiresAt !== null && order.expiresAt <= ctx.nowMs) {
    if (await finishDueWork(tx, work)) await expireOrder(ctx, scope, { tx, order });
    return;
  }
  const isLapsing = order.holds === 'held' && order.holdsUntil !== null && order.holdsUntil <= ctx.nowMs;
  if (isLapsing) {
    await releaseHolds(tx, scope, { orderId, holds: order.holds, withRedemption: false });
    await updateOrder(tx, scope, { id: orderId, holds: 'lapsed' });
  }
  const nextMs = computeNextWatchMs({ ...order, holds: isLapsing ? 'lapsed' : order.holds });
  if (nextMs === null) await finishDueWork(tx, work);
  else await postponeDueWork(tx, work, { dueMs: nextMs });
}

/** Order, payment and incomplete subscription expire together; no charge is under way. */
export async function expireOrder(
  ctx: Step,
  scope: Scope,
  { tx, order }: { tx: Tx; order: Row<'orders'> },
): Promise<void> {
  const { id: paymentId } = await findInitialPayment(tx, scope, order.id);
  const stopped = { kind: 'none' } as const;
  await closePayment(ctx, scope, { tx, paymentId, stopped, to: 'EXPIRED', reason: null });
}

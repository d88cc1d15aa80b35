/** A charge that stays pending: its buyer must authenticate, the processor has not decided, or nobody answered. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { computeBuyerLookMs, computeNextLookMs, computeSilentLookMs } from '../../domain/payments/watch.ts';
import type {
  DeclinedCharge,
  StandingOutcome,
  SucceededCharge,
} from '../../providers/payment/payment-provider.ts';
import { clearSessionError } from '../../resources/checkouts/checkouts.queries.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findCharge, updateCharge } from '../../resources/payments/payments.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import type { Sale } from '../../resources/sales/sale.view.ts';
import { toWatch } from './open-charge.ts';
import { readSale, type Settling } from './record-paid.ts';

/** A later payment waits no longer than this for its buyer's authentication, an order until it expires. */
const BUYER_HAS_MS = 24 * 3_600_000;

/** Until when the buyer of a charge may authenticate it. */
export function computeBuyerEndMs({
  chargeCreatedAt,
  expiresAt,
}: {
  chargeCreatedAt: number;
  /** Of the order that the payment carries; null = the payment carries none that is open. */
  expiresAt: number | null;
}): number {
  return expiresAt ?? chargeCreatedAt + BUYER_HAS_MS;
}

type WaitingOutcome = Exclude<StandingOutcome, SucceededCharge | DeclinedCharge>;

/** Puts down the next look, in the settling transaction. Nothing expires and no hold lapses before it is decided. */
export async function keepWaiting(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<WaitingOutcome>,
): Promise<Sale> {
  const { chargeId, chargeCreatedAt, orderId, paymentId, paymentType } = sale;
  assert(chargeId && chargeCreatedAt !== null, 'an outcome belongs to a charge');
  const isForBuyer = outcome.kind === 'needs_action';
  // Each of the two waits has its own times.
  const lookCount = isForBuyer === (sale.actionPath !== null) ? (sale.lookCount ?? 0) : 0;
  await updateCharge(tx, scope, {
    id: chargeId,
    lookCount: lookCount + 1,
    silentLooks: 0,
    actionPath: isForBuyer ? outcome.actionPath : null,
    ...(outcome.kind === 'unknown'
      ? {}
      : { processorId: outcome.processorId, paymentMethod: toJson(outcome.method) }),
  });
  const watch = toWatch({ orderId, paymentId, paymentType });
  if (watch.kind === 'watch_order' && sale.sessionId) await clearSessionError(tx, scope, sale.sessionId);
  const expiresAt = watch.kind === 'watch_order' ? sale.expiresAt : null;
  const dueMs = isForBuyer
    ? computeBuyerLookMs(ctx.nowMs, lookCount, computeBuyerEndMs({ chargeCreatedAt, expiresAt }))
    : computeNextLookMs(ctx.nowMs, lookCount, outcome.lookAgainAtMs);
  await insertDueWork(tx, scope, [{ ...watch, dueMs }]);
  // What comes of it moves the subscription on, unless the payment has been paid by another charge meanwhile.
  const isPeriod = paymentType === 'subscription_interval' && sale.paymentStatus === 'PENDING';
  if (isPeriod && sale.subscriptionId)
    await deleteDueWork(tx, scope, 'advance_subscription', sale.subscriptionId);
  return readSale(ctx, scope, { tx, sale });
}

/** Nobody answered: what is known of the charge stays, and it is asked for again. */
export async function keepUnanswered(
  ctx: Context,
  scope: Scope,
  { tx, charge: { id: chargeId, paymentId } }: { tx: Tx; charge: Row<'charges'> },
): Promise<void> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale, 'a charge has its payment');
  const charge = await findCharge(tx, scope, chargeId);
  if (charge?.status !== 'pending' || charge.hold !== null) return;
  const { silentLooks } = charge;
  await updateCharge(tx, scope, { id: chargeId, silentLooks: silentLooks + 1 });
  const dueMs = computeSilentLookMs(ctx.nowMs, silentLooks);
  await insertDueWork(tx, scope, [{ ...toWatch(sale), dueMs }]);
}

/**
 * A refund in two steps: the row first, under the payment's lock, so that no number of requests gives back more
 * than was taken; then the processor, whose key is the row's id, so that every try is the same refund.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { computeRefundLimit, isConverted, planRefund } from '../../domain/payments/refund.ts';
import type { PaymentStatus } from '../../domain/states/payment.ts';
import { storeLines } from '../../domain/subscriptions/stored-plan.ts';
import type { RefundOutcome } from '../../providers/payment/payment-provider.ts';
import { isDisputed } from '../../resources/disputes/disputes.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  findPaidCharge,
  findRefund,
  insertRefund,
  listUnsentPayBacks,
  sumRefunds,
  updateRefund,
} from '../../resources/refunds/refunds.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { settleOrLeave } from '../payments/settle-or-leave.ts';
import { lowerCredits } from '../subscription-lifecycle/lower-credits.ts';
import { loadRefund, type RefundView, settleRefund } from './settle-refund.ts';

/** A refund that was written and never sent, because its process died, is taken up after this. */
const FIRST_LOOK_MS = 30_000;
/** Money that the merchant moves outside: no processor is asked, and the merchant says when it has gone back. */
export const MANUAL = 'manual';

export interface RefundRequest {
  tx: Tx;
  paymentId: string;
  /** Minor units; null = all that is left. */
  amountMinor: bigint | null;
  reason: Row<'refunds'>['reason'];
  note: string | null;
  /** True = the money was given back outside. */
  isManual?: boolean;
}

/**
 * Writes the refund as pending, with the work that sends it if nobody else does. Throws not_found, and what
 * `planRefund` refuses with.
 */
export async function requestRefund(
  ctx: Context,
  scope: Scope,
  { tx, paymentId, amountMinor, reason, note, isManual = false }: RefundRequest,
): Promise<{ refundId: string; amountMinor: bigint }> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  if (!sale) throw new Refusal('not_found');
  const charge = await findPaidCharge(tx, scope, paymentId);
  const { paymentValue: valueMinor } = sale;
  const planned = planRefund(
    {
      status: sale.paymentStatus as PaymentStatus,
      valueMinor,
      limitMinor: charge ? computeRefundLimit(valueMinor, charge) : valueMinor,
      taxMinor: sale.paymentTax,
      ...(await sumRefunds(tx, scope, paymentId)),
      isDisputed: await isDisputed(tx, scope, paymentId),
    },
    amountMinor,
  );
  assert(charge, 'money that was taken has its charge');
  // A processor that took another currency gives none of the payment's back: that is done outside.
  const isByHand = isManual || isConverted(charge);
  const refundId = ctx.ids.next(ctx.nowMs);
  await insertRefund(tx, scope, {
    id: refundId,
    orderId: sale.orderId,
    paymentId,
    chargeId: charge.id,
    status: 'pending',
    amount: planned.amountMinor,
    tax: planned.taxMinor,
    currency: sale.currency,
    reason,
    note,
    processor: isByHand ? MANUAL : charge.processor,
    // Never before its charge, which another process, or the time before an advance, may have stamped later.
    createdAt: Math.max(ctx.nowMs, charge.settledAt ?? 0),
  });
  await lower(scope, { tx, refundId, sale });
  if (!isByHand) {
    const dueMs = ctx.nowMs + FIRST_LOOK_MS;
    await insertDueWork(tx, scope, [{ kind: 'send_refund', refId: refundId, dueMs }]);
  }
  return { refundId, amountMinor: planned.amountMinor };
}

/** What of its period waits as a credit is not given back by both. */
async function lower(
  scope: Scope,
  { tx, refundId, sale }: { tx: Tx; refundId: string; sale: Pick<LockedSale, 'subscriptionId'> },
): Promise<void> {
  const { subscriptionId } = sale;
  if (subscriptionId === null) return;
  const lowered = await lowerCredits(scope, { tx, subscriptionId });
  if (lowered.length === 0) return;
  await updateRefund(tx, scope, { id: refundId, creditLines: toJson(storeLines(lowered)) });
}

/**
 * Asks the processor and settles what it says; one that is given back by hand stays pending. `finish` runs in the
 * settling transaction.
 */
export async function sendRefund(
  ctx: Context,
  scope: Scope,
  refundId: string,
  finish?: (tx: Tx, view: RefundView) => Promise<void>,
): Promise<RefundView> {
  const refund = await findRefund(ctx.db, scope, refundId);
  assert(refund, 'a refund is sent after it was written');
  const outcome = await askProcessor(ctx, scope, refund);
  return settleOrLeave(ctx, scope, {
    settle: async (tx) => {
      const view = outcome
        ? await settleRefund(ctx, scope, { tx, refundId, outcome })
        : await loadRefund(tx, scope, { refundId, publicUrl: ctx.config.publicUrl });
      await finish?.(tx, view);
      return view;
    },
    look: { kind: 'send_refund', refId: refundId },
    read: (db) => loadRefund(db, scope, { refundId, publicUrl: ctx.config.publicUrl }),
  });
}

/** Sends the refunds by which a change that holds now pays credits of its order back. */
export async function sendPayBacks(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  for (const refundId of await listUnsentPayBacks(ctx.db, scope, orderId)) {
    await sendRefund(ctx, scope, refundId);
  }
}

/** Takes up a refund whose process died, or whose outcome is not known yet. */
export async function sendRefundAgain(ctx: Context, { scope, refId }: ClaimedWork): Promise<void> {
  await sendRefund(ctx, scope, refId);
}

/** Null where there is nothing to ask, or nothing any more: the refund stays as it is. */
async function askProcessor(
  ctx: Context,
  scope: Scope,
  refund: Row<'refunds'>,
): Promise<RefundOutcome | null> {
  const { id: refundId, chargeId, amount: amountMinor, processor } = refund;
  if (processor === MANUAL || refund.status !== 'pending') return null;
  const provider = ctx.payments.providerNamed(processor);
  assert(provider, 'a refund names a processor that is set up');
  return provider.refund({ scope, chargeId, refundId, amountMinor, nowMs: ctx.nowMs });
}

/** The merchant says that money which no processor gives back, or that came back from there, has gone back outside. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { findRefund, type RefundRow, updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { postReturnSettled } from '../accounting/post-to-ledger.ts';
import { MANUAL } from './refund-payment.ts';
import { loadRefund, type RefundView, settleRefund } from './settle-refund.ts';

/** Throws not_found, and refund_state for one that a processor gives back or that is settled. */
export async function settleByHand(
  ctx: Step,
  scope: Scope,
  { tx, refundId, reference }: { tx: Tx; refundId: string; reference: string },
): Promise<RefundView> {
  const written = await findRefund(tx, scope, refundId);
  if (!written) throw new Refusal('not_found');
  // Of two who say so at once the second finds it settled.
  await lockSale(tx, scope, { paymentId: written.paymentId, chargeId: null });
  const refund = await findRefund(tx, scope, refundId);
  if (refund?.status === 'succeeded' && refund.returnedAt !== null && refund.returnSettledAt === null)
    return settleReturn(ctx, scope, { tx, refund, reference });
  if (refund?.status !== 'pending' || refund.processor !== MANUAL) throw new Refusal('refund_state');
  return settleRefund(ctx, scope, { tx, refundId, outcome: { kind: 'succeeded', processorId: reference } });
}

/** What came back was paid outside: nobody is owed it any more. */
async function settleReturn(
  ctx: Step,
  scope: Scope,
  { tx, refund, reference }: { tx: Tx; refund: RefundRow; reference: string },
): Promise<RefundView> {
  const { id: refundId, paymentId, currency, amount: amountMinor } = refund;
  const at = ctx.nowMs;
  await updateRefund(tx, scope, { id: refundId, returnSettledAt: at, returnReference: reference });
  const posted = { at, paymentId, currency, refundId, amountMinor, isThere: false };
  await postReturnSettled(tx, scope, ctx.ids, posted);
  return loadRefund(tx, scope, { refundId, publicUrl: ctx.config.publicUrl });
}

/**
 * What had come back is given back once more, in the processor's dashboard: nobody is owed it any more, and no second refund
 * came about. It is no refund of its own, since all that is left of the charge has been given back here already.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { BookedRefund } from '../../providers/payment/books.ts';
import { updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { findReturnOwed } from '../../resources/refunds/returned-refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { postReturnSettled } from '../accounting/post-to-ledger.ts';

/** Answers whether it fits one that came back, of the same sum. */
export async function settleReturnThere(
  ctx: Step,
  scope: Scope,
  { tx, charge, theirs }: { tx: Tx; charge: Row<'charges'>; theirs: BookedRefund },
): Promise<boolean> {
  const { id: chargeId, paymentId, currency } = charge;
  await lockSale(tx, scope, { paymentId, chargeId: null });
  const owed = await findReturnOwed(tx, scope, { paymentId, chargeId, amount: theirs.amountMinor });
  if (!owed) return false;
  const { id: refundId, amount: amountMinor } = owed;
  const at = ctx.nowMs;
  await updateRefund(tx, scope, {
    ...{ id: refundId, returnSettledAt: at, returnReference: theirs.processorId, returnSettledThere: true },
  });
  const posted = { at, paymentId, currency, refundId, amountMinor, isThere: true };
  await postReturnSettled(tx, scope, ctx.ids, posted);
  return true;
}

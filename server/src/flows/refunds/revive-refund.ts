/**
 * A refund that was held for failed, since nobody could say what had become of it or its processor had refused it, shows up
 * there: it was made after all. It settles as any other, as far as nothing else has given that money back meanwhile.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import {
  findPaidCharge,
  lockRefund,
  sumRefunds,
  updateRefund,
} from '../../resources/refunds/refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { decideRefund, lower } from './refund-payment.ts';
import { settleRefund } from './settle-refund.ts';

interface Reviving {
  tx: Tx;
  refundId: string;
  paymentId: string;
  /** Its name there. */
  processorId: string;
}

/** Once. Answers whether it was news. Throws what `planRefund` refuses with. */
export async function reviveRefund(
  ctx: Step,
  scope: Scope,
  { tx, refundId, paymentId, processorId }: Reviving,
): Promise<boolean> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  assert(sale, 'a refund has its payment');
  const refund = await lockRefund(tx, scope, refundId);
  if (refund.status !== 'failed') return false;
  const { paymentStatus: status, paymentValue: valueMinor, paymentTax } = sale;
  const { taxMinor: tax } = decideRefund(
    { status, valueMinor, taxMinor: paymentTax },
    {
      charge: await findPaidCharge(tx, scope, paymentId),
      sums: await sumRefunds(tx, scope, paymentId),
      // The money has gone already, whoever disputes it.
      isOpenDispute: false,
      amountMinor: refund.amount,
    },
  );
  await updateRefund(tx, scope, {
    id: refundId,
    status: 'pending',
    tax,
    failureReason: null,
    settledAt: null,
  });
  await lower(scope, { tx, refundId, sale });
  const outcome = { kind: 'succeeded' as const, processorId };
  await settleRefund(ctx, scope, { tx, refundId, outcome });
  return true;
}

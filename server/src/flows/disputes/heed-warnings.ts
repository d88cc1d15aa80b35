/**
 * The issuer of a card fears that a charge is a fraud: nothing is taken yet, and what is given back now is disputed no
 * more. The owners are told, and the store's setting decides whether it is given back at once.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { computeRefundLimit } from '../../domain/payments/refund.ts';
import { toSettings } from '../../domain/settings.ts';
import type { FraudWarning } from '../../providers/payment/payment-provider.ts';
import { isDisputed } from '../../resources/disputes/disputes.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findCharge, lockPayment, updateCharge } from '../../resources/payments/payments.queries.ts';
import { sumRefunds } from '../../resources/refunds/refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { MANUAL, requestRefund } from '../refunds/refund-payment.ts';

/** Once a charge: later warnings of it say nothing new. */
export async function heedWarnings(
  ctx: Step,
  scope: Scope,
  { tx, charge, warnings }: { tx: Tx; charge: Row<'charges'>; warnings: readonly FraudWarning[] },
): Promise<void> {
  if (warnings.length === 0 || charge.warnedAt !== null) return;
  const { id: chargeId, paymentId, currency } = charge;
  await lockSale(tx, scope, { paymentId, chargeId });
  const locked = await findCharge(tx, scope, chargeId);
  assert(locked, 'a charge that is locked is there');
  if (locked.warnedAt !== null) return;
  const at = ctx.nowMs;
  await updateCharge(tx, scope, { id: chargeId, warnedAt: at });
  const { earlyFraudWarning } = toSettings((await getStore(tx, scope)).settings);
  const isRefunded =
    earlyFraudWarning === 'refund' &&
    warnings.some(({ isActionable }) => isActionable) &&
    (await giveBack(ctx, scope, { tx, charge: locked }));
  const payment = await lockPayment(tx, scope, paymentId);
  const params = {
    amountMinor: Number(payment.value),
    currency,
    orderNumber: payment.orderNumber,
    isRefunded,
  };
  const key = `early_fraud_warning:${chargeId}`;
  await queueOwnerMails(tx, scope, [{ kind: 'early_fraud_warning', params, key, at }]);
}

/** All that is left; false where nothing is, or a dispute has it. */
async function giveBack(
  ctx: Step,
  scope: Scope,
  { tx, charge }: { tx: Tx; charge: Row<'charges'> },
): Promise<boolean> {
  const { paymentId } = charge;
  if (charge.reversedAt !== null || (await isDisputed(tx, scope, paymentId))) return false;
  const { value } = await lockPayment(tx, scope, paymentId);
  const { takenMinor } = await sumRefunds(tx, scope, paymentId);
  if (computeRefundLimit(value, charge) <= takenMinor) return false;
  const refund = await requestRefund(ctx, scope, {
    ...{ tx, paymentId, amountMinor: null, reason: 'fraudulent', note: null },
  });
  if (refund.processor !== MANUAL)
    await insertDueWork(tx, scope, [{ kind: 'send_refund', refId: refund.id, dueMs: ctx.nowMs }]);
  return true;
}

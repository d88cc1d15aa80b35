/**
 * Money that came for a payment that is closed, or paid already: it is noted with its way back in one
 * transaction, and sent back by a job. Nobody bought anything, so there is no invoice and no event.
 */
import type { Context, Step } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { computeNextLookMs } from '../../domain/payments/watch.ts';
import type { SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { finishDueWork, insertDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findCharge, updateCharge } from '../../resources/payments/payments.queries.ts';
import { postReversal } from '../accounting/post-to-ledger.ts';
import { providerOf } from './provider-of.ts';
import { closeCharge, type Settling } from './record-paid.ts';

/** Marks the charge as taken and reversed, with both ledger entries; the money itself goes back at once after. */
export async function reverseCharge(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<void> {
  const { chargeId } = sale;
  assert(chargeId, 'money comes by a charge');
  await closeCharge(ctx, scope, { tx, sale, outcome });
  await giveBack(ctx, scope, { tx, sale, outcome });
}

/** Of a charge that is closed: its mark, both ledger entries, and the work that sends what was taken. */
export async function giveBack(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<void> {
  const { chargeId, chargeAmount, chargeCurrency, processor, paymentId } = sale;
  assert(chargeId && processor, 'money comes by a charge');
  const { amountMinor, currency } = outcome;
  const feeMinor = outcome.feeMinor ?? 0n;
  const isOther = amountMinor !== chargeAmount || currency !== chargeCurrency;
  await updateCharge(tx, scope, {
    id: chargeId,
    fee: feeMinor,
    reversedAt: ctx.nowMs,
    ...(isOther ? { takenAmount: amountMinor, takenCurrency: currency } : {}),
  });
  await postReversal(tx, scope, ctx.ids, {
    at: ctx.nowMs,
    paymentId,
    chargeId,
    processor,
    currency,
    amountMinor,
    feeMinor,
  });
  await insertDueWork(tx, scope, [{ kind: 'send_reversal', refId: chargeId, dueMs: ctx.nowMs }]);
}

/**
 * Sends the money of one reversed charge back, until the processor says that it has. The charge's own id is the
 * key, so that the same call again is the same refund.
 */
export async function sendReversal(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: chargeId } = work;
  const charge = await findCharge(ctx.db, scope, chargeId);
  assert(charge?.reversedAt, 'only a reversed charge is sent back');
  const provider = await providerOf(ctx, scope, charge);
  assert(provider, 'a charge names a processor that is set up');
  const amountMinor = charge.takenAmount ?? charge.amount;
  const outcome = await provider.refund({
    scope,
    chargeId,
    processorId: charge.processorId,
    refundId: chargeId,
    amountMinor,
    currency: charge.takenCurrency ?? charge.currency,
    nowMs: ctx.nowMs,
  });
  if (outcome.kind === 'succeeded') {
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
    return;
  }
  // The ledger says that it went back: a processor that refuses is tried daily, in the operator's sight.
  if (outcome.kind === 'failed') throw new Error(`the money of charge ${chargeId} did not go back`);
  const dueMs = computeNextLookMs(ctx.nowMs, charge.lookCount, outcome.lookAgainAtMs);
  await inTransaction(ctx.db, async (tx) => {
    await updateCharge(tx, scope, { id: chargeId, lookCount: charge.lookCount + 1 });
    await postponeDueWork(tx, work, { dueMs });
  });
}

/**
 * What a processor says was given back of a charge of ours. Which refund is which is told by the id that we gave along, and
 * never by the amount: what has none was made there, and is imported as it is.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { BookedRefund } from '../../providers/payment/books.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findCharge } from '../../resources/payments/payments.queries.ts';
import { findBookedRefund } from '../../resources/processors/processor-books.queries.ts';
import { updateRefund } from '../../resources/refunds/refunds.queries.ts';
import { findReturnSettledThere } from '../../resources/refunds/returned-refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { toSilentLook } from '../payments/behind-advance.ts';
import { providerOf } from '../payments/provider-of.ts';
import { goesBackByHand, requestRefund, sendWrittenRefund } from './refund-payment.ts';
import { reviveRefund } from './revive-refund.ts';
import { settleRefund } from './settle-refund.ts';
import { settleReturnThere } from './settle-return-there.ts';
import { settleReturned } from './settle-returned.ts';

type Charge = Row<'charges'>;

/** `refused`: it does not fit what is left here; while one of ours is under way it may fit later. */
export type Followed = 'none' | 'repaired' | 'imported' | 'refused';

/** One look at all refunds of a charge. */
export async function followRefunds(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: chargeId } = work;
  const charge = await findCharge(ctx.db, scope, chargeId);
  assert(charge, 'refunds are of a charge of ours');
  const provider = await providerOf(ctx, scope, charge);
  const { processorId } = charge;
  const booked = await provider?.listRefundsOf?.({ scope, chargeId, processorId, nowMs: ctx.nowMs });
  let isRefused = false;
  for (const theirs of booked ?? []) {
    if ((await followRefund(ctx, scope, { charge, theirs })) === 'refused') isRefused = true;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (booked !== null && !isRefused) return void (await finishDueWork(tx, work));
    await postponeDueWork(tx, work, {
      dueMs: await toSilentLook(ctx, scope, {
        db: tx,
        processor: charge.processor,
        silentLooks: work.failures,
      }),
      failures: work.failures + 1,
      lastError: isRefused ? 'it does not fit what is left to give back' : 'the processor gave no answer',
    });
  });
}

export async function followRefund(
  ctx: Context,
  scope: Scope,
  { charge, theirs }: { charge: Charge; theirs: BookedRefund },
): Promise<Followed> {
  const { id: chargeId, connectionId, paymentId, status, reversedAt } = charge;
  // Money that came for a closed payment goes back by itself, under the charge's own id.
  if (connectionId === null || status !== 'succeeded' || reversedAt !== null) return 'none';
  const { processorId, reason } = theirs;
  // What is given back there by hand may bear the name of its charge.
  const ownId = theirs.ownId === chargeId ? null : theirs.ownId;
  const refund = await findBookedRefund(ctx.db, scope, { connectionId, processorId, ownId });
  if (!refund) return followForeign(ctx, scope, { charge, theirs });
  if (refund.status === 'pending' && theirs.status !== 'pending') {
    const { refund: after } = await sendWrittenRefund(ctx, scope, refund.id);
    return after.status === 'pending' ? 'none' : 'repaired';
  }
  if (refund.status === 'failed' && theirs.status === 'succeeded')
    return bringBack(ctx, scope, { refundId: refund.id, paymentId, processorId });
  if (refund.status !== 'succeeded' || theirs.status !== 'failed' || refund.returnedAt !== null)
    return 'none';
  const returned = { refundId: refund.id, paymentId, reason };
  const isNews = await inTransaction(ctx.db, (tx) => settleReturned(ctx, scope, { tx, ...returned }));
  return isNews ? 'repaired' : 'none';
}

async function bringBack(
  ctx: Context,
  scope: Scope,
  reviving: { refundId: string; paymentId: string; processorId: string },
): Promise<Followed> {
  try {
    const isNews = await inTransaction(ctx.db, (tx) => reviveRefund(ctx, scope, { tx, ...reviving }));
    return isNews ? 'repaired' : 'none';
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

interface Importing {
  charge: Charge;
  theirs: BookedRefund;
}

/** None of ours bears its name: it was made there, or has settled what had come back of ours. */
async function followForeign(ctx: Context, scope: Scope, following: Importing): Promise<Followed> {
  const { charge, theirs } = following;
  const settling = { paymentId: charge.paymentId, processorId: theirs.processorId };
  const isSettled = (await findReturnSettledThere(ctx.db, scope, settling)) !== undefined;
  // It came back once more: a person says what becomes of it.
  if (isSettled) return theirs.status === 'failed' ? 'refused' : 'none';
  return theirs.status === 'succeeded' ? importRefund(ctx, scope, following) : 'none';
}

/** The row, its note, credit note, event and mail, as of one of ours. */
async function importRefund(ctx: Context, scope: Scope, { charge, theirs }: Importing): Promise<Followed> {
  const { paymentId, connectionId, currency } = charge;
  if (connectionId === null || goesBackByHand(charge) || theirs.currency !== currency) return 'refused';
  const { processorId, amountMinor } = theirs;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      await lockSale(tx, scope, { paymentId, chargeId: null });
      if (await findBookedRefund(tx, scope, { connectionId, processorId, ownId: null })) return 'none';
      if (await findReturnSettledThere(tx, scope, { paymentId, processorId })) return 'none';
      const note = `Given back at the processor (${processorId}).`;
      const { id: refundId } = await requestRefund(ctx, scope, {
        ...{ tx, paymentId, amountMinor, reason: 'other', note },
      });
      await updateRefund(tx, scope, { id: refundId, madeElsewhere: true });
      await settleRefund(ctx, scope, { tx, refundId, outcome: { kind: 'succeeded', processorId } });
      return 'imported';
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  // No room is left for it here: it may be what came back, given back once more.
  const isSettled = await inTransaction(ctx.db, (tx) =>
    settleReturnThere(ctx, scope, { tx, charge, theirs }),
  );
  return isSettled ? 'imported' : 'refused';
}

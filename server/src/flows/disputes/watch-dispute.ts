/** Asks the processor where a dispute stands, when it may have moved on. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { computeSilentLookMs } from '../../domain/payments/watch.ts';
import type { DisputeOutcome } from '../../providers/payment/payment-provider.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findCharge } from '../../resources/payments/payments.queries.ts';
import { providerOf } from '../payments/provider-of.ts';
import { closeDispute } from './close-dispute.ts';
import { openDispute } from './open-dispute.ts';

type KnownOutcome = Exclude<DisputeOutcome, { kind: 'no_answer' }>;

/** Looks once; ends or postpones its row with what it found. */
export async function watchDispute(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: chargeId } = work;
  const charge = await findCharge(ctx.db, scope, chargeId);
  assert(charge, 'a dispute is about a charge of ours');
  const provider = await providerOf(ctx, scope, charge);
  assert(provider, 'a charge names a processor that is set up');
  const outcome = await provider.lookUpDispute({
    scope,
    chargeId,
    processorId: charge.processorId,
    nowMs: ctx.nowMs,
  });
  if (outcome.kind === 'no_answer') {
    const failures = work.failures + 1;
    await postponeDueWork(ctx.db, work, {
      dueMs: computeSilentLookMs(ctx.nowMs, work.failures),
      failures,
      lastError: 'the processor gave no answer',
    });
    return;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (await advanceRow(tx, work, outcome)) await apply(ctx, { tx, work, outcome });
  });
}

/** False when another worker has taken the row over. */
async function advanceRow(tx: Tx, work: ClaimedWork, outcome: KnownOutcome): Promise<boolean> {
  const isOver = outcome.kind === 'none' || outcome.kind === 'won' || outcome.kind === 'lost';
  return isOver ? finishDueWork(tx, work) : postponeDueWork(tx, work, { dueMs: outcome.lookAgainAtMs });
}

async function apply(
  ctx: Step,
  { tx, work, outcome }: { tx: Tx; work: ClaimedWork; outcome: KnownOutcome },
): Promise<void> {
  const { scope, refId: chargeId } = work;
  if (outcome.kind === 'none' || outcome.kind === 'awaited') return;
  const { processorId, disputed } = outcome;
  await openDispute(ctx, scope, { tx, chargeId, processorId, disputed });
  if (outcome.kind === 'open') return;
  await closeDispute(ctx, scope, { tx, chargeId, end: outcome.kind });
}

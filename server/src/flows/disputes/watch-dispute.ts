/** Asks the processor where the disputes of a charge stand, when one may have moved on. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import type { DisputesOutcome } from '../../providers/payment/payment-provider.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findCharge } from '../../resources/payments/payments.queries.ts';
import { toSilentLook } from '../payments/behind-advance.ts';
import { providerOf } from '../payments/provider-of.ts';
import { followDispute } from './follow-dispute.ts';
import { heedWarnings } from './heed-warnings.ts';

type Told = Extract<DisputesOutcome, { kind: 'told' }>;

/** Looks once; ends or postpones its row with what it found. */
export async function watchDispute(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: chargeId } = work;
  const charge = await findCharge(ctx.db, scope, chargeId);
  assert(charge, 'a dispute is about a charge of ours');
  const provider = await providerOf(ctx, scope, charge);
  assert(provider, 'a charge names a processor that is set up');
  const outcome = await provider.lookUpDisputes({
    scope,
    chargeId,
    processorId: charge.processorId,
    nowMs: ctx.nowMs,
  });
  if (outcome.kind === 'no_answer') {
    const failures = work.failures + 1;
    await postponeDueWork(ctx.db, work, {
      dueMs: await toSilentLook(ctx, scope, {
        db: ctx.db,
        processor: charge.processor,
        silentLooks: work.failures,
      }),
      failures,
      lastError: 'the processor gave no answer',
    });
    return;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await advanceRow(tx, work, outcome))) return;
    for (const told of outcome.disputes) await followDispute(ctx, scope, { tx, charge, told });
    await heedWarnings(ctx, scope, { tx, charge, warnings: outcome.warnings });
  });
}

/** False when another worker has taken the row over. */
async function advanceRow(tx: Tx, work: ClaimedWork, { lookAgainAtMs: dueMs }: Told): Promise<boolean> {
  return dueMs === null ? finishDueWork(tx, work) : postponeDueWork(tx, work, { dueMs });
}

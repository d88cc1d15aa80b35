/**
 * A method that its holder has removed, or whose holder is erased, is let go of where it is kept: it is charged there by
 * nobody any more. What has been bought by it still names it.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  blankReference,
  type DroppedMethod,
  endPaymentMethod,
  findDroppedMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { toSilentLook } from './behind-advance.ts';
import { openProvider } from './provider-of.ts';
import { openCredentials } from './seal-credentials.ts';

const LATER_MS = 3_600_000;
/** A processor that has let nobody in for a month does not keep us from forgetting what it called a method. */
const TRIES_MAX = 30 * 24;

/** Reference of the work: the method. What is kept again meanwhile, or pays something, stays. */
export async function detachMethod(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const dropped = await findDroppedMethod(ctx.db, scope, id);
  if (dropped?.isCharged) {
    await postponeDueWork(ctx.db, work, { dueMs: ctx.nowMs + LATER_MS });
    return;
  }
  const isWanted = dropped !== null && !dropped.isInUse;
  const isSilent = isWanted && (await ask(ctx, scope, dropped)) === 'no_answer';
  if (isSilent && work.failures < TRIES_MAX) {
    await postponeDueWork(ctx.db, work, {
      dueMs: await toSilentLook(ctx, scope, {
        db: ctx.db,
        processor: dropped.method.processor,
        silentLooks: work.failures,
      }),
      failures: work.failures + 1,
      lastError: 'the processor gave no answer',
    });
    return;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work)) || !dropped) return;
    if (isWanted) await endPaymentMethod(tx, scope, { id, endedAt: ctx.nowMs });
    if (dropped.isErased) await blankReference(tx, scope, id);
  });
}

/** Of a connection whose credentials are gone for good there is nobody to ask. */
async function ask(
  ctx: Context,
  scope: Scope,
  { method: { connectionId, reference } }: DroppedMethod,
): Promise<'detached' | 'no_answer'> {
  const row = connectionId === null ? undefined : await findProcessor(ctx.db, scope, connectionId);
  if (!row || openCredentials(ctx, scope, row) === null) return 'detached';
  const outcome = await openProvider(ctx, scope, row)?.detachMethod?.(reference);
  return outcome?.kind ?? 'detached';
}

/** A method that is taken for 0, and that nobody has settled: the processor is asked until it knows. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { DeclinedCharge, StandingOutcome } from '../../providers/payment/payment-provider.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findMethodSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { toDecline } from '../payments/charge-payment.ts';
import { providerOf } from '../payments/provider-of.ts';
import { INTERRUPTED } from '../payments/reconcile-charge.ts';
import { type AskedSetup, cancelSetup, toSetupReference } from './ask-for-setup.ts';
import { computeHolderEndMs, keepSetupUnanswered, settleSetup } from './settle-setup.ts';

export async function watchSetup(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: setupId } = work;
  const setup = await findMethodSetup(ctx.db, scope, setupId);
  if (setup?.status === 'pending') {
    const outcome = await lookAt(ctx, scope, setup);
    if (outcome) await settleSetup(ctx, scope, { setupId, outcome });
    else await keepSetupUnanswered(ctx, scope, setupId);
  }
  await inTransaction(ctx.db, async (tx) => {
    // One that is still open has given the row its next time, and with it another fence.
    if ((await findMethodSetup(tx, scope, setupId))?.status !== 'pending') await finishDueWork(tx, work);
  });
}

/** For a holder who waits: settles what is decided. Answers whether it was. */
export async function settleDecidedSetup(
  ctx: Context,
  scope: Scope,
  setup: Row<'methodSetups'>,
): Promise<boolean> {
  const provider = await providerOf(ctx, scope, setup);
  const outcome = provider && (await ask(ctx, scope, { provider, setup }));
  if (outcome?.kind !== 'succeeded' && outcome?.kind !== 'declined') return false;
  await settleSetup(ctx, scope, { setupId: setup.id, outcome });
  return true;
}

function ask(ctx: Context, scope: Scope, { provider, setup }: AskedSetup) {
  const reference = toSetupReference(ctx, scope, setup);
  return provider.lookUp({ ...reference, purpose: 'setup', expectedByMs: null });
}

/** Null = there was no answer. What nobody has tried is never tried any more: what was typed is kept nowhere. */
async function lookAt(
  ctx: Context,
  scope: Scope,
  setup: Row<'methodSetups'>,
): Promise<StandingOutcome | null> {
  const provider = await providerOf(ctx, scope, setup);
  if (!provider) return null;
  if (setup.actionPath !== null && computeHolderEndMs(setup) <= ctx.nowMs) {
    const declined = toDecline('authentication_failed', 'The authentication was not completed.');
    return stop(ctx, scope, { provider, setup, declined });
  }
  const found = await ask(ctx, scope, { provider, setup });
  if (found.kind === 'no_answer' || found.kind === 'ready') return null;
  if (found.kind !== 'absent') return found;
  const declined = toDecline(INTERRUPTED, 'The payment was interrupted. Please try again.');
  return stop(ctx, scope, { provider, setup, declined });
}

/** From here on the method is not taken, or it is told that it was. */
async function stop(
  ctx: Context,
  scope: Scope,
  { provider, setup, declined }: AskedSetup & { declined: DeclinedCharge },
): Promise<StandingOutcome | null> {
  const cancelled = await cancelSetup(ctx, scope, { provider, setup });
  if (cancelled.kind === 'taken') return cancelled.outcome;
  return cancelled.kind === 'cancelled' ? { ...declined, processorId: setup.processorId } : null;
}

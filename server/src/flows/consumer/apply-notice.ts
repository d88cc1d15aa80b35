/** What a notice does to the contract: it ends with its interval, at once where nothing is paid any more, or at a later date. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { endsWithInterval } from '../../domain/consumer/notice.ts';
import { Refusal } from '../../domain/errors.ts';
import { boundaryMs } from '../../domain/subscriptions/period.ts';
import { findNotice, updateNotice } from '../../resources/consumer/notices.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { cancelAtIntervalEnd, cancelNow } from '../subscriptions/cancel-subscription.ts';

/** After an interval's end, so that its renewal has been done. */
const AFTER_MS = 60_000;
/** Until a payment that is under way is asked after again. */
const AGAIN_MS = 60_000;
const claim = { resumeId: null, begin: async () => {} };

/**
 * Nothing for a notice that was decided or is of no contract. Safe to repeat. `isNow`: a cause was accepted, the contract
 * ends at once.
 */
export async function applyNotice(
  ctx: Context,
  scope: Scope,
  noticeId: string,
  { isNow = false }: { isNow?: boolean } = {},
): Promise<void> {
  const notice = await findNotice(ctx.db, scope, noticeId);
  if (notice?.status !== 'received' || notice.subscriptionId === null) return;
  const subscription = await getSubscription(ctx.db, scope, notice.subscriptionId);
  const { id: subscriptionId, endedAt, status } = subscription;
  if (endedAt === null && status !== 'incomplete_expired') {
    const asked = { subscriptionId, reason: `notice ${notice.number}`, claim };
    if (isNow || status === 'unpaid' || status === 'incomplete') {
      if (!(await endNow(ctx, scope, asked)))
        return waitFor(ctx, scope, { noticeId, effectAt: ctx.nowMs + AGAIN_MS });
    } else {
      const waitsUntil = findLater(subscription, notice);
      if (waitsUntil !== null) return waitFor(ctx, scope, { noticeId, effectAt: waitsUntil });
      await setFlag(ctx, scope, asked);
    }
  }
  const done = { id: noticeId, status: 'done' as const, effectAt: null, decidedAt: ctx.nowMs };
  await inTransaction(ctx.db, (tx) => updateNotice(tx, scope, done));
}

/** False while its first payment is under way and nobody says yet what becomes of it: the notice is heard all the same. */
async function endNow(
  ctx: Context,
  scope: Scope,
  asked: Parameters<typeof cancelAtIntervalEnd>[2],
): Promise<boolean> {
  try {
    await cancelNow(ctx, scope, { ...asked, refund: false });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payment_in_progress') return false;
    // Ended by somebody else in the meantime is ended, too.
    if (error instanceof Refusal && error.code === 'subscription_state') return true;
    throw error;
  }
}

/** When the contract is looked at again, since it is to end later; null = it ends with the running interval. */
function findLater(
  subscription: Row<'subscriptions'>,
  { endDate }: Row<'cancellationNotices'>,
): number | null {
  const {
    currentIntervalEnd,
    anchorAt,
    recurringInterval: unit,
    recurringIntervalCount: count,
  } = subscription;
  const end = currentIntervalEnd ?? subscription.trialEnd;
  if (end === null || anchorAt === null) return null;
  let n = 1;
  while (boundaryMs(anchorAt, { unit, count }, n) <= end) n += 1;
  const nextIntervalEnd = boundaryMs(anchorAt, { unit, count }, n);
  return endsWithInterval({ currentIntervalEnd: end, nextIntervalEnd }, endDate) ? null : end + AFTER_MS;
}

async function waitFor(
  ctx: Context,
  scope: Scope,
  { noticeId: id, effectAt }: { noticeId: string; effectAt: number },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await updateNotice(tx, scope, { id, effectAt });
    await insertDueWork(tx, scope, [{ kind: 'attend_notice', refId: id, dueMs: effectAt }]);
  });
}

/** Ended by itself in the meantime is ended, too. */
async function setFlag(
  ctx: Context,
  scope: Scope,
  asked: Parameters<typeof cancelAtIntervalEnd>[2],
): Promise<void> {
  await cancelAtIntervalEnd(ctx, scope, asked).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'subscription_state') throw error;
  });
}

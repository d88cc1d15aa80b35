/** Due work of a withdrawal: its effect, once its mailbox had time to object, and the warnings while somebody has to decide. */
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import {
  findDueWarning,
  findNextLook,
  judgeWithdrawal,
  toDeadlineMs,
} from '../../domain/consumer/withdrawal.ts';
import { Refusal } from '../../domain/errors.ts';
import { toSettings } from '../../domain/settings.ts';
import {
  findWithdrawal,
  lockWithdrawal,
  updateWithdrawal,
  type WithdrawalRow,
} from '../../resources/consumer/withdrawals.queries.ts';
import { findWithdrawnOrder } from '../../resources/consumer/withdrawn-order.queries.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { applyWithdrawal } from './apply-withdrawal.ts';

/** Reference: the withdrawal. */
export async function attendWithdrawal(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const found = await findWithdrawal(ctx.db, scope, id);
  const isDue = found?.status === 'received' && found.effectAt !== null && found.effectAt <= ctx.nowMs;
  const isWaiting = isDue && !(await takeEffect(ctx, work, found));
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockWithdrawal(tx, scope, id);
    if (row?.status !== 'received' && row?.status !== 'unmatched') {
      await finishDueWork(tx, work);
      return;
    }
    const days = findDueWarning(row, ctx.nowMs);
    const seen = { ...row, warnedDays: days ?? row.warnedDays, ...(isWaiting ? { effectAt: null } : {}) };
    const dueMs = findNextLook(seen);
    const isHeld =
      dueMs === null ? await finishDueWork(tx, work) : await postponeDueWork(tx, work, { dueMs });
    if (!isHeld || days === null) return;
    await updateWithdrawal(tx, scope, { id, warnedDays: days });
    const { number, orderNumber, receivedAt } = row;
    const params = { number, orderNumber, receivedAtMs: receivedAt, deadlineMs: toDeadlineMs(receivedAt) };
    const key = `withdrawal_waiting:${id}:${days}`;
    await queueOwnerMails(tx, scope, [{ kind: 'withdrawal_waiting', params, key, at: ctx.nowMs }]);
  });
}

/** False while a dispute lasts: whoever closes it looks again. */
async function takeEffect(ctx: Context, { scope }: ClaimedWork, withdrawal: WithdrawalRow): Promise<boolean> {
  const { id, orderId, items, part, receivedAt } = withdrawal;
  const order = orderId === null ? undefined : await findWithdrawnOrder(ctx.db, scope, { id: orderId });
  if (!order) return false;
  const { settings } = await getStore(ctx.db, scope);
  // A key that was read in the meantime cannot be taken back either.
  const verdict = judgeWithdrawal({
    order: { ...order, isSubscription: order.subscriptionId !== null },
    ...{ settings: toSettings(settings).consumer, receivedAt, items, part },
  });
  if (verdict.kind === 'wait') {
    const { reason } = verdict;
    await inTransaction(ctx.db, (tx) => updateWithdrawal(tx, scope, { id, reason, effectAt: null }));
    return true;
  }
  try {
    await applyWithdrawal(ctx, scope, { withdrawal, order, itemIds: verdict.itemIds, amountMinor: null });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payment_disputed') return false;
    throw error;
  }
}

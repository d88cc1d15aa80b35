/** Due work of a notice: the end that was asked for later, and the warnings while somebody has to decide. */
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findDueWarning, findNextLook, toDeadlineMs } from '../../domain/consumer/withdrawal.ts';
import { findNotice, lockNotice, updateNotice } from '../../resources/consumer/notices.queries.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { applyNotice } from './apply-notice.ts';

/** Reference: the notice. */
export async function attendNotice(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const found = await findNotice(ctx.db, scope, id);
  const isDue = found?.status === 'received' && found.effectAt !== null && found.effectAt <= ctx.nowMs;
  if (isDue) await applyNotice(ctx, scope, id);
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockNotice(tx, scope, id);
    if (row?.status !== 'received' && row?.status !== 'unmatched') {
      await finishDueWork(tx, work);
      return;
    }
    // One that waits for its date is nobody's to decide.
    const days = row.effectAt === null ? findDueWarning(row, ctx.nowMs) : null;
    const dueMs = row.effectAt ?? findNextLook({ ...row, warnedDays: days ?? row.warnedDays });
    const isHeld =
      dueMs === null ? await finishDueWork(tx, work) : await postponeDueWork(tx, work, { dueMs });
    if (!isHeld || days === null) return;
    await updateNotice(tx, scope, { id, warnedDays: days });
    const { number, contractNumber, receivedAt } = row;
    const params = { number, contractNumber, receivedAtMs: receivedAt, deadlineMs: toDeadlineMs(receivedAt) };
    const key = `notice_waiting:${id}:${days}`;
    await queueOwnerMails(tx, scope, [{ kind: 'notice_waiting', params, key, at: ctx.nowMs }]);
  });
}

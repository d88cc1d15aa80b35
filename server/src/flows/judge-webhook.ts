/** The look at a webhook's streak of failures, some days after it began: too many of them disable it. */
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { move } from '../domain/states/machine.ts';
import { WEBHOOK } from '../domain/states/webhook.ts';
import { lookAtStreak } from '../domain/webhooks/health.ts';
import { type ClaimedWork, finishDueWork, postponeDueWork } from '../resources/due-work/due-work.queries.ts';
import { lockWebhookHealth, updateWebhookHealth } from '../resources/webhooks/webhooks.queries.ts';
import { followHealth, readThresholds } from './record-attempts.ts';

export async function judgeWebhook(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  await inTransaction(ctx.db, async (tx) => {
    const [row] = await lockWebhookHealth(tx, [{ scope, id }]);
    const change = row ? lookAtStreak(row, ctx.nowMs, await readThresholds(tx, scope)) : null;
    if (!row || !change) return finishDueWork(tx, work);
    if (typeof change.look === 'number') return postponeDueWork(tx, work, { dueMs: change.look });
    if (!(await finishDueWork(tx, work))) return false;
    if (change.after.status !== row.status) move(WEBHOOK, row.status, change.after.status);
    await updateWebhookHealth(tx, [{ ...row, ...change.after }]);
    const last = { ...change, look: null };
    await followHealth(tx, { row, change: last, at: ctx.nowMs, reason: null });
    return true;
  });
}

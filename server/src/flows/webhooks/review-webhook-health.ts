/** The look at a webhook's streak of failures, some days after it began: too many of them disable it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { move } from '../../domain/states/machine.ts';
import { WEBHOOK } from '../../domain/states/webhook.ts';
import { lookAtStreak } from '../../domain/webhooks/health.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { hasLaneWork } from '../../resources/due-work/lane-work.queries.ts';
import { lockWebhookHealth, updateWebhookHealth } from '../../resources/webhooks/webhooks.queries.ts';
import { followHealth, readThresholds } from './record-attempts.ts';

/** In an advance of the clock attempts run beside each other: those from before the look are waited for. */
const WAIT_LIMIT_MS = 30_000;
const WAIT_POLL_MS = 20;

export async function reviewWebhookHealth(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  if (ctx.isAdvancing) await waitForAttempts(ctx, work);
  await inTransaction(ctx.db, async (tx) => {
    const [row] = await lockWebhookHealth(tx, [{ scope, id }]);
    const change = row ? lookAtStreak(row, ctx.nowMs, await readThresholds(tx, scope)) : null;
    if (!row || !change) return finishDueWork(tx, work);
    if (typeof change.look === 'number') return postponeDueWork(tx, work, { dueMs: change.look });
    if (!(await finishDueWork(tx, work))) return false;
    if (change.after.status !== row.status) move(WEBHOOK, row.status, change.after.status);
    await updateWebhookHealth(tx, [{ ...row, ...change.after }]);
    const last = { ...change, look: null };
    await followHealth(tx, { row, change: last, at: ctx.nowMs, facts: null });
    return true;
  });
}

async function waitForAttempts(ctx: Context, { scope, refId: lane }: ClaimedWork): Promise<void> {
  const endMs = performance.now() + WAIT_LIMIT_MS;
  while (performance.now() < endMs && (await hasLaneWork(ctx.db, scope, { lane, untilMs: ctx.nowMs }))) {
    await wait(WAIT_POLL_MS);
  }
}

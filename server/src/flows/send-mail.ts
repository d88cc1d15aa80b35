/** One try of a queued mail. */
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { type ClaimedWork, finishDueWork } from '../resources/due-work/due-work.queries.ts';
import { updateMail } from '../resources/mails/mails.queries.ts';

export async function sendMail(ctx: Context, work: ClaimedWork): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work))) return;
    await updateMail(tx, work.scope, { id: work.refId, status: 'kept' });
  });
}

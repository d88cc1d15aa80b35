/** "This was not me": the mailbox of the order stops a withdrawal that somebody else has sent, before it takes effect. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  findWithdrawal,
  lockWithdrawal,
  updateWithdrawal,
  type WithdrawalRow,
} from '../../resources/consumer/withdrawals.queries.ts';
import { deleteDueWork } from '../../resources/due-work/due-work.queries.ts';
import { openStatementLink } from '../mails/statement-link.ts';

/** The withdrawal that a mailed link is about. Throws not_found for a link that opens nothing. */
export async function findObjectedTo(ctx: Context, scope: Scope, link: string): Promise<WithdrawalRow> {
  const id = await openStatementLink(ctx, scope, { purpose: 'object', link });
  const row = id === null ? undefined : await findWithdrawal(ctx.db, scope, id);
  if (!row) throw new Refusal('not_found');
  return row;
}

/** Whether it can still be stopped: nothing of it has happened. */
export function canObject({ status, refundIds }: WithdrawalRow): boolean {
  return (status === 'received' || status === 'unmatched') && refundIds.length === 0;
}

/** Pressed again it stays stopped. Throws not_found, and withdrawal_state where it has taken effect or was decided. */
export async function objectToWithdrawal(ctx: Context, scope: Scope, link: string): Promise<void> {
  const { id } = await findObjectedTo(ctx, scope, link);
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockWithdrawal(tx, scope, id);
    if (!row) throw new Refusal('not_found');
    if (row.status === 'stopped') return;
    if (!canObject(row)) throw new Refusal('withdrawal_state');
    await updateWithdrawal(tx, scope, { id, status: 'stopped', effectAt: null, decidedAt: ctx.nowMs });
    await deleteDueWork(tx, scope, 'attend_withdrawal', id);
  });
}

/** "Keep subscription": the contract's mailbox takes an ordinary cancellation back while its last interval runs. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { findNotice, type NoticeRow } from '../../resources/consumer/notices.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { openStatementLink } from '../mails/statement-link.ts';
import { keepSubscription } from '../subscriptions/cancel-subscription.ts';

/** The notice that a mailed link is about. Throws not_found for a link that opens nothing. */
export async function findKept(ctx: Context, scope: Scope, link: string): Promise<NoticeRow> {
  const id = await openStatementLink(ctx, scope, { purpose: 'keep', link });
  const row = id === null ? undefined : await findNotice(ctx.db, scope, id);
  if (!row) throw new Refusal('not_found');
  return row;
}

/** Whether the contract still runs and is to end with its interval. */
export async function canKeep(ctx: Context, scope: Scope, { subscriptionId }: NoticeRow): Promise<boolean> {
  if (subscriptionId === null) return false;
  const { endedAt, cancelAtIntervalEnd } = await getSubscription(ctx.db, scope, subscriptionId);
  return endedAt === null && cancelAtIntervalEnd;
}

/** Pressed again it goes on. Throws not_found, and subscription_state where it has ended. */
export async function keepContract(ctx: Context, scope: Scope, link: string): Promise<void> {
  const { subscriptionId } = await findKept(ctx, scope, link);
  if (subscriptionId === null) throw new Refusal('not_found');
  await inTransaction(ctx.db, (tx) => keepSubscription(ctx, scope, { tx, subscriptionId }));
}

/** A buyer whose card did not come along is mailed the link on which another is stored. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toDay } from '../../domain/imports/calendar.ts';
import { toWholeName } from '../../domain/item-note.ts';
import {
  getSubscription,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { toCardPath } from '../dunning/card-link.ts';
import { queueBuyerMails } from '../outbox/queue-mail.ts';

/** Once a day and subscription, however often it is asked for. */
export async function inviteToPay(ctx: Context, scope: Scope, id: string): Promise<void> {
  const [subscription, [item], path] = await Promise.all([
    getSubscription(ctx.db, scope, id),
    listSubscriptionItems(ctx.db, scope, id),
    toCardPath(ctx, scope, id),
  ]);
  const { number: subscriptionNumber, orderId } = subscription;
  const kind = 'payment_method_wanted';
  const params = {
    subscriptionNumber,
    productName: toWholeName(item),
    url: `${ctx.config.publicUrl}${path}`,
  };
  const key = `${kind}:${id}:${toDay(ctx.nowMs)}`;
  await inTransaction(ctx.db, (tx) =>
    queueBuyerMails(tx, scope, [{ kind, params, key, at: ctx.nowMs, orderId }]),
  );
  ctx.nudgeWorker(scope);
}

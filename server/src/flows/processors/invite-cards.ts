/**
 * Who is charged over a connection is mailed the page on which another card is given: a kept method can be charged only
 * where it was kept, so that whoever changes accounts asks for it anew.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { toDay } from '../../domain/imports/calendar.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { listUninvited, type Subscriber } from '../../resources/processors/subscribers.queries.ts';
import { toCardPath } from '../dunning/card-link.ts';
import { type NewBuyerMail, queueBuyerMails } from '../outbox/queue-mail.ts';

const KIND = 'payment_method_wanted';
const EVERY_MS = 7 * 24 * 3_600_000;
const AT_ONCE = 200;

export interface Inviting {
  id: string;
  /** Runs in the last transaction, with how many were mailed. */
  finish: (tx: Tx, sent: number) => Promise<void>;
}

/** Once a week and subscription at most. Answers how many. Throws not_found. */
export async function inviteCards(ctx: Context, scope: Scope, { id, finish }: Inviting): Promise<number> {
  if (!(await findProcessor(ctx.db, scope, id))) throw new Refusal('not_found');
  let sent = 0;
  for (let afterId: string | null = null; ; ) {
    const asked = { connectionId: id, kind: KIND, since: ctx.nowMs - EVERY_MS, afterId, limit: AT_ONCE };
    const some: Subscriber[] = await listUninvited(ctx.db, scope, asked);
    const mails = await Promise.all(some.map((one) => toInvitation(ctx, scope, one)));
    await inTransaction(ctx.db, (tx) => queueBuyerMails(tx, scope, mails));
    sent += some.length;
    afterId = some.at(-1)?.id ?? null;
    if (afterId === null || some.length < AT_ONCE) break;
  }
  await inTransaction(ctx.db, (tx) => finish(tx, sent));
  ctx.nudgeWorker(scope);
  return sent;
}

async function toInvitation(
  ctx: Context,
  scope: Scope,
  { id, number: subscriptionNumber, orderId, item }: Subscriber,
): Promise<NewBuyerMail> {
  const path = await toCardPath(ctx, scope, id);
  const productName = toWholeName(item ?? undefined);
  const params = { subscriptionNumber, productName, url: `${ctx.config.publicUrl}${path}` };
  return { kind: KIND, params, key: `${KIND}:${id}:${toDay(ctx.nowMs)}`, at: ctx.nowMs, orderId };
}

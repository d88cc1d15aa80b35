/** Tells the buyer of a payment that comes: the end of a trial, a yearly renewal. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { planReminder, type Reminder } from '../../domain/subscriptions/reminder.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findOpener } from '../../resources/orders/orders.queries.ts';
import {
  findSubscription,
  listSubscriptionItems,
  type SubscriptionRow,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { getUser } from '../../resources/users/users.queries.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { deriveId } from '../outbox/derive-id.ts';
import { type NewBuyerMail, queueBuyerMails } from '../outbox/queue-mail.ts';
import { previewUpcomingPayment } from '../pricing/preview-upcoming-payment.ts';

export async function remindSubscription(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const subscription = await findSubscription(ctx.db, scope, id);
  const reminder = subscription ? planReminder({ ...subscription, status: subscription.status }) : null;
  // A change since it was put down: later, or no more; one that comes after the payment is of no use.
  if (!subscription || !reminder || reminder.ofMs <= ctx.nowMs) {
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
    return;
  }
  if (reminder.atMs > ctx.nowMs) {
    await postponeDueWork(ctx.db, work, { dueMs: reminder.atMs });
    return;
  }
  const mail = await write(ctx, work, { subscription, reminder });
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work)) || !mail) return;
    const isHeldBack = await isTooMany(ctx, scope, { tx, subscription, kind: mail.kind });
    await queueBuyerMails(tx, scope, [{ ...mail, isHeldBack }]);
  });
}

/** A trial costs nothing: whoever types an address begins one. An advance of the test clock is the merchant's. */
async function isTooMany(
  ctx: Context,
  scope: Scope,
  { tx, subscription, kind }: { tx: Tx; subscription: SubscriptionRow; kind: NewBuyerMail['kind'] },
): Promise<boolean> {
  if (kind !== 'trial_ending' || ctx.isAdvancing) return false;
  if ((await findOpener(tx, scope, subscription.orderId)) === null) return false;
  const { email } = await getUser(tx, scope, subscription.userId);
  return email !== null && (await isMailOneTooMany(ctx, scope, { db: tx, kind, to: email }));
}

/** The amount is that of the payment, by the very code that will make it. Null when none comes. */
async function write(
  ctx: Context,
  { scope }: ClaimedWork,
  { subscription, reminder }: { subscription: SubscriptionRow; reminder: Reminder },
): Promise<NewBuyerMail | null> {
  const upcoming = await previewUpcomingPayment(ctx, scope, { db: ctx.db, subscription });
  if (upcoming === null) return null;
  const [item] = await listSubscriptionItems(ctx.db, scope, subscription.id);
  const { kind, ofMs } = reminder;
  const facts = {
    subscriptionNumber: subscription.number,
    productName: toWholeName(item),
    amountMinor: Number(upcoming.payment.valueMinor),
    currency: subscription.currency,
  };
  const { id: subscriptionId, orderId } = subscription;
  const work = { workspaceId: scope.workspaceId, subscriptionId, startMs: ofMs, n: 0, place: 0 };
  const id = deriveId({ ...work, kind: `mail:${kind}` });
  const common = { id, key: `${kind}:${subscription.id}:${ofMs}`, at: ctx.nowMs, orderId };
  return kind === 'trial_ending'
    ? { ...common, kind, params: { ...facts, taxMinor: Number(upcoming.payment.taxMinor), endsAtMs: ofMs } }
    : { ...common, kind, params: { ...facts, renewsAtMs: ofMs } };
}

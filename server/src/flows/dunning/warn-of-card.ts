/**
 * A card that renewals are charged to expires: its holder is told twice, with the way to another, once a card and expiry.
 * A card that was renewed meanwhile, or pays nothing any more, is not spoken of.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toWholeName } from '../../domain/item-note.ts';
import {
  type CardWarning,
  type ExpiringCard,
  findDueWarning,
  findNextWarning,
} from '../../domain/subscriptions/card-expiry.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import {
  findRenewedByMethod,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { type NewBuyerMail, queueBuyerMails } from '../outbox/queue-mail.ts';
import { toCardPath } from './card-link.ts';

export async function warnOfCard(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId } = work;
  const method = await findPaymentMethod(ctx.db, scope, refId);
  const card = method && toCard(method);
  const warning = card && findDueWarning(card, ctx.nowMs);
  const mail = warning ? await write(ctx, scope, { method, card, warning }) : null;
  const next = card && findNextWarning(card, ctx.nowMs);
  await inTransaction(ctx.db, async (tx) => {
    const isOurs = next
      ? await postponeDueWork(tx, work, { dueMs: next.atMs })
      : await finishDueWork(tx, work);
    if (isOurs && mail) await queueBuyerMails(tx, scope, [mail]);
  });
}

/** Null where it does not expire, or is charged no more. */
function toCard({ expYear, expMonth, endedAt }: Row<'paymentMethods'>): ExpiringCard | null {
  if (expYear === null || expMonth === null || endedAt !== null) return null;
  return { year: expYear, month: expMonth };
}

interface Warning {
  method: Row<'paymentMethods'>;
  card: ExpiringCard;
  warning: CardWarning;
}

/** Null where nothing is charged to it after its last day. */
async function write(
  ctx: Context,
  scope: Scope,
  { method, card, warning: { daysBefore } }: Warning,
): Promise<NewBuyerMail | null> {
  const { id, userId } = method;
  const subscription = await findRenewedByMethod(ctx.db, scope, { userId, methodId: id });
  if (!subscription) return null;
  const [item] = await listSubscriptionItems(ctx.db, scope, subscription.id);
  const path = await toCardPath(ctx, scope, subscription.id);
  // Written when the method was kept, by `PaymentMethodDetails`.
  const { brand, last4 } = method.details as { brand: string | null; last4: string | null };
  const expires = `${String(card.month).padStart(2, '0')}/${card.year}`;
  return {
    kind: 'card_expiring',
    params: {
      ...{ subscriptionNumber: subscription.number, productName: toWholeName(item), brand, last4, expires },
      cardUrl: `${ctx.config.publicUrl}${path}`,
    },
    key: `card_expiring:${id}:${expires}:${daysBefore}`,
    at: ctx.nowMs,
    orderId: subscription.orderId,
  };
}

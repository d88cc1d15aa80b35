/**
 * Queues the mails that follow from no event, in the transaction of what they tell of. A mail whose key and
 * recipient are there already is not queued again, so that a step may be repeated without harm. The mail of an
 * event needs none of this: `recordEvents` queues it.
 */
import type { Context, Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { MailKind, MailParams } from '../../domain/mails/kinds.ts';
import { toNotification } from '../../domain/notifications.ts';
import {
  insertBuyerMails,
  insertMails,
  insertOwnerMails,
  type NewMailRow,
} from '../../resources/mails/mails.queries.ts';
import type { BuyerMailRow } from '../../resources/mails/mails.sql.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';

/** A kind with the params that its text is written from. */
type Written<K extends MailKind = MailKind> = { [Kind in K]: { kind: Kind; params: MailParams[Kind] } }[K];

interface Keyed {
  /** One mail per key and recipient, for ever: name the matter and its moment, such as `trial_ending:<id>:<ms>`. */
  key: string;
  /** Ms on the workspace's clock: what the mail is stamped with. */
  at: number;
  /** It is one too many of those that anybody can cause: written and kept, never sent. See `isMailOneTooMany`. */
  isHeldBack?: boolean;
}

export type NewMail = Written &
  Keyed & {
    /** An e-mail address. */
    to: string;
    /** Null = English. */
    language: string | null;
  };

export type NewBuyerMail = Written &
  Keyed & {
    orderId: string;
    paymentId?: string | null;
    /** Of what a period brings by itself: derived from it. Missing = a new one. */
    id?: string;
  };
/** Owners are told of everything. */
export type NewOwnerMail = Written & Omit<Keyed, 'isHeldBack'>;

/** Queues mails to known addresses. */
export async function queueMails(tx: Tx, scope: Scope, ids: Ids, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(
    ({ kind, params, key, at, to, language, isHeldBack: heldBack = false }): NewMailRow => ({
      heldBack,
      id: ids.next(at),
      kind,
      key,
      recipient: to,
      language,
      params: toJson(params),
      createdAt: at,
    }),
  );
  await insertMails(tx, scope, rows);
}

/**
 * The same for a mail that was asked for by somebody who neither paid nor signed in: few of a kind go to one address in an
 * hour, further ones are kept for the merchant to see and not sent. Answers whether it is sent. What is asked for with the
 * secret key does not come here.
 */
export async function queueCausedMail(
  ctx: Pick<Context, 'config' | 'ids'>,
  scope: Scope,
  { tx, mail }: { tx: Tx; mail: NewMail },
): Promise<boolean> {
  const isHeldBack = await isMailOneTooMany(ctx, scope, { db: tx, kind: mail.kind, to: mail.to });
  await queueMails(tx, scope, ctx.ids, [{ ...mail, isHeldBack }]);
  return !isHeldBack;
}

/**
 * Queues mails to whoever bought the orders, in their language or else that of their checkout; a subscription's order is its
 * initial one. A subscription that holds notifications back gets none.
 */
export async function queueBuyerMails(tx: Tx, scope: Scope, mails: NewBuyerMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(
    ({ id = null, kind, params, key, at, orderId, paymentId = null, isHeldBack = false }): BuyerMailRow => ({
      heldBack: isHeldBack,
      id,
      kind,
      key,
      orderId,
      paymentId,
      eventId: null,
      params: toJson(params),
      createdAt: at,
    }),
  );
  await insertBuyerMails(tx, scope, rows);
}

/** Queues mails to the workspace's Owner, and to the members who wish to be told of such. */
export async function queueOwnerMails(tx: Tx, scope: Scope, mails: NewOwnerMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(({ kind, params, key, at }) => ({
    kind,
    key,
    params: toJson(params),
    createdAt: at,
    notification: toNotification(kind),
  }));
  await insertOwnerMails(tx, scope, rows);
}

/**
 * Who has the link of a payment's page may pay with a card of their own; to charge the card that is stored for the
 * subscription they prove to be its user, by a link in the user's own mailbox. The link opens once, in one browser,
 * which is then taken for the user's for half an hour of real time.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { toWholeName } from '../../domain/item-note.ts';
import {
  findPayer,
  hasPayerProof,
  insertPayerProof,
  isLinkUsed,
  type Payer,
} from '../../resources/payment-methods/payer-proofs.queries.ts';
import { listOpenPayments } from '../../resources/subscriptions/locked-subscription.queries.ts';
import {
  getSubscription,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { createProofUrl, isProofLink, PROOF_LINK_MS } from '../mails/proof-link.ts';
import { queueCausedMail } from '../outbox/queue-mail.ts';
import { chooseTarget, type Debt } from './pay-owed.ts';

/** A link that was asked for opens for so long, and so long does a browser count as the user's after it. */
export const PROOF_MS = 30 * 60_000;

const MINUTE_MS = 60_000;
const NAME_BYTES = 18;
const BROWSER_BYTES = 32;

/** The page that is asked: its payment, by the word of its link. */
export interface DebtPage extends Debt {
  payToken: string;
}

/**
 * Mails a link to the user's own mailbox. Nothing tells whether there was one to send: not where the user has no
 * mailbox, nothing is stored or owed, or too many were sent already.
 */
export async function mailProof(ctx: Context, scope: Scope, page: DebtPage): Promise<void> {
  const { subscriptionId, paymentId, payToken } = page;
  const payer = await findPayer(ctx.db, scope, subscriptionId);
  if (!payer) return;
  const { status, number: subscriptionNumber } = await getSubscription(ctx.db, scope, subscriptionId);
  const open = await listOpenPayments(ctx.db, scope, subscriptionId);
  if (!chooseTarget(open, status, paymentId)) return;
  const [item] = await listSubscriptionItems(ctx.db, scope, subscriptionId);
  const name = toText(ctx.ids.randomBytes(NAME_BYTES));
  const { email, language } = payer;
  const url = await createProofUrl(ctx, {
    payToken,
    email,
    name,
    expiresAtMs: ctx.realNowMs() + PROOF_MS,
  });
  const params = {
    subscriptionNumber,
    productName: toWholeName(item),
    url,
    validMinutes: PROOF_MS / MINUTE_MS,
  };
  const mail = { kind: 'payer_proof' as const, params, key: `payer_proof:${name}`, at: ctx.nowMs };
  await inTransaction(ctx.db, (tx) =>
    queueCausedMail(ctx, scope, { tx, mail: { ...mail, to: email, language } }),
  );
  ctx.nudgeWorker(scope);
}

/** Opens a mailed link. Answers what the browser keeps as its proof; refuses proof_required where it opens nothing. */
export async function openProof(
  ctx: Context,
  scope: Scope,
  { link, ...page }: DebtPage & { link: string },
): Promise<string> {
  const payer = await findOpener(ctx, scope, { link, ...page });
  if (!payer) throw new Refusal('proof_required', { message: USED_UP });
  const browser = toText(ctx.ids.randomBytes(BROWSER_BYTES));
  const nowMs = ctx.realNowMs();
  const isFirst = await inTransaction(ctx.db, (tx) =>
    insertPayerProof(tx, scope, {
      subscriptionId: page.subscriptionId,
      userId: payer.userId,
      linkHash: toHash(link),
      mailboxHash: toHash(toEmailNormal(payer.email)),
      browserHash: toHash(browser),
      endsAt: nowMs + PROOF_MS,
      keptUntil: nowMs + PROOF_LINK_MS,
    }),
  );
  if (!isFirst) throw new Refusal('proof_required', { message: USED_UP });
  return browser;
}

const USED_UP = 'This link was used before, or is too old. Ask for another one.';

/** Whether a mailed link would open something: it is looked at, and stays as it is. */
export async function canOpenProof(
  ctx: Context,
  scope: Scope,
  asked: DebtPage & { link: string },
): Promise<boolean> {
  return (await findOpener(ctx, scope, asked)) !== null;
}

async function findOpener(
  ctx: Context,
  scope: Scope,
  { link, payToken, subscriptionId }: DebtPage & { link: string },
): Promise<Payer | null> {
  const payer = await findPayer(ctx.db, scope, subscriptionId);
  if (!payer || !(await isProofLink(ctx, { link, payToken, email: payer.email }))) return null;
  return (await isLinkUsed(ctx.db, scope, { subscriptionId, linkHash: toHash(link) })) ? null : payer;
}

/** By what somebody at a payment's page may have proved who they are. */
export interface PayerProof {
  /** What the browser keeps of a link that was mailed; null = nothing. */
  browser: string | null;
  /** Who is signed in at the portal; null = nobody. */
  signedInId: string | null;
}

/** Whether whoever asks has proved to be the subscription's user. */
export async function isProved(
  ctx: Context,
  scope: Scope,
  { subscriptionId, browser, signedInId }: PayerProof & { subscriptionId: string },
): Promise<boolean> {
  if (browser === null && signedInId === null) return false;
  const payer = await findPayer(ctx.db, scope, subscriptionId);
  if (!payer) return false;
  if (payer.userId === signedInId) return true;
  if (browser === null) return false;
  return hasPayerProof(ctx.db, scope, {
    subscriptionId,
    userId: payer.userId,
    mailboxHash: toHash(toEmailNormal(payer.email)),
    browserHash: toHash(browser),
    nowMs: ctx.realNowMs(),
  });
}

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const toHash = (text: string): string => createHash('sha256').update(text).digest('base64url');

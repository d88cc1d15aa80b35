/** Letters to accounts, by the mail server or nowhere. Who they go to, and the links in them, are looked up here. */
import type { Service } from '../../context.ts';
import { toUnsentError } from '../../providers/mail/unsent-error.ts';
import {
  ACCOUNT_MAIL_KINDS,
  type AccountMailKind,
  type AccountMailRow,
  countAccountMails,
  endAccountMail,
  postponeAccountMail,
  takeAccountMails,
} from '../../resources/accounts/account-mails.queries.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
} from '../../resources/accounts/accounts.queries.ts';
import { EMAIL_MS, LINK_MS, makeLink, RESET_MS } from './links.ts';
import { type AccountLetter, writeAccountLetter } from './write-account-letter.ts';

const AT_ONCE = 20;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 30_000;
const ATTEMPTS_MAX = 6;
/** Of a kind to an address within an hour: those that anybody can cause. */
const PER_HOUR = 5;
const HOUR_MS = 3_600_000;

type MailContext = Pick<Service, 'db' | 'ids' | 'config' | 'log' | 'mail'> & { realNowMs: () => number };

/** Sends what is due, and answers how many letters that was. */
export async function sendAccountMails(service: MailContext): Promise<number> {
  const taken = await takeAccountMails(service.db, { nowMs: service.realNowMs(), limit: AT_ONCE });
  for (const row of taken) await sendOne(service, row);
  return taken.length;
}

async function sendOne(service: MailContext, row: AccountMailRow): Promise<void> {
  const { db, mail, config, log } = service;
  const nowMs = service.realNowMs();
  if (!mail || row.endsAt <= nowMs) return endAccountMail(db, { id: row.id, status: 'dropped' });
  const letter = await writeOne(service, { row, nowMs });
  if (!letter) return endAccountMail(db, { id: row.id, status: 'dropped' });
  const from = { name: 'Counterfoil', address: config.mailFrom };
  const messageId = `<${row.id}@${new URL(config.publicUrl).hostname}>`;
  const outgoing = { messageId, from, to: letter.to, replyTo: null, dateMs: row.createdAt };
  const outcome = await mail.send({ ...outgoing, ...letter.text }, { timeoutMs: TIMEOUT_MS });
  if (outcome.kind === 'sent') return endAccountMail(db, { id: row.id, status: 'sent' });
  const err = toUnsentError(outcome);
  log.warn(
    { err, kind: row.kind, refId: row.id, attempt: row.attempts },
    'a letter to an account was not sent',
  );
  if (outcome.kind === 'refused' || row.attempts >= ATTEMPTS_MAX)
    return endAccountMail(db, { id: row.id, status: 'failed' });
  await postponeAccountMail(db, { id: row.id, dueAt: nowMs + RETRY_MS * row.attempts });
}

interface Addressed {
  to: string;
  text: AccountLetter;
}

/** Null for an address without an account, or one that was written to too often. */
async function writeOne(
  service: MailContext,
  { row, nowMs }: { row: AccountMailRow; nowMs: number },
): Promise<Addressed | null> {
  const { db } = service;
  const ctx = { ...service, nowMs };
  const { recipient, kind } = row;
  const params = row.params ?? {};
  const account = await findAccountByEmail(db, recipient);
  const isCausedByAnybody =
    kind === 'link' || kind === 'reset' || kind === 'sign_up' || kind === 'email_change';
  if (isCausedByAnybody) {
    const since = nowMs - HOUR_MS;
    if ((await countAccountMails(db, { recipient, kind, since })) >= PER_HOUR) return null;
  }
  const url = await linkOf(ctx, { row, account });
  if (isCausedByAnybody && url === null) return null;
  // Guesses are counted for every address; what has changed is told to the one that was the account's, too.
  if (!account && kind === 'failures') return null;
  const to = typeof params.email === 'string' ? params.email : (account?.email ?? recipient);
  const { publicUrl } = service.config;
  const language = account?.language ?? (typeof params.language === 'string' ? params.language : 'en');
  return { to, text: writeAccountLetter({ kind: toKind(kind), url, params, publicUrl, language }) };
}

/** What an older release queued under a name that is no more is told as a change. */
function toKind(kind: string): AccountMailKind {
  return ACCOUNT_MAIL_KINDS.find((known) => known === kind) ?? 'changed';
}

async function linkOf(
  ctx: MailContext & { nowMs: number },
  { row, account }: { row: AccountMailRow; account: AccountRow | undefined },
): Promise<string | null> {
  const { db, config } = ctx;
  const isLiving = account !== undefined && account.disabledAt === null;
  const accountId = account?.id ?? null;
  switch (row.kind) {
    case 'link':
      // It stands in the place of a password.
      return isLiving && config.passwordSignIn
        ? makeLink(ctx, db, { kind: 'link', accountId, lifeMs: LINK_MS })
        : null;
    case 'reset':
      return isLiving && config.passwordSignIn
        ? makeLink(ctx, db, { kind: 'reset', accountId, lifeMs: RESET_MS })
        : null;
    case 'sign_up': {
      // Whoever has an account is let in rather than made twice.
      if (account) return isLiving ? makeLink(ctx, db, { kind: 'link', accountId, lifeMs: LINK_MS }) : null;
      const params = { email: row.recipient };
      return makeLink(ctx, db, { kind: 'sign_up', accountId: null, lifeMs: RESET_MS, params });
    }
    case 'email_change': {
      const asker = await findAccount(db, String(row.params?.accountId ?? ''));
      // One that another has is not told of: the link would be refused.
      if (!asker || account) return null;
      const params = { email: row.params?.email };
      return makeLink(ctx, db, { kind: 'email', accountId: asker.id, lifeMs: EMAIL_MS, params });
    }
    default:
      return typeof row.params?.url === 'string' ? row.params.url : null;
  }
}

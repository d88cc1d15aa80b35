/**
 * Tries of queued mails: written at the first try and the same at every other, handed to the mail server between two
 * transactions, and recorded with their due rows. Without a mail server they are kept, to be read by the merchant. A
 * process that dies after the server has taken a mail sends it again, under the same Message-ID.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inGroupOrAlone } from '../../db/group-transaction.ts';
import type { Scope } from '../../db/scope.ts';
import { isSaleKind, type MailKind, SECRET_KINDS } from '../../domain/mails/kinds.ts';
import { nextMailDelayMs } from '../../domain/mails/retry-schedule.ts';
import { writeMail } from '../../domain/mails/write-mail.ts';
import { type Seller, toSettings } from '../../domain/settings.ts';
import type { MailOutcome, MailProvider } from '../../providers/mail/mail-provider.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  findWholeMail,
  finishMail,
  updateMail,
  type WholeMail,
} from '../../resources/mails/mails.queries.ts';
import { loadMailSale } from './load-mail-sale.ts';

/** Less than the lease, so that a try has ended before another worker may take the mail up. */
const TIMEOUT_MS = 30_000;
/** An advance of the test clock waits for its mails. */
const TIMEOUT_ADVANCING_MS = 2_000;

interface Written {
  sender: string;
  replyTo: string | null;
  subject: string;
  html: string;
  plain: string;
}

/** Mails of one store, each at its own moment. Tells of each how its try went. */
export async function sendMails(
  service: Omit<Context, 'nowMs'>,
  works: readonly ClaimedWork[],
  ended: (work: ClaimedWork, error?: unknown) => void,
): Promise<void> {
  const { db } = service;
  // Each by its key: asked for all at once, the store would rather read whole tables.
  const found = await inGroupOrAlone(db, works, (tx, work) => findWholeMail(tx, work.scope, work.refId));
  const tried = await Promise.allSettled(
    works.map(async (work, place) => {
      const mail = found[place];
      if (mail?.status === 'rejected') throw mail.reason;
      return tryMail({ ...service, nowMs: work.nowMs }, work, mail?.value);
    }),
  );
  const done = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const recorded = await inGroupOrAlone(db, done, (tx, one) => record(tx, one));
  for (const [place, work] of works.entries()) {
    const one = tried[place];
    const end = one?.status === 'rejected' ? one : recorded.shift();
    ended(work, end?.status === 'rejected' ? end.reason : undefined);
  }
}

/** A mail that has been tried, if it was still to be. */
interface Tried {
  ctx: Context;
  work: ClaimedWork;
  mail: WholeMail | null;
  written: Written | null;
  /** Null = there is no mail server. */
  outcome: MailOutcome | null;
}

async function tryMail(ctx: Context, work: ClaimedWork, mail: WholeMail | undefined): Promise<Tried> {
  if (mail?.status !== 'queued') return { ctx, work, mail: null, written: null, outcome: null };
  const written = findWritten(mail) ?? (await write(ctx, work.scope, mail));
  const outcome = ctx.mail ? await send(ctx, ctx.mail, { mail, written }) : null;
  ctx.notice({ what: 'mail', outcome: outcome?.kind ?? 'kept' });
  return { ctx, work, mail, written, outcome };
}

/** What an earlier try has written. */
function findWritten({ sender, replyTo, subject, html, plain }: WholeMail): Written | null {
  if (sender === null || subject === null || html === null || plain === null) return null;
  return { sender, replyTo, subject, html, plain };
}

async function write(ctx: Context, scope: Scope, mail: WholeMail): Promise<Written> {
  const { seller } = toSettings(mail.settings);
  const name = seller.name ?? mail.storeName;
  // Only kinds of the catalogue are queued.
  const kind = mail.kind as MailKind;
  const letter = writeMail({
    kind,
    language: mail.language,
    params: mail.params,
    sale: isSaleKind(kind) ? await loadMailSale(ctx, scope, mail) : null,
    sender: { name, email: seller.email, address: toAddress(seller) },
    isTest: scope.testMode,
  });
  return { sender: name, replyTo: seller.email, ...letter };
}

function toAddress({ address, addressLine2, postalCode, city, state }: Seller): string[] {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [address, addressLine2, town, state].filter((line): line is string => Boolean(line));
}

function send(
  ctx: Context,
  provider: MailProvider,
  { mail, written }: { mail: WholeMail; written: Written },
): Promise<MailOutcome> {
  const address = ctx.config.mailFrom;
  const outgoing = {
    messageId: `<${mail.id}@${address.split('@').at(-1)}>`,
    from: { name: written.sender, address },
    to: mail.recipient,
    replyTo: written.replyTo,
    subject: written.subject,
    html: written.html,
    plain: written.plain,
    dateMs: mail.createdAt,
  };
  return provider.send(outgoing, { timeoutMs: ctx.isAdvancing ? TIMEOUT_ADVANCING_MS : TIMEOUT_MS });
}

async function record(tx: Tx, { ctx, work, mail, written, outcome }: Tried): Promise<void> {
  if (!mail) {
    await finishDueWork(tx, work);
    return;
  }
  const attempts = mail.attempts + (outcome ? 1 : 0);
  const delayMs = outcome?.kind === 'failed' ? nextMailDelayMs(attempts) : null;
  const status = toStatus(outcome, delayMs);
  const isSent = status === 'sent';
  const changes = {
    id: mail.id,
    status,
    attempts,
    lastError: outcome === null || outcome.kind === 'sent' ? null : outcome.detail,
    sentAt: isSent ? ctx.nowMs : null,
    ...written,
    // A link that lets somebody in is nobody else's, once it is on its way.
    ...(isSent && SECRET_KINDS.includes(mail.kind) ? { html: null, plain: null, params: '{}' } : {}),
  };
  if (delayMs === null) return finishMail(tx, work, changes);
  const isHeld = await postponeDueWork(tx, work, { dueMs: ctx.nowMs + delayMs });
  if (isHeld) await updateMail(tx, work.scope, changes);
}

function toStatus(outcome: MailOutcome | null, delayMs: number | null): WholeMail['status'] {
  if (outcome === null) return 'kept';
  if (outcome.kind === 'sent') return 'sent';
  return delayMs === null ? 'failed' : 'queued';
}

/**
 * Tries of queued mails: written at the first try and the same at every other, handed to the mail server between two
 * transactions, and recorded with their due rows. Without a mail server they are kept, to be read by the merchant, and
 * so is one that is held back. A
 * process that dies after the server has taken a mail sends it again, under the same Message-ID.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inGroupOrAlone } from '../../db/group-transaction.ts';
import type { Scope } from '../../db/scope.ts';
import { type LegalPaths, toLegalPaths, toPortalPath } from '../../domain/consumer/legal-paths.ts';
import { keepLetter, makeTexts } from '../../domain/mails/kept-letter.ts';
import { isSaleKind, type MailKind, type MailParams, SECRET_KINDS } from '../../domain/mails/kinds.ts';
import { maskLinks, maskSecrets } from '../../domain/mails/mask.ts';
import { packLetter, unpackLetter } from '../../domain/mails/packed-letter.ts';
import { nextMailDelayMs } from '../../domain/mails/retry-schedule.ts';
import { type MailLook, type MailSource, writeLetter } from '../../domain/mails/write-mail.ts';
import { toOwnPicture } from '../../domain/own-picture.ts';
import { type Seller, toSettings } from '../../domain/settings.ts';
import type { Branding } from '../../domain/settings-blocks.ts';
import { tellWorkFound } from '../../domain/trace-points.ts';
import type { MailOutcome, MailProvider } from '../../providers/mail/mail-provider.ts';
import { toUnsentError } from '../../providers/mail/unsent-error.ts';
import { noteAcknowledgement } from '../../resources/consumer/acknowledgements.queries.ts';
import { noteConfirmation, noteDelivery } from '../../resources/consumer/consents.queries.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  findWholeMail,
  finishMail,
  updateMail,
  type WholeMail,
} from '../../resources/mails/mails.queries.ts';
import { loadMailSale } from './load-mail-sale.ts';
import { toProvingUrl } from './proof-link.ts';
import { createStopUrl, withReminderLinks } from './reminder-links.ts';
import { STATEMENT_PATHS, signStatementLink } from './statement-link.ts';

/** Less than the lease, so that a try has ended before another worker may take the mail up. */
const TIMEOUT_MS = 30_000;
/** An advance of the test clock waits for its mails. */
const TIMEOUT_ADVANCING_MS = 2_000;

/** Mails that stand for the confirmation of a contract. */
const CONFIRMS: ReadonlySet<string> = new Set(['receipt', 'subscription_started']);
const BRINGS_KEYS: ReadonlySet<string> = new Set([...CONFIRMS, 'free_claim', 'key_delivery']);

/** Of a mail that is kept although there is a mail server. */
const HELD_BACK = 'Not sent: too many of this kind were asked for with this address within an hour.';

interface Written {
  sender: string;
  replyTo: string | null;
  subject: string;
  /** JSON. */
  letter: string;
}

/** Mails of one store, each at its own moment. Tells of each how its try went. */
export async function sendMails(
  service: Omit<Context, 'nowMs'>,
  works: readonly ClaimedWork[],
  ended: (work: ClaimedWork, error?: unknown) => void,
): Promise<void> {
  const { db } = service;
  // Each by its key: asked for all at once, the store would rather read whole tables.
  const found = await inGroupOrAlone(db, works, (tx, work) => takeUp(tx, { service, work }));
  tellWorkFound(() => found.flatMap((one) => (one.status === 'fulfilled' ? (one.value?.eventId ?? []) : [])));
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

/**
 * Whatever brings keys has delivered them once it is on its way, and that is written down before: a withdrawal of that very
 * moment would take back what the buyer reads a second later.
 */
async function takeUp(
  tx: Tx,
  { service, work }: { service: Pick<Context, 'mail'>; work: ClaimedWork },
): Promise<WholeMail | undefined> {
  const mail = await findWholeMail(tx, work.scope, work.refId);
  if (mail && mail.orderId !== null && BRINGS_KEYS.has(mail.kind) && isHandedOver(service, mail))
    await noteDelivery(tx, work.scope, { orderId: mail.orderId, itemIds: null, atMs: work.nowMs });
  return mail;
}

const isHandedOver = (
  { mail: provider }: Pick<Context, 'mail'>,
  { status, heldBack, isOfCopy }: WholeMail,
): boolean => provider !== null && status === 'queued' && !heldBack && !isOfCopy;

/** A mail that has been tried, if it was still to be. */
interface Tried {
  ctx: Step;
  work: ClaimedWork;
  mail: WholeMail | null;
  written: Written | null;
  /** Null = there is no mail server, or it is held back, or of a live store of a copy. */
  outcome: MailOutcome | null;
}

async function tryMail(ctx: Context, work: ClaimedWork, mail: WholeMail | undefined): Promise<Tried> {
  if (mail?.status !== 'queued') return { ctx, work, mail: null, written: null, outcome: null };
  const written = findWritten(mail) ?? (await write(ctx, work.scope, mail));
  const outcome =
    ctx.mail && isHandedOver(ctx, mail)
      ? await send(ctx, ctx.mail, { mail, written, scope: work.scope })
      : null;
  ctx.notice({ what: 'mail', outcome: outcome?.kind ?? 'kept' });
  if (outcome?.kind === 'failed') {
    const [err, attempt] = [toUnsentError(outcome), mail.attempts + 1];
    ctx.log.warn({ err, kind: 'send_mail', refId: mail.id, attempt }, 'a mail was not sent');
  }
  return { ctx, work, mail, written, outcome };
}

/** What an earlier try has written. */
function findWritten({ sender, replyTo, subject, letter }: WholeMail): Written | null {
  if (sender === null || subject === null || letter === null) return null;
  return { sender, replyTo, subject, letter: unpackLetter(letter) };
}

async function write(ctx: Context, scope: Scope, mail: WholeMail): Promise<Written> {
  const isOfSale = isSaleKind(mail.kind);
  const sale = isOfSale ? await loadMailSale(ctx, scope, mail) : null;
  const params = await withProof(ctx, scope, mail);
  const legal = toLegalUrls(ctx, scope, mail);
  return toLetter(ctx, mail, {
    params,
    sale,
    legal,
    dashboard: toStorePlace(ctx, scope),
    isTest: scope.testMode,
  });
}

const toStorePlace = ({ config: { publicUrl } }: Step, { workspaceId, testMode }: Scope): string =>
  `${publicUrl}/dashboard/${workspaceId}/${testMode ? 'test' : 'live'}`;

function toLetter(
  { config }: Step,
  mail: WholeMail,
  about: Pick<MailSource, 'params' | 'sale' | 'legal' | 'dashboard' | 'isTest'>,
): Written {
  const { seller, branding } = toSettings(mail.settings);
  const name = seller.name ?? mail.storeName;
  // Only kinds of the catalogue are queued.
  const kind = mail.kind as MailKind;
  const look = toLook(config.publicUrl, branding);
  const sender = { name, email: seller.email, address: toAddress(seller), look };
  const { language, recipient } = mail;
  const letter = writeLetter({ ...about, kind, language, sender, recipient });
  return { sender: name, replyTo: seller.email, subject: letter.subject, letter: keepLetter(letter) };
}

/** A picture that was uploaded here; mail programs ask for it at our own address. */
function toLook(publicUrl: string, { logo, accent, ...branding }: Branding): MailLook {
  const { websiteUrl, termsUrl, privacyUrl, imprintUrl } = branding;
  const path = toOwnPicture(logo);
  return { logo: path && `${publicUrl}${path}`, accent, websiteUrl, termsUrl, privacyUrl, imprintUrl };
}

const NOWHERE: LegalPaths = { portal: null, withdraw: null, cancel: null };

function toLegalUrls({ config, nowMs }: Context, { testMode }: Scope, mail: WholeMail): LegalPaths {
  const settings = toSettings(mail.settings).consumer;
  const hasRunningRight = mail.withdrawableUntil !== null && mail.withdrawableUntil >= nowMs;
  const { portal, withdraw, cancel } = toLegalPaths({ ...mail, testMode, settings, hasRunningRight });
  const toUrl = (path: string | null) => (path === null ? null : `${config.publicUrl}${path}`);
  return { portal: toUrl(portal), withdraw: toUrl(withdraw), cancel: toUrl(cancel) };
}

/** What is asked for by mail alone is paid by the stored card, too: see `findPayUrl` for what an event tells of. */
async function withProof(ctx: Context, scope: Scope, mail: WholeMail): Promise<object> {
  const { kind, params, payToken } = mail;
  if (kind === 'withdrawal_received' || kind === 'notice_received')
    return withStatementLink(ctx, scope, mail);
  if (kind === 'checkout_reminder') return withReminderLinks(ctx, scope, mail);
  const isAsking = kind === 'payment_overdue' || kind === 'subscription_unpaid';
  if (!isAsking || payToken === null) return params;
  return { ...params, payUrl: await toProvingUrl(ctx, { ...mail, payToken }) };
}

/** The link by which the contract's mailbox says no to what was stated. It stands in the mail alone. */
async function withStatementLink(ctx: Context, scope: Scope, mail: WholeMail): Promise<object> {
  // Of these two kinds, as they were queued.
  const params = mail.params as Partial<MailParams['withdrawal_received'] & MailParams['notice_received']>;
  const { statementId = '', canObject = false, canKeep = false } = params;
  if (!canObject && !canKeep) return params;
  const purpose = canObject ? ('object' as const) : ('keep' as const);
  const link = await signStatementLink(ctx, scope, { purpose, statementId });
  const base = toPortalPath({ portalSlug: mail.portalSlug, testMode: scope.testMode });
  return { ...params, linkUrl: `${ctx.config.publicUrl}${base}${STATEMENT_PATHS[purpose]}${link}` };
}

function toAddress({ address, addressLine2, postalCode, city, state }: Seller): string[] {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [address, addressLine2, town, state].filter((line): line is string => Boolean(line));
}

async function send(
  ctx: Context,
  provider: MailProvider,
  { mail, written, scope }: { mail: WholeMail; written: Written; scope: Scope },
): Promise<MailOutcome> {
  const address = ctx.config.mailFrom;
  const outgoing = {
    messageId: `<${mail.id}@${address.split('@').at(-1)}>`,
    from: { name: written.sender, address },
    to: mail.recipient,
    replyTo: written.replyTo,
    subject: written.subject,
    ...makeTexts(written.letter),
    dateMs: mail.createdAt,
    stopUrl: mail.kind === 'checkout_reminder' ? await createStopUrl(ctx, scope, mail) : null,
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
  const { heldBack } = mail;
  const changes = {
    id: mail.id,
    status,
    attempts,
    lastError: heldBack ? HELD_BACK : outcome === null || outcome.kind === 'sent' ? null : outcome.detail,
    sentAt: isSent ? ctx.nowMs : null,
    ...packed(toKept(ctx, work.scope, { mail, written, isOver: delayMs === null })),
  };
  if (delayMs === null) {
    await noteStatementMail(tx, { ctx, scope: work.scope, mail, status });
    await noteSaleMail(tx, { ctx, scope: work.scope, mail, status });
    return finishMail(tx, work, changes);
  }
  const isHeld = await postponeDueWork(tx, work, { dueMs: ctx.nowMs + delayMs });
  if (isHeld) await updateMail(tx, work.scope, changes);
}

interface Kept extends Partial<Omit<Written, 'letter'>> {
  letter?: string | null;
  params?: string;
}

interface Keeping {
  mail: WholeMail;
  written: Written | null;
  /** It is not tried again. */
  isOver: boolean;
}

/**
 * What is kept of a mail. In live mode nothing that still opens something is read by the merchant, who could become any
 * buyer by it; in test mode it is, for whoever tries the shop has no mailbox of the buyers. What was held back was not
 * asked for by them.
 */
function toKept(ctx: Step, scope: Scope, { mail, written, isOver }: Keeping): Kept {
  const isSecret = SECRET_KINDS.includes(mail.kind);
  if (!scope.testMode && written) {
    const { sender, replyTo, subject } = written;
    const masked = isSecret ? null : maskLinks(written.letter);
    // Written anew at the next try.
    if (!isOver && masked !== written.letter) return { sender, replyTo, subject };
    if (masked !== null) return { ...written, letter: masked };
    const params = maskSecrets(mail.params as Record<string, unknown>);
    const { letter } = toLetter(ctx, mail, {
      ...{ params, sale: null, legal: NOWHERE, isTest: false },
      dashboard: toStorePlace(ctx, scope),
    });
    return { sender, replyTo, subject, letter, params: '{}' };
  }
  const isGone = mail.heldBack && isSecret;
  return { ...written, ...(isGone ? { letter: null, params: '{}' } : {}) };
}

const packed = (kept: Kept): Kept => (kept.letter ? { ...kept, letter: packLetter(kept.letter) } : kept);

function toStatus(outcome: MailOutcome | null, delayMs: number | null): WholeMail['status'] {
  if (outcome === null) return 'kept';
  if (outcome.kind === 'sent') return 'sent';
  return delayMs === null ? 'failed' : 'queued';
}

/** A receipt repeats what was agreed to. */
async function noteSaleMail(
  tx: Tx,
  { ctx, scope, mail, status }: { ctx: Step; scope: Scope; mail: WholeMail; status: WholeMail['status'] },
): Promise<void> {
  const { orderId, kind, heldBack } = mail;
  if (orderId === null || !CONFIRMS.has(kind) || mail.consentedAt === null) return;
  if (status === 'sent' || (scope.testMode && !heldBack))
    await noteConfirmation(tx, scope, { orderId, confirmedAt: ctx.nowMs });
}

/** What was stated is acknowledged when the mail to whoever stated it is on its way, or kept in test mode. */
async function noteStatementMail(
  tx: Tx,
  { ctx, scope, mail, status }: { ctx: Step; scope: Scope; mail: WholeMail; status: WholeMail['status'] },
): Promise<void> {
  const { kind, recipient, params, heldBack } = mail;
  if (kind !== 'withdrawal_received' && kind !== 'notice_received') return;
  if (status !== 'sent' && (!scope.testMode || heldBack)) return;
  // Of these two kinds, as they were queued.
  const { statementId = '' } = params as Partial<MailParams['withdrawal_received']>;
  await noteAcknowledgement(tx, scope, { kind, statementId, recipient, acknowledgedAt: ctx.nowMs });
}

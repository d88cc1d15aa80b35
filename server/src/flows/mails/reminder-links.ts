/**
 * Links in the mail about a purchase that was not finished. They are written into the mail when it is sent, and stand
 * nowhere else.
 */
import { createHash } from 'node:crypto';
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { toLinkPath } from '../../domain/checkout/session-path.ts';
import { toPortalPath } from '../../domain/consumer/legal-paths.ts';
import { toEmailNormal } from '../../domain/email.ts';
import type { MailParams } from '../../domain/mails/kinds.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { findSessionById } from '../../resources/checkouts/checkouts.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

/** In real time: whoever wants no more mails may say so for long. */
const STOP_LINK_MS = 366 * 24 * 3_600_000;
/** Below the store's portal. */
export const STOP_PATH = '/reminders/stop/';

type Signing = Pick<Service, 'db' | 'realNowMs' | 'config'>;

const toPurpose = ({ workspaceId, testMode }: Scope) => `reminders stop ${workspaceId} ${testMode}`;

/** An address as it is kept among those that were reminded. */
export const toAddressHash = (email: string): string =>
  createHash('sha256').update(toEmailNormal(email)).digest('base64url');

interface Reminder {
  recipient: string;
  portalSlug: string;
}

/** The page that ends these mails to an address; its button, or a mailbox's own, does it by one press. */
export async function createStopUrl(
  service: Signing,
  scope: Scope,
  { recipient, portalSlug }: Reminder,
): Promise<string> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const expiresAtMs = service.realNowMs() + STOP_LINK_MS;
  const opens = [toAddressHash(recipient)];
  const link = signLink(secret, { purpose: toPurpose(scope), opens, expiresAtMs });
  const base = toPortalPath({ portalSlug, testMode: scope.testMode });
  return `${service.config.publicUrl}${base}${STOP_PATH}${link}`;
}

/** The hash of the address that a link stops; null for one that is forged or too old. */
export async function openStopLink(service: Signing, scope: Scope, link: string): Promise<string | null> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const opened = openLink(secret, link, { purpose: toPurpose(scope), nowMs: service.realNowMs() });
  return opened.kind === 'open' ? (opened.opens[0] ?? null) : null;
}

/** What the text of the mail is written from, with its links. */
export async function withReminderLinks(
  service: Signing,
  scope: Scope,
  { params, ...mail }: Reminder & { params: Partial<MailParams['checkout_reminder']> },
): Promise<object> {
  const { sessionId = '', discountCode = null } = params;
  const session = await findSessionById(service.db, scope, sessionId);
  const { publicUrl } = service.config;
  const query = new URLSearchParams({
    'svc-resume': session?.token ?? '',
    ...(discountCode !== null && { 'svc-discount-code': discountCode }),
  });
  const resumeUrl = session ? `${publicUrl}${toLinkPath(session)}?${query}` : publicUrl;
  return { ...params, resumeUrl, stopUrl: await createStopUrl(service, scope, mail) };
}

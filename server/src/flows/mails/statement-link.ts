/**
 * Links in mails about a buyer's statement, by which whoever reads the mailbox says that it was not theirs, or takes a
 * cancellation back. They are signed when the mail is written, and open a page whose button does it.
 */
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

/** What a link does: object to a withdrawal, or keep a subscription. */
export type StatementLinkPurpose = 'object' | 'keep';

/** Where the page of a link lies below the store's portal. */
export const STATEMENT_PATHS: Readonly<Record<StatementLinkPurpose, string>> = {
  object: '/withdraw/object/',
  keep: '/cancel-contract/keep/',
};

/** In real time. What it does may be over long before: then it does nothing. */
const LINK_MS = 60 * 24 * 3_600_000;

type Signing = Pick<Service, 'db' | 'realNowMs'>;

const toPurpose = (purpose: StatementLinkPurpose, { workspaceId, testMode }: Scope) =>
  `statement ${purpose} ${workspaceId} ${testMode}`;

export async function signStatementLink(
  service: Signing,
  scope: Scope,
  { purpose, statementId }: { purpose: StatementLinkPurpose; statementId: string },
): Promise<string> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const expiresAtMs = service.realNowMs() + LINK_MS;
  return signLink(secret, { purpose: toPurpose(purpose, scope), opens: [statementId], expiresAtMs });
}

/** The statement that a link is about; null for one that is forged or too old. */
export async function openStatementLink(
  service: Signing,
  scope: Scope,
  { purpose, link }: { purpose: StatementLinkPurpose; link: string },
): Promise<string | null> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const opened = openLink(secret, link, { purpose: toPurpose(purpose, scope), nowMs: service.realNowMs() });
  return opened.kind === 'open' ? (opened.opens[0] ?? null) : null;
}

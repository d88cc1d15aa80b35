/** Links that give a bought file out, signed and short-lived. */
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { fromShortId, toShortId } from '../../domain/link-token.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import type { BoughtItem } from './check-access.ts';

export const LINK_LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'download';

/** A link that leads to the file of a bought item for 15 minutes of real time. */
export async function createDownloadUrl(
  service: Service,
  { workspaceId, testMode }: Scope,
  { orderId, itemId }: BoughtItem,
): Promise<string> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const token = signLink(secret, {
    purpose: PURPOSE,
    opens: [toShortId(workspaceId), testMode ? 'test' : 'live', toShortId(orderId), toShortId(itemId)],
    expiresAtMs: service.realNowMs() + LINK_LIFETIME_MS,
  });
  return `${service.config.publicUrl}/downloads/${token}`;
}

/**
 * What a link's token leads to. Throws not_found for a forged or an expired one. The caller asks whether it is still
 * the buyer's: access may have ended since the link was written.
 */
export async function readDownloadLink(
  service: Service,
  token: string,
): Promise<{ scope: Scope; bought: BoughtItem }> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const link = openLink(secret, token, { purpose: PURPOSE, nowMs: service.realNowMs() });
  if (link.kind === 'expired') throw new Refusal('not_found', { message: 'This link has expired.' });
  const [workspace = '', mode, order = '', item = ''] = link.kind === 'open' ? link.opens : [];
  const [workspaceId, orderId, itemId] = [workspace, order, item].map(fromShortId);
  if (!workspaceId || !orderId || !itemId) throw new Refusal('not_found');
  return { scope: { workspaceId, testMode: mode === 'test' }, bought: { orderId, itemId } };
}

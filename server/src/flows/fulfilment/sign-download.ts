/** Links that give a file out, signed and short-lived. */
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { Refusal } from '../../domain/errors.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { findLinkedFile } from '../../resources/files/files.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

const LINK_LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'download';

/** A link that gives out a file for 15 minutes of real time. The caller has checked who may have it. */
export async function createDownloadUrl(service: Service, db: Db, fileId: string): Promise<string> {
  const secret = await getInstallationSecret(db, 'signed-links');
  const expiresAtMs = service.realNowMs() + LINK_LIFETIME_MS;
  return `${service.config.publicUrl}/downloads/${signLink(secret, { purpose: PURPOSE, id: fileId, expiresAtMs })}`;
}

/** The file that a link's token opens. Throws not_found for a forged or an expired one. */
export async function getDownload(service: Service, token: string): Promise<Row<'files'>> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const link = openLink(secret, token, { purpose: PURPOSE, nowMs: service.realNowMs() });
  if (link.kind === 'expired') throw new Refusal('not_found', { message: 'This link has expired.' });
  const file = link.kind === 'open' ? await findLinkedFile(service.db, link.id) : undefined;
  if (!file) throw new Refusal('not_found');
  return file;
}

/** Keeping uploaded files and giving out links to them. */
import type { Context, Service } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { findLinkedFile, insertFile } from '../../resources/files/files.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

const LINK_LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'download';

/** What an upload amounts to: all of it decides whether two are the same request. */
export interface ReceivedFile {
  fileName: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  blurHash: string | null;
}

export async function keepFile(
  ctx: Context,
  scope: Scope,
  { tx, id, received }: { tx: Tx; id: string; received: ReceivedFile },
): Promise<Row<'files'>> {
  // A request without a body never reaches the intake.
  if (!received.sizeBytes) throw invalidField('body', 'must not be empty');
  const { fileName, contentType, sizeBytes, blurHash } = received;
  return insertFile(tx, scope, { id, fileName, contentType, sizeBytes, blurHash, createdAt: ctx.nowMs });
}

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

/** Links that lead to the file of an export, signed and short-lived. */
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { fromShortId, toShortId } from '../../domain/link-token.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { type ExportRow, findExport } from '../../resources/exports/exports.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

const LINK_LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'export';

/** A link for 15 minutes of real time; null while there is no file. */
export async function createExportUrl(service: Service, row: ExportRow): Promise<string | null> {
  if (row.outcome !== 'done') return null;
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const token = signLink(secret, {
    purpose: PURPOSE,
    opens: [toShortId(row.workspaceId), row.testMode ? 'test' : 'live', toShortId(row.id)],
    expiresAtMs: service.realNowMs() + LINK_LIFETIME_MS,
  });
  return `${service.config.publicUrl}/exports/${token}`;
}

/** What a link's token leads to. Throws not_found for a forged or an expired one, and where the file is gone. */
export async function readExportLink(service: Service, token: string): Promise<ExportRow> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const link = openLink(secret, token, { purpose: PURPOSE, nowMs: service.realNowMs() });
  if (link.kind === 'expired') throw new Refusal('not_found', { message: 'This link has expired.' });
  const [workspace = '', mode, file = ''] = link.kind === 'open' ? link.opens : [];
  const [workspaceId, id] = [workspace, file].map(fromShortId);
  if (!workspaceId || !id) throw new Refusal('not_found');
  const scope: Scope = { workspaceId, testMode: mode === 'test' };
  const row = await findExport(service.db, scope, id);
  if (row?.outcome !== 'done') throw new Refusal('not_found');
  return row;
}

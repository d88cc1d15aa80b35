/** The files of the restored stores are there again: uploads by their ids, documents by their rows' hashes. */
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { toDocumentName, toUploadName } from '../../providers/files/file-store.ts';
import { listKeptBytes } from '../../resources/exports/whole-store.queries.ts';
import { noteHash } from '../../resources/installation/files-place.queries.ts';
import type { Archive, ReadPart } from './read-archive.ts';

export type BytesService = Pick<Service, 'db' | 'config' | 'files'>;

/** Bytes that are not what their row says are left out: they are found missing, as they were where they come from. */
export async function restoreBytes(
  { db, files }: BytesService,
  { archive: { header, parts }, scopes }: { archive: Archive; scopes: readonly Scope[] },
): Promise<number> {
  let count = 0;
  const keep = async (name: string, { place, sha256 }: ReadPart) => {
    await files.put(name, { path: place, sha256, sizeBytes: (await stat(place)).size });
    count += 1;
  };
  for (const scope of scopes) {
    const under = header.kind === 'backup' ? `${scope.workspaceId}/${scope.testMode ? 'test' : 'live'}/` : '';
    const kept = await listKeptBytes(db, scope);
    for (const { id, sha256 } of kept.files) {
      const part = parts.get(`files/${under}${id}`);
      if (!part || part.sha256 !== (sha256 ?? part.sha256)) continue;
      await keep(toUploadName({ ...scope, id, sha256: part.sha256 }), part);
      // Of before hashes were noted.
      if (sha256 === null) await noteHash(db, { ...scope, id, sha256: part.sha256 });
    }
    for (const { id, number, sha256 } of kept.documents) {
      const part = parts.get(`documents/${under}${number}.pdf`);
      if (part?.sha256 === sha256) await keep(toDocumentName({ ...scope, id }, sha256), part);
    }
  }
  return count;
}

/**
 * Nothing of a workspace that is not there any more. Elsewhere than in DATA_DIR it is left: another installation may use
 * the place, and under the same names the next restore finds the same bytes.
 */
export async function removeWorkspaceBytes(
  { dataDir, files }: Pick<Service['config'], 'dataDir' | 'files'>,
  workspaceId: string,
): Promise<void> {
  if (files !== null) return;
  for (const folder of ['files', 'invoices'])
    await rm(path.join(dataDir, folder, workspaceId), { recursive: true, force: true });
}

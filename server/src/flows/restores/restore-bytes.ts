/** What lay on disk for the restored stores lies there again: uploads by their ids, documents by their rows' hashes. */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { storeBytes, toPath } from '../../providers/files/disk.ts';
import { listKeptBytes } from '../../resources/exports/whole-store.queries.ts';
import type { Archive } from './read-archive.ts';

export type BytesService = Pick<Service, 'db' | 'config' | 'documents'>;

export async function restoreBytes(
  { db, config, documents }: BytesService,
  { archive: { header, parts }, scopes }: { archive: Archive; scopes: readonly Scope[] },
): Promise<number> {
  let files = 0;
  for (const scope of scopes) {
    const under = header.kind === 'backup' ? `${scope.workspaceId}/${scope.testMode ? 'test' : 'live'}/` : '';
    const kept = await listKeptBytes(db, scope);
    for (const { id } of kept.files) {
      const part = parts.get(`files/${under}${id}`);
      if (!part) continue;
      const target = toPath(config.dataDir, { ...scope, id });
      await rm(target, { force: true });
      await storeBytes(target, createReadStream(part.place), Number.MAX_SAFE_INTEGER);
      files += 1;
    }
    for (const { id, number, sha256 } of kept.documents) {
      const part = parts.get(`documents/${under}${number}.pdf`);
      if (!part) continue;
      await documents.keep({ ...scope, id }, { sha256, from: part.place });
      files += 1;
    }
  }
  return files;
}

/** Nothing of a workspace that is not there any more. */
export async function removeWorkspaceBytes(dataDir: string, workspaceId: string): Promise<void> {
  for (const folder of ['files', 'invoices'])
    await rm(path.join(dataDir, folder, workspaceId), { recursive: true, force: true });
}

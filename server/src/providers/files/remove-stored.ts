/** Takes away what lies of a store of which no row is left. */
import { removeBytes, toPath } from './disk.ts';
import { type FileStore, toDocumentName, toUploadName } from './file-store.ts';

export interface Leftovers {
  files: ReadonlyArray<{ id: string; sha256: string | null }>;
  exportIds: readonly string[];
  documents: ReadonlyArray<{ id: string; sha256: string }>;
}

/** Files by name, never the folder: the emptied store may take new ones at once. */
export async function removeStored(
  { files, dataDir }: { files: FileStore; dataDir: string },
  scope: { workspaceId: string; testMode: boolean },
  stored: Leftovers,
): Promise<void> {
  for (const { id, sha256 } of stored.files) await files.remove(toUploadName({ ...scope, id, sha256 }));
  for (const { id, sha256 } of stored.documents) await files.remove(toDocumentName({ ...scope, id }, sha256));
  for (const id of stored.exportIds) await removeBytes(toPath(dataDir, { ...scope, id }));
}

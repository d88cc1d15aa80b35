/** Where this installation's files lie, as FILES_URL says: opened for the service, and held against what the store says. */
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { createDocumentShelf, type DocumentShelf } from '../documents/document-shelf.ts';
import { toFilesUrl } from '../domain/files-place.ts';
import type { FileStore } from '../providers/files/file-store.ts';
import { openFileStore } from '../providers/files/open-file-store.ts';
import { settleFiles } from '../resources/installation/files-place.queries.ts';
import { isInstallationCopy } from '../resources/installation/held.queries.ts';

type FilesConfig = Pick<Config, 'files' | 'dataDir'>;

export function openFiles({ files, dataDir }: FilesConfig): Promise<FileStore> {
  return openFileStore(files ?? { kind: 'folder', folder: dataDir });
}

/** For the service: what it keeps, and where it draws. */
export async function openShelf(
  config: FilesConfig,
  db: () => Db,
): Promise<{ files: FileStore; shelf: DocumentShelf }> {
  const files = sparing(await openFiles(config), config, db);
  return { files, shelf: createDocumentShelf({ files, dataDir: config.dataDir }) };
}

/**
 * A copy for tries that still names the place of what it is a copy of takes nothing away there: those files are another's.
 * DATA_DIR it has to itself.
 */
function sparing(files: FileStore, config: FilesConfig, db: () => Db): FileStore {
  if (config.files === null) return files;
  return {
    ...files,
    remove: async (name) => {
      if (!(await isInstallationCopy(db()))) await files.remove(name);
    },
  };
}

/** Why this process may not go on: it would write files where nobody looks for them. Null = it may. */
export async function findMisplaced(db: Db, { files }: FilesConfig): Promise<string | null> {
  const kept = await settleFiles(db, files);
  const own = toFilesUrl(files);
  if (kept === own) return null;
  const [there, here] = [kept ?? 'DATA_DIR', own ?? 'DATA_DIR'];
  return `the files of this store lie in ${there}, and FILES_URL says ${here}: set it to that, or move them: npm run storage -- move --to URL`;
}

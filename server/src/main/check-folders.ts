/** Before a start touches anything: the folders that settings name can be written to. The embedded store looks itself. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { makeFolder } from '../db/embedded/make-folder.ts';
import type { FilesPlace } from '../domain/files-place.ts';
import { EXIT } from './exit-codes.ts';
import { isPathRefused } from './operators/operator-store.ts';
import { StartError } from './start-error.ts';

type Folders = Pick<Config, 'databaseUrl' | 'dataDir' | 'files' | 'retainExport' | 'role'>;

export async function checkFolders(config: Folders): Promise<void> {
  if (config.databaseUrl !== null) await check('DATA_DIR', config.dataDir);
  await check('FILES_URL', toFolder(config.files));
  if (config.role !== 'api') await check('RETAIN_EXPORT', toFolder(config.retainExport));
}

const toFolder = (place: FilesPlace | null) => (place?.kind === 'folder' ? place.folder : null);

/** A disk that is full, or does not answer, is no wrong setting: what needs it says so once it is asked. */
async function check(name: string, folder: string | null): Promise<void> {
  if (folder === null) return;
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (!isPathRefused(cause) || !(cause instanceof Error)) return;
    throw new StartError(`${name} (${folder}) cannot be used: ${cause.message}`, {
      cause,
      exit: EXIT.usage,
    });
  }
}

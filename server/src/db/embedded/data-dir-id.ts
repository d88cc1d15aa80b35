/**
 * What tells the folder of an embedded cluster from a copy of it: a random value in a file beside the cluster, together
 * with that file's own inode, which no copy has. Backups leave the file out.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from './platform.ts';

const NAME = 'data-dir-id';

export const toDataDirIdFile = (cluster: string) => path.join(path.dirname(cluster), NAME);

/** Made where there is none. */
export async function readDataDirId(cluster: string): Promise<string> {
  const file = toDataDirIdFile(cluster);
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  const { ino } = await stat(file, { bigint: true });
  return `${(await readFile(file, 'utf8')).trim()}.${ino}`;
}

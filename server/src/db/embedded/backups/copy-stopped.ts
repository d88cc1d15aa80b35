/** A copy of a stopped cluster, beside it, that a release can be gone back from. */
import { constants, existsSync } from 'node:fs';
import {
  copyFile,
  lchown,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';

export interface CopyingStopped {
  cluster: string;
  /** Ends the copy's name. */
  name: string;
  /** Larger ones are copied only where that takes no room, or where it is asked for by name. */
  limitBytes: number;
  isAsked: boolean;
  /** Whether the disk is tried for sharing what is not changed; tests say no. */
  shares?: boolean;
}

const PREFIX = 'postgres.before-';
const PARTIAL = '.partial';
const KEPT = 3;
/** What a migration and the log take beside it. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** Answers where the copy is. Throws one line, with nothing changed, where there is no room, or where it is too large. */
export async function copyStopped(copying: CopyingStopped): Promise<string> {
  const { cluster, name, limitBytes, isAsked, shares = true } = copying;
  const home = path.dirname(cluster);
  const target = path.join(home, PREFIX + name);
  const isShared = shares && (await canShare(cluster));
  const bytes = await measure(cluster);
  if (!isShared) await checkRoom({ home, bytes, limitBytes, isAsked });
  await removePartials(home);
  const partial = target + PARTIAL;
  try {
    await copyFolder(cluster, partial);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await forgetOlder(home);
  return target;
}

async function checkRoom({
  home,
  bytes,
  limitBytes,
  isAsked,
}: {
  home: string;
  bytes: number;
  limitBytes: number;
  isAsked: boolean;
}): Promise<void> {
  const size = `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  if (bytes > limitBytes && !isAsked) {
    throw new Error(
      `the store of ${size} is to be migrated, and this disk would have to hold it twice to go back: set BACKUP_DIR, or MIGRATE=now to have it copied`,
    );
  }
  const { bavail, bsize } = await statfs(home);
  if (bavail * bsize < bytes + SPARE_BYTES) {
    throw new Error(
      `the store of ${size} is to be migrated, and the disk has no room for a copy to go back to: make room, or set BACKUP_DIR`,
    );
  }
}

async function measure(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** Whether a copy may share its blocks with what it is a copy of, until one of them changes. */
async function canShare(cluster: string): Promise<boolean> {
  const probe = path.join(path.dirname(cluster), `.share-${process.pid}`);
  try {
    await copyFile(path.join(cluster, 'PG_VERSION'), probe, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = await stat(from);
  await mkdir(to, { mode: mode & 0o777 });
  await own(to, uid, gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await own(target, uid, gid);
    }
  }
}

/** The files of a cluster are their folder's account's, all of them. */
async function own(file: string, uid: number, gid: number): Promise<void> {
  if (process.getuid?.() === 0) await lchown(file, uid, gid);
}

async function removePartials(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const isLeft = name.startsWith(PREFIX) && name.endsWith(PARTIAL);
    if (isLeft) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

async function forgetOlder(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(PREFIX));
  const made = await Promise.all(
    names.map(async (name) => ({ name, atMs: (await stat(path.join(home, name))).ctimeMs })),
  );
  made.sort((a, b) => b.atMs - a.atMs);
  for (const { name } of made.slice(KEPT)) await rm(path.join(home, name), { recursive: true, force: true });
}

/** What brings the copy back, once the service has ended; the migrated one is kept beside it. */
export function toUndo(cluster: string, copy: string): string {
  const quote = (file: string) => `'${file.replaceAll("'", "'\\''")}'`;
  return `mv ${quote(cluster)} ${quote(`${cluster}.migrated`)} && mv ${quote(copy)} ${quote(cluster)}`;
}

export const isStopped = (cluster: string) => !existsSync(path.join(cluster, 'postmaster.pid'));

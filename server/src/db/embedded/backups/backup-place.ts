/**
 * Where the backups of one store lie: `<BACKUP_DIR>/store-<id>/log`, the log as the server archives it, and `bases`.
 * The id is that of the store's folder, so that a copy of the folder, or a restored one, keeps backups of its own.
 */
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { readDataDirId } from '../data-dir-id.ts';
import { makeFolder } from '../make-folder.ts';
import type { Place } from '../place.ts';
import { hasCode } from '../platform.ts';
import { canEnter } from '../server-user.ts';
import type { Archive } from '../settings.ts';

export interface BackupOptions {
  backupDir: string;
  /** Whether it may lie on the disk that it is to outlive. */
  sameDisk: boolean;
}

export interface BackupPlace {
  root: string;
  log: string;
  bases: string;
}

const PREFIX = 'store-';
/** What an unfinished segment waits for: an hour of rest archives none, and at most so much is lost. */
const TIMEOUT_S = 60;
/** A segment of 16 MiB is archived whole, however little is in it. */
const WIDE_TIMEOUT_S = 900;
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
const NARROW_BYTES = 1024 * 1024;

export const toBackupPlace = (root: string): BackupPlace => ({
  root,
  log: path.join(root, 'log'),
  bases: path.join(root, 'bases'),
});

/** Makes the place ready for the server's user to write the log into. Throws one line where it cannot be there. */
export async function prepareBackups(
  place: Place,
  { backupDir, sameDisk }: BackupOptions,
): Promise<BackupPlace> {
  const folder = await openFolder(backupDir);
  await refuseSameDisk(place, { backupDir: folder, sameDisk });
  const id = createHash('sha256')
    .update(await readDataDirId(place.cluster))
    .digest('hex');
  const backups = toBackupPlace(path.join(folder, PREFIX + id.slice(0, 12)));
  await mkdir(backups.bases, { recursive: true, mode: 0o755 });
  await chmod(backups.bases, 0o700);
  await mkdir(backups.log, { recursive: true, mode: 0o700 });
  const { user } = place;
  if (user.via === 'direct') return backups;
  await chown(backups.log, user.uid, user.gid);
  if (user.via === 'switch' && !canEnter(user, backups.log)) {
    throw new Error(`PostgreSQL runs as uid ${user.uid}, which may not enter BACKUP_DIR ${folder}`);
  }
  return backups;
}

/** The folder that BACKUP_DIR names cannot be made or entered. */
export class BackupDirRefused extends Error {
  override name = 'BackupDirRefused';
}

async function openFolder(backupDir: string): Promise<string> {
  try {
    await makeFolder(backupDir);
    return await realpath(backupDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupDirRefused(`BACKUP_DIR (${backupDir}) cannot be used: ${reason}`, { cause });
  }
}

async function refuseSameDisk(place: Place, { backupDir, sameDisk }: BackupOptions): Promise<void> {
  const isWithin = (folder: string) => `${backupDir}/`.startsWith(`${folder}/`);
  if (isWithin(place.dataDir) || isWithin(place.cluster)) {
    throw new Error(`BACKUP_DIR ${backupDir} lies within what it is to outlive: put it on another disk`);
  }
  if (sameDisk) return;
  const disks = await Promise.all([place.dataDir, path.dirname(place.cluster)].map((dir) => stat(dir)));
  const { dev } = await stat(backupDir);
  if (disks.some((disk) => disk.dev === dev)) {
    throw new Error(
      `BACKUP_DIR ${backupDir} is on the disk of DATA_DIR, and would be lost with it: put it on another, or set BACKUP_SAME_DISK=true`,
    );
  }
}

/** How the server of this cluster archives into it. */
export async function toArchive(place: Place, backups: BackupPlace): Promise<Archive> {
  const bytes = await readSegmentBytes(place.cluster);
  return { directory: backups.log, timeoutS: bytes > NARROW_BYTES ? WIDE_TIMEOUT_S : TIMEOUT_S };
}

/** Of the cluster's log: the size of any segment of it, which all have. */
export async function readSegmentBytes(cluster: string): Promise<number> {
  const folder = path.join(cluster, 'pg_wal');
  for (const name of await readdir(folder)) {
    if (!SEGMENT_NAME.test(name)) continue;
    try {
      return (await stat(path.join(folder, name))).size;
    } catch (error) {
      // It was recycled just now.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
  return NARROW_BYTES;
}

/** What was named as backups is none. */
class NoBackups extends Error {
  override name = 'NoBackups';
}

/** The one store whose backups lie in a folder, or which it is itself. Throws a line where that is not one. */
export async function findBackups(from: string): Promise<BackupPlace> {
  const names = await readdir(from).catch(() => null);
  if (names === null) throw new NoBackups(`${from} cannot be read`);
  if (names.includes('bases')) return toBackupPlace(from);
  const stores = names.filter((name) => name.startsWith(PREFIX));
  if (stores.length === 0) throw new NoBackups(`there are no backups in ${from}`);
  const folders = stores.map((name) => path.join(from, name));
  // A store that was restored on this machine has its place there before it has a backup.
  const copied = await Promise.all(folders.map(async (root) => (await listCopies(root)).length > 0));
  const [only, ...others] = stores.length === 1 ? folders : folders.filter((_, n) => copied[n]);
  if (only === undefined) throw new NoBackups(`there are no base backups in ${from}`);
  if (others.length > 0) {
    const all = [only, ...others].join(', ');
    throw new NoBackups(`there are backups of several stores in ${from}, name one of them: ${all}`);
  }
  return toBackupPlace(only);
}

const listCopies = (root: string) => readdir(toBackupPlace(root).bases).catch((): string[] => []);

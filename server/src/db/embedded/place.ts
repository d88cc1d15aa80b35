import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, statSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Access, prepareAccess } from './access.ts';
import { makeFolder } from './make-folder.ts';
import { type Binaries, findNativeDir, hasCode, linkLibraries } from './platform.ts';
import { canEnter, canPass, findServerUser, type ServerUser } from './server-user.ts';
import type { Archive } from './settings.ts';

/** Where a store lives and who runs it. All paths are absolute and free of symbolic links, but socketDir. */
export interface Place {
  dataDir: string;
  cluster: string;
  /** Holds the socket. It lies beside the cluster, so that two containers on one volume meet in it. */
  runDir: string;
  /** runDir, or a short link to it where its path is too long for a socket. */
  socketDir: string;
  logFile: string;
  user: ServerUser;
  access: Access;
  binaries: Binaries;
  /** What the server does with its log; null = nothing. */
  archive: Archive | null;
}

/** The longest socket path that Linux (107 bytes) and macOS (103 bytes) both take. */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/** The place of last resort for root, where it cannot give the server's user a way into DATA_DIR. */
const SYSTEM_DIR = '/var/lib/counterfoil';

/** Works out, and makes ready, the place of the store of a DATA_DIR. Throws one clear line where it cannot. */
export async function preparePlace(dataDirGiven: string): Promise<Place> {
  await makeFolder(dataDirGiven);
  const dataDir = await realpath(dataDirGiven);
  const found = path.join(dataDir, 'postgres');
  const clusterFound = existsSync(found) ? await realpath(found) : found;
  const { user, cluster, nativeDir } = await chooseReach(
    clusterFound,
    await realpath(findNativeDir()),
    dataDir,
  );

  const home = path.dirname(cluster);
  const runDir = path.join(home, 'run');
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  if (user.via !== 'direct') await chown(runDir, user.uid, user.gid);
  await chmod(runDir, 0o700);
  return {
    dataDir,
    cluster,
    runDir,
    socketDir: await toSocketDir(runDir, user),
    logFile: path.join(dataDir, 'postgres.log'),
    user,
    access: await prepareAccess(user, dataDir, cluster),
    binaries: await linkLibraries(nativeDir, path.join(home, 'lib')),
    archive: null,
  };
}

interface Reach {
  user: ServerUser;
  cluster: string;
  nativeDir: string;
}

/** Finds a way for the server's user to its binaries and files: as they are, past closed folders, or moved. */
async function chooseReach(cluster: string, nativeDir: string, dataDir: string): Promise<Reach> {
  const user = findServerUser(cluster);
  if (user.via === 'direct') return { user, cluster, nativeDir };
  const entersHome = canEnter(user, path.dirname(cluster));
  const entersNative =
    canEnter(user, path.join(nativeDir, 'bin')) && canEnter(user, path.join(nativeDir, 'lib'));
  if (entersHome && entersNative) return { user, cluster, nativeDir };
  if (canPass(user, path.join(nativeDir, 'bin', 'postgres'))) {
    return { user: { ...user, via: 'pass' }, cluster, nativeDir };
  }
  if (!entersHome && existsSync(cluster)) {
    throw new Error(
      `PostgreSQL does not run as root, and uid ${user.uid} may not enter ${cluster}: open its parent folders, or set DATABASE_URL.`,
    );
  }
  return {
    user,
    cluster: entersHome ? cluster : await moveCluster(dataDir),
    nativeDir: entersNative ? nativeDir : await copyBinaries(nativeDir),
  };
}

/**
 * Gives the cluster a home in SYSTEM_DIR and leaves a link in DATA_DIR, which later starts follow. The home has a random
 * name that only the link knows: a DATA_DIR that was removed and made again never finds the old cluster.
 */
async function moveCluster(dataDir: string): Promise<string> {
  const link = path.join(dataDir, 'postgres');
  const wanted = path.join(SYSTEM_DIR, randomUUID(), 'postgres');
  // Another first start may have been faster: its home is the store's. A link of a home that is gone names it anew.
  const cluster = await symlink(wanted, link).then(
    () => wanted,
    () => readlink(link),
  );
  await mkdir(path.dirname(cluster), { recursive: true });
  await chmod(SYSTEM_DIR, 0o755);
  await chmod(path.dirname(cluster), 0o755);
  return cluster;
}

async function copyBinaries(nativeDir: string): Promise<string> {
  // An update changes the binary in its place, and must not go on with the old copy.
  const { size, mtimeMs } = statSync(path.join(nativeDir, 'bin', 'postgres'));
  const version = createHash('sha256').update(`${nativeDir} ${size} ${mtimeMs}`).digest('hex').slice(0, 16);
  const copy = path.join(SYSTEM_DIR, `native-${version}`);
  if (existsSync(copy)) return copy;
  const staged = `${copy}.${randomUUID()}`;
  await mkdir(SYSTEM_DIR, { recursive: true });
  await chmod(SYSTEM_DIR, 0o755);
  copyReadable(nativeDir, staged);
  await rename(staged, copy).catch(async (error: unknown) => {
    // Another start was faster; its copy is the same.
    await rm(staged, { recursive: true });
    if (!existsSync(copy)) throw error;
  });
  return copy;
}

/** Synchronous, so that nothing else is written while the process has the wider umask. */
function copyReadable(from: string, to: string): void {
  const before = process.umask(0o022);
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  } finally {
    process.umask(before);
  }
}

async function toSocketDir(runDir: string, user: ServerUser): Promise<string> {
  if (fits(runDir)) return runDir;
  const id = createHash('sha256').update(runDir).digest('hex').slice(0, 16);
  const tmp = await realpath(os.tmpdir());
  const isUsable = fits(path.join(tmp, `counterfoil-${id}-0`)) && canEnter(user, tmp);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const link = path.join(isUsable ? tmp : '/tmp', `counterfoil-${id}-${attempt}`);
    if (await linkTo(runDir, link)) return link;
  }
  throw new Error(`No short link to ${runDir} can be made in ${tmp}: choose a DATA_DIR with a shorter path.`);
}

function fits(dir: string): boolean {
  return Buffer.byteLength(path.join(dir, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
}

/**
 * Makes `link` point to `target`. False when the name is taken by something that is not our link: in a
 * shared folder another user could otherwise lead us to a server of theirs.
 */
async function linkTo(target: string, link: string): Promise<boolean> {
  try {
    await symlink(target, link);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const [found, pointsTo] = await Promise.all([lstat(link), readlink(link).catch(() => null)]);
  if (pointsTo === null || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  if (pointsTo === target) return true;
  await unlink(link);
  await symlink(target, link);
  return true;
}

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSecured, SERVICE_ROLE, SUPERUSER, writeAccess } from './access.ts';
import type { Place } from './place.ts';
import { hasCode, toUnsupportedMessage } from './platform.ts';
import { toCommand } from './server-user.ts';

/** Half-made clusters of a killed first start are removed after this long. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Creates the cluster where there is none. It is made under another name and moved into place when it is
 * whole, so that a kill leaves nothing half-made and two first starts at once end with one cluster.
 */
export async function createCluster(place: Place, durable: boolean): Promise<void> {
  if (existsSync(path.join(place.cluster, 'PG_VERSION'))) return secureAtRest(place, durable);
  const home = path.dirname(place.cluster);
  await removeAbandoned(home);
  const staged = path.join(home, `postgres.new-${randomUUID()}`);
  await mkdir(staged, { mode: 0o700 });
  await chmod(staged, 0o700);
  if (place.user.via !== 'direct') await chown(staged, place.user.uid, place.user.gid);
  try {
    await runInitdb(place, staged, durable);
    await writeAccess(staged, place.access, place.user);
    await rename(staged, place.cluster);
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    const lostTheRace = hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST');
    if (!lostTheRace || !existsSync(path.join(place.cluster, 'PG_VERSION'))) throw error;
  }
  if (durable) await syncFolder(home);
}

async function runInitdb(place: Place, target: string, durable: boolean): Promise<void> {
  // Who may enter is written below, before the server's first start.
  const args = ['-D', target, '-U', SUPERUSER, '-A', 'peer', '--encoding=UTF8'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  // Little is archived of a store that rests.
  args.push('--wal-segsize=1');
  if (!durable) args.push('--no-sync');
  await runBinary(place, { name: 'initdb', args, target });
  await setPassword(place, target, durable);
}

/** Told over standard input to a server without a socket: no file and no command line shows it to anybody. */
async function setPassword(place: Place, target: string, durable: boolean): Promise<void> {
  const { password } = place.access;
  if (password === null) return;
  const args = ['--single', '-D', target, ...(durable ? [] : ['-F']), 'postgres'];
  // A role that is not there yet is complained of and passed over.
  const input = [SUPERUSER, SERVICE_ROLE]
    .map((role) => `alter role ${role} password '${password}'\n`)
    .join('');
  await runBinary(place, { name: 'postgres', args, target, input });
}

/** A cluster that another account or another release has left asks, from its next start on, what this one asks. */
async function secureAtRest(place: Place, durable: boolean): Promise<void> {
  if (isSecured(place.cluster, place.access) || isServed(place.cluster)) return;
  await setPassword(place, place.cluster, durable);
  await writeAccess(place.cluster, place.access, place.user);
}

/** Whether a server may be at work, as its lock file says: it is then told once somebody has a session. */
function isServed(cluster: string): boolean {
  return existsSync(path.join(cluster, 'postmaster.pid'));
}

async function runBinary(
  place: Place,
  { name, args, target, input = '' }: { name: string; args: string[]; target: string; input?: string },
): Promise<void> {
  const binary = path.join(place.binaries.nativeDir, 'bin', name);
  const command = toCommand(place.user, binary, args);
  const child = spawn(command.file, command.args, {
    // The server's user may not be able to enter the folder we happen to run in.
    cwd: '/',
    env: toServerEnv(place),
    uid: command.uid,
    gid: command.gid,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // A program that ends before it has read says so itself.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(toSpawnError(error, binary)));
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} failed in ${target}: ${complaint.trim() || `exit code ${code}`}`);
}

/**
 * A small, known environment: PG* variables and locales of the caller must not reach the server. A preloaded library
 * does, so that whoever runs the service on a moved clock (libfaketime) moves its store with it.
 */
export function toServerEnv(place: Pick<Place, 'binaries'>): NodeJS.ProcessEnv {
  const { libraryDir, nativeDir } = place.binaries;
  const loader = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  // A library that is loaded by way of a link looks for its own needs beside the link, so both are named.
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD$|FAKETIME)/.test(name)),
    ),
    ...(libraryDir === null ? {} : { [loader]: `${libraryDir}:${path.join(nativeDir, 'lib')}` }),
  };
}

/** A binary that is there but "not found" lacks its loader: a platform with another C library (musl). */
export function toSpawnError(error: Error, binary: string): Error {
  const isForeign = hasCode(error, 'ENOENT') || hasCode(error, 'ENOEXEC');
  if (isForeign && existsSync(binary)) return new Error(toUnsupportedMessage(process.platform, process.arch));
  return error;
}

async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('postgres.new-')) continue;
    const dir = path.join(home, name);
    const { mtimeMs } = await stat(dir);
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(dir, { recursive: true, force: true });
  }
}

/** The rename must be on disk before the first commit is promised to be. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

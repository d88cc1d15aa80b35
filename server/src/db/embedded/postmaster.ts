import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toServerEnv, toSpawnError } from './cluster.ts';
import type { Place } from './place.ts';
import { hasCode } from './platform.ts';
import { toCommand } from './server-user.ts';
import { toServerArguments } from './settings.ts';

const LOG_BYTES_MAX = 5_000_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 15;

/** A server process that we have just started. */
export interface StartedServer {
  /** The reason, once the process has ended; null while it runs. */
  failure(): string | null;
}

/** The process id of the living server of this cluster, or null. */
export function findPostmaster(place: Place): number | null {
  const pid = readLockPid(path.join(place.cluster, 'postmaster.pid'));
  return pid !== null && isPostmasterOf(pid, place.cluster) ? pid : null;
}

/**
 * Starts the server in a session of its own: a Ctrl-C in the terminal must reach the service, which drains
 * and then stops the server, and not the server itself.
 */
export async function startPostmaster(
  place: Place,
  durable: boolean,
  more: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  disownStaleLocks(place);
  const log = await openLog(place);
  const logStart = (await log.stat()).size;
  const binary = path.join(place.binaries.nativeDir, 'bin', 'postgres');
  const args = [
    '-D',
    place.cluster,
    ...toServerArguments(place.socketDir, { durable, archive: place.archive, more }),
  ];
  const command = toCommand(place.user, binary, args);
  const child = spawn(command.file, command.args, {
    cwd: '/',
    detached: true,
    env: toServerEnv(place),
    uid: command.uid,
    gid: command.gid,
    // A file, since a pipe would break when we are killed and take the server with it.
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  const ended = watchEnd(child, binary);
  started.set(place.cluster, ended);
  await log.close();
  return { failure: () => ended.reason && (ended.detail ?? readFailure(place, logStart) ?? ended.reason) };
}

/** By their clusters, those of this process: one that has just begun has no lock file yet. */
const started = new Map<string, End>();

async function findStarted(place: Place): Promise<number | null> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  for (;;) {
    const pid = findPostmaster(place);
    const isBeginning = started.get(place.cluster)?.reason === null && Date.now() < deadline;
    if (pid !== null || !isBeginning) return pid;
    await delay(POLL_MS);
  }
}

/** Stops the server as `pg_ctl -m fast` does, and returns when its files are at rest. */
export async function stopPostmaster(place: Place, log: (line: string) => void): Promise<void> {
  const pid = await findStarted(place);
  if (pid === null) return;
  process.kill(pid, 'SIGINT');
  if (await isGone(place, pid)) return;
  log(`PostgreSQL did not stop within ${STOP_TIMEOUT_MS} ms: stopping it at once, the next start recovers`);
  process.kill(pid, 'SIGQUIT');
  await isGone(place, pid);
}

async function isGone(place: Place, pid: number): Promise<boolean> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    // The server removes its lock file last. Its process may stay on as a zombie where nobody reaps orphans.
    if (findPostmaster(place) !== pid) return true;
    await delay(POLL_MS);
  }
  return false;
}

interface End {
  reason: string | null;
  detail: string | null;
}

function watchEnd(child: ChildProcess, binary: string): End {
  const end: End = { reason: null, detail: null };
  child.once('error', (error) => {
    end.detail = toSpawnError(error, binary).message;
    end.reason = 'it could not be run';
  });
  child.once('exit', (code, signal) => {
    end.reason = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  return end;
}

function readFailure(place: Place, logStart: number): string | null {
  const lines = readFileSync(place.logFile).subarray(logStart).toString('utf8').split('\n');
  const fatal = lines.find((line) => /(FATAL|PANIC|error|cannot|could not)/i.test(line));
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? null;
}

async function openLog(place: Place) {
  if (existsSync(place.logFile) && (await stat(place.logFile)).size > LOG_BYTES_MAX) {
    await rename(place.logFile, `${place.logFile}.old`);
  }
  return open(place.logFile, 'a', 0o600);
}

/**
 * PostgreSQL refuses to start over a lock file whose process lives, also when that number went to another
 * program since (a container counts from 1 each time). It does ignore its parent's number, which is ours:
 * we write that in, and keep the rest of the file, with which it looks for survivors of the last server.
 */
function disownStaleLocks(place: Place): void {
  const locks = [path.join(place.cluster, 'postmaster.pid'), path.join(place.runDir, '.s.PGSQL.5432.lock')];
  for (const file of locks) {
    const pid = readLockPid(file);
    if (pid === null || pid === process.pid || !isAlive(pid) || isPostmasterOf(pid, place.cluster)) continue;
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [String(process.pid), ...rest].join('\n'));
  }
}

function readLockPid(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Whether a process of this number is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    // A zombie's command line is empty, so one that nobody has reaped counts as gone.
    const line =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.includes('postgres') && line.includes(`-D ${cluster} `);
  } catch {
    return false;
  }
}

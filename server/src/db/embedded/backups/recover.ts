/** Makes a cluster of a base backup and the log after it: as of a moment, or as far as the log goes. */
import { lchown, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from '../place.ts';
import { startPostmaster, stopPostmaster } from '../postmaster.ts';
import type { BackupPlace } from './backup-place.ts';
import { copyTree } from './copy-files.ts';
import {
  expandSegment,
  findGaps,
  listHistories,
  listSegments,
  type Segment,
  SegmentDamaged,
  toSegment,
} from './log-segments.ts';
import type { Base } from './manifest.ts';

export interface Recovering {
  place: Place;
  backups: BackupPlace;
  base: Base;
  /** The next base after it, whose log no moment before it needs; null = all of the log. */
  next: Base | null;
  atMs: number | null;
  durable: boolean;
}

/** A day of a busy store's log takes a while; a server that says nothing for so long hangs. */
const SILENCE_MAX_MS = 600_000;
const POLL_MS = 50;
const READY = /database system is ready to accept connections/;
const NOT_REACHED = /recovery ended before configured recovery target was reached/;
const LAST_COMMIT = /last completed transaction was at log time (\S+) (\S+)\+00/g;

export interface Recovered {
  /** The moment of the last transaction that is in it; null = none was made after the base. */
  reached: string | null;
  /** The segment of the log that it ended before, damaged, or missing although later ones are there; null = none is. */
  gap: string | null;
}

/** A moment after the end of the log is that end: nothing was written in between, or it is lost. */
export async function recover(recovering: Recovering): Promise<Recovered> {
  await copyCluster(recovering);
  const gap = await fillLog(recovering);
  await handOver(recovering.place);
  const { place, atMs } = recovering;
  const target: Record<string, string> =
    atMs === null ? {} : { recovery_target_time: toTarget(atMs), recovery_target_action: 'promote' };
  const said = await replay(recovering, target);
  const isCutShort = NOT_REACHED.test(said);
  const all = isCutShort ? said + (await replay(recovering, {})) : said;
  // The store's next start writes whom it lets in, and under which password, as for a cluster of another account.
  await rm(path.join(place.cluster, 'pg_hba.conf'));
  if (!READY.test(all)) throw new Error(`the log could not be replayed (see ${place.logFile})`);
  const last = [...all.matchAll(LAST_COMMIT)].at(-1);
  const reached = last ? `${last[1]}T${last[2]}Z` : null;
  return { reached, gap: atMs === null || isCutShort ? gap : null };
}

/** The form that the server takes: without T and Z. */
export const toTarget = (atMs: number) =>
  `${new Date(atMs).toISOString().replace('T', ' ').replace('Z', '')}+00`;

async function copyCluster({ place, base, durable }: Recovering): Promise<void> {
  const from = path.join(base.folder, 'postgres');
  const copied = await copyTree({ from, to: place.cluster, durable });
  const wanted = new Map(base.manifest.cluster.map((file) => [file.path, file]));
  for (const { path: file, sha256 } of copied) {
    if (wanted.get(file)?.sha256 !== sha256)
      throw new Error(`${path.join(from, file)} was changed since it was copied: ${toBaseBefore(base)}`);
    wanted.delete(file);
  }
  const [missing] = wanted.keys();
  if (missing !== undefined) throw new Error(`${path.join(from, missing)} is missing: ${toBaseBefore(base)}`);
  await writeFile(path.join(place.cluster, 'recovery.signal'), '', { mode: 0o600 });
}

const toBaseBefore = ({ folder }: Base) =>
  `move ${folder} away, and the base before it is taken, with all of the log`;

/**
 * The log lies where the server looks by itself: it need not run anything to fetch it. Answers the first segment that is
 * missing or damaged; null = none is.
 */
async function fillLog(recovering: Recovering): Promise<string | null> {
  const { place, backups, base, next } = recovering;
  const { segmentBytes, firstSegment } = base.manifest;
  const begun = toSegment(firstSegment, segmentBytes);
  const first = begun?.number ?? 0;
  const last = next === null ? null : toSegment(next.manifest.lastSegment, segmentBytes);
  const folder = path.join(place.cluster, 'pg_wal');
  const all = await listSegments(backups.log, segmentBytes);
  const needed = all.filter(({ number }) => number >= first && (last === null || number <= last.number));
  const whole: Segment[] = [];
  for (const segment of needed) if (await placeSegment(recovering, segment)) whole.push(segment);
  for (const file of await listHistories(backups.log)) {
    const target = path.join(folder, file.replace(/\.gz$/, ''));
    await expandSegment(path.join(backups.log, file), target, null);
  }
  const there = new Set(whole.map(({ number }) => number));
  const torn = needed.find(({ number }) => !there.has(number))?.name;
  return (begun && findGaps(whole, begun, segmentBytes)[0]) ?? torn ?? null;
}

/** Whether it is whole. The end of the log is most likely torn when a disk dies, and what comes before it is wanted then. */
async function placeSegment({ place, backups, base }: Recovering, segment: Segment): Promise<boolean> {
  const { segmentBytes, lastSegment } = base.manifest;
  const target = path.join(place.cluster, 'pg_wal', segment.name);
  try {
    await expandSegment(path.join(backups.log, segment.file), target, segmentBytes);
    return true;
  } catch (error) {
    if (!(error instanceof SegmentDamaged)) throw error;
    // A base is of no use without the log of the time in which it was taken.
    if (segment.number <= (toSegment(lastSegment, segmentBytes)?.number ?? 0))
      throw new Error(`${error.message}: ${toBaseBefore(base)}`, { cause: error });
    await rm(target, { force: true });
    return false;
  }
}

/** To the account that the server runs as. */
async function handOver({ cluster, user }: Place): Promise<void> {
  if (user.via === 'direct') return;
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries) await lchown(path.join(parentPath, name), user.uid, user.gid);
  await lchown(cluster, user.uid, user.gid);
}

/** Runs the server until it is ready, or says why it is not, and stops it; answers what it said. */
async function replay({ place, durable }: Recovering, target: Record<string, string>): Promise<string> {
  const before = (await readLog(place)).length;
  // What is not in the folder is nowhere.
  const server = await startPostmaster(place, durable, {
    restore_command: 'exit 1',
    hot_standby: 'off',
    ...target,
  });
  let said = '';
  for (let silentMs = 0; server.failure() === null && !READY.test(said); silentMs += POLL_MS) {
    if (silentMs > SILENCE_MAX_MS) break;
    await delay(POLL_MS);
    const now = (await readLog(place)).subarray(before).toString('utf8');
    if (now !== said) silentMs = 0;
    said = now;
  }
  await stopPostmaster(place, () => {});
  return (await readLog(place)).subarray(before).toString('utf8');
}

const readLog = ({ logFile }: Place): Promise<Buffer> => readFile(logFile).catch(() => Buffer.alloc(0));

/** How full the disk of DATA_DIR was, noted once a day: what it grew in a week says when it is full. */
import { readFile, rename, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A start and its first sales are behind. */
const AFTER_MS = 60_000;
const EVERY_MS = 3_600_000;

export interface DiskUse {
  /** Real time. */
  atMs: number;
  usedBytes: number;
}

export interface DiskSpace extends DiskUse {
  freeBytes: number;
}

const fileIn = (dataDir: string): string => path.join(dataDir, 'disk-days.json');

/** Null where nobody can say, as of a folder that is not there. */
export async function measureDisk(dataDir: string, nowMs: number): Promise<DiskSpace | null> {
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null) return null;
  const { blocks, bfree, bavail, bsize } = disk;
  return { atMs: nowMs, usedBytes: (blocks - bfree) * bsize, freeBytes: bavail * bsize };
}

/** The oldest first; none where none were noted, or what was noted cannot be read. */
export async function readDiskDays(dataDir: string): Promise<DiskUse[]> {
  try {
    // Ours, and whole: it takes its place by a rename.
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as DiskUse[];
  } catch {
    return [];
  }
}

/** Notes the disk unless that was done within a day; what is older than a week and a day goes. */
export async function noteDiskDay(dataDir: string, nowMs: number): Promise<void> {
  const noted = await readDiskDays(dataDir);
  const last = noted.at(-1);
  if (last && nowMs - last.atMs < DAY_MS) return;
  const disk = await measureDisk(dataDir, nowMs);
  if (disk === null) return;
  const { atMs, usedBytes } = disk;
  const kept = [...noted.filter((one) => nowMs - one.atMs <= WEEK_MS + DAY_MS), { atMs, usedBytes }];
  const draft = `${fileIn(dataDir)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
  await rename(draft, fileIn(dataDir));
}

/** Days until nothing is free, at the growth of the last week; null = it does not grow, or too little is known of it. */
export function daysUntilFull(
  noted: readonly DiskUse[],
  { atMs, usedBytes, freeBytes }: DiskSpace,
): number | null {
  const first = noted.find((one) => atMs - one.atMs <= WEEK_MS + DAY_MS);
  if (!first || atMs - first.atMs < DAY_MS) return null;
  const grown = usedBytes - first.usedBytes;
  return grown > 0 ? (freeBytes * (atMs - first.atMs)) / grown / DAY_MS : null;
}

/** From a minute after the start on. A disk that takes no note is one that the doctor finds full. */
export function keepDiskDays(dataDir: string, nowMs: () => number): void {
  const note = () => void noteDiskDay(dataDir, nowMs()).catch(() => {});
  setTimeout(() => {
    note();
    setInterval(note, EVERY_MS).unref();
  }, AFTER_MS).unref();
}

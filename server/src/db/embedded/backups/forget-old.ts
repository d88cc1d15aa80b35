/** Lets go of bases that are older than they are kept for, with the log that only they need. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { BackupPlace } from './backup-place.ts';
import { dropLogBefore, toSegment } from './log-segments.ts';
import { type Base, isWhole, listBases, listFolders } from './manifest.ts';

const DAY_MS = 24 * 3_600_000;

/** Answers the folders that went. The last good one never does, however old it is. */
export async function forgetOldBases(
  { bases, log }: BackupPlace,
  { keepDays, nowMs }: { keepDays: number; nowMs: number },
): Promise<string[]> {
  const all = await listBases(bases);
  const last = await findLastGood(all);
  if (last === null) return [];
  const isOld = ({ manifest }: Base) => Date.parse(manifest.endedAt) < nowMs - keepDays * DAY_MS;
  // What is newer than the last good one is no good; it stays to be looked at until it is old as well.
  const old = all.filter((base) => base.folder !== last.folder && isOld(base));
  for (const { folder } of old) await rm(folder, { recursive: true, force: true });
  const kept = all.filter((base) => !old.includes(base));
  await dropUnneededLog(kept, log);
  return old.map(({ folder }) => folder);
}

async function findLastGood(all: readonly Base[]): Promise<Base | null> {
  for (const base of all.toReversed()) if (await isWhole(base)) return base;
  return null;
}

async function dropUnneededLog(kept: readonly Base[], log: string): Promise<void> {
  for (const segmentBytes of new Set(kept.map(({ manifest }) => manifest.segmentBytes))) {
    const needed = kept
      .filter(({ manifest }) => manifest.segmentBytes === segmentBytes)
      .flatMap(({ manifest }) => toSegment(manifest.firstSegment, segmentBytes)?.number ?? []);
    if (needed.length > 0) await dropLogBefore(log, Math.min(...needed), segmentBytes);
  }
}

/** What is in the way of a base that was changed by hand: folders without a manifest that is theirs. */
export async function listBroken({ bases }: BackupPlace): Promise<string[]> {
  const good = new Set((await listBases(bases)).map(({ folder }) => path.basename(folder)));
  return (await listFolders(bases)).filter((name) => !good.has(name) && !name.endsWith('.partial'));
}

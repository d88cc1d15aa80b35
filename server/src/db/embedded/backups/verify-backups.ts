/** Whether the backups of a store are of use: every byte of the bases, the log without gaps, and a copy that starts. */
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EmbeddedStore } from '../store.ts';
import type { BackupPlace } from './backup-place.ts';
import { hashFile } from './copy-files.ts';
import { listBroken } from './forget-old.ts';
import { noteOwn, removeKilled, toOwnName } from './killed-copies.ts';
import { findGaps, isReadable, listSegments, toSegment } from './log-segments.ts';
import { type Base, listBases, listParts } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

export interface Verifying {
  backups: BackupPlace;
  durable?: boolean;
  /** Asks the copy for what must always hold, and answers what does not. */
  ask: (store: EmbeddedStore) => Promise<string[]>;
}

export interface Verified {
  bases: number;
  findings: string[];
  /** The moment that the copy reached; null = none was started, for what was found before. */
  reached: string | null;
}

const COPY = 'verify-';

/** Nothing of it is changed; the copy lies beside the backups while it is looked at. */
export async function verifyBackups({ backups, ask, durable = true }: Verifying): Promise<Verified> {
  await removeKilled(backups.root, COPY);
  const bases = await listBases(backups.bases);
  const findings = (await listBroken(backups)).map(
    (name) => `${path.join(backups.bases, name)} has no manifest that is its own`,
  );
  for (const base of bases) findings.push(...(await findChanged(base)));
  findings.push(...(await findMissingLog(backups, bases)));
  if (bases.length === 0) findings.push(`there is no base backup in ${backups.root}`);
  if (findings.length > 0) return { bases: bases.length, findings, reached: null };
  const to = path.join(backups.root, toOwnName(COPY));
  const forget = noteOwn(to);
  try {
    const prepare = async (store: EmbeddedStore) => void findings.push(...(await ask(store)));
    const { reached } = await restoreBackup({ from: backups.root, atMs: null, to, durable, prepare });
    return { bases: bases.length, findings, reached };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { bases: bases.length, findings: [`the copy did not start: ${reason}`], reached: null };
  } finally {
    await rm(to, { recursive: true, force: true });
    forget();
  }
}

async function findChanged(base: Base): Promise<string[]> {
  const findings: string[] = [];
  for (const { below, bytes, sha256 } of listParts(base)) {
    const file = path.join(base.folder, below);
    const there = await stat(file).catch(() => null);
    if (there === null) findings.push(`${file} is missing`);
    else if (there.size !== bytes || (await hashFile(file)) !== sha256) {
      findings.push(`${file} was changed since it was copied`);
    }
  }
  return findings;
}

/** From the first base on: each of them begins in it. */
async function findMissingLog(backups: BackupPlace, bases: readonly Base[]): Promise<string[]> {
  const [oldest] = bases;
  if (oldest === undefined) return [];
  const { segmentBytes, firstSegment } = oldest.manifest;
  const first = toSegment(firstSegment, segmentBytes);
  if (first === null) return [`the manifest of ${oldest.folder} names no segment of the log`];
  const segments = await listSegments(backups.log, segmentBytes);
  const gaps = findGaps(segments, first, segmentBytes);
  const last = bases.at(-1)?.manifest.lastSegment;
  if (last !== undefined && !segments.some(({ name }) => name === last)) gaps.push(last);
  const findings = [...new Set(gaps)].map((name) => `${name} of the log is missing`);
  for (const { file, number } of segments) {
    const source = path.join(backups.log, file);
    if (number >= first.number && !(await isReadable(source, segmentBytes)))
      findings.push(`${source} is damaged`);
  }
  return findings;
}

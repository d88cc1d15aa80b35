/**
 * Files go to another place beside a running service: all are copied and read back, then the store says that they lie
 * there, and what was noted meanwhile is copied, too. Killed at any moment, another run goes on: what is there already is
 * read, and not copied again.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { tryLock } from '../../db/held-lock.ts';
import { type FileStore, toDocumentName, toUploadName } from '../../providers/files/file-store.ts';
import { hashOf, hashOfStream } from '../../providers/files/hash-of.ts';
import {
  beginFilesMove,
  endFilesMove,
  listStoredNames,
  MoveError,
  type NamesPage,
  noteHash,
  type StoredName,
  switchFiles,
} from '../../resources/installation/files-place.queries.ts';
import { openFiles } from '../open-files.ts';

/** Any number that no other lock of ours uses. */
const MOVE_LOCK = 7_301_959;
const PAGE = 500;
const AT_ONCE = 4;
const TOLD_EVERY = 1_000;

type Place = Pick<Config, 'files' | 'dataDir'>;

export interface Moving {
  to: Place;
  /** The same, as the store notes it. */
  url: string;
  /** What the store notes, as a place; null = DATA_DIR. */
  from: (url: string | null) => Place;
  leaveMissing: boolean;
  tell: (line: string) => void;
}

export interface Moved {
  copied: number;
  verified: number;
  /** Neither at the old place nor at the new one. */
  missing: number;
  isDone: boolean;
}

/** Throws MoveError. */
export async function moveFiles(
  { db, connection, dataDir }: { db: Db; connection: pg.ClientConfig; dataDir: string },
  moving: Moving,
): Promise<Moved> {
  const lock = await tryLock(connection, MOVE_LOCK);
  if (!lock) throw new MoveError('Another move is under way over this store.');
  // Several machines may run it one after the other: what one was killed over is its own.
  const staging = path.join(dataDir, 'storage-move.parts');
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const target = await openTarget(moving, staging);
    const { from, to } = await beginFilesMove(db, moving.url);
    const places = { source: await openFiles(moving.from(from)), target, staging };
    return await move({ db, ...places, to }, moving);
  } finally {
    await rm(staging, { recursive: true, force: true });
    await lock.release();
  }
}

/** A place that takes nothing is noticed before anything is noted, also of a store that has no files yet. */
async function openTarget({ to, url }: Moving, staging: string): Promise<FileStore> {
  const name = `.tried-${randomUUID()}`;
  const file = path.join(staging, name);
  try {
    const target = await openFiles(to);
    await writeFile(file, name, { mode: 0o600 });
    await target.put(name, { path: file, sha256: await hashOf(file), sizeBytes: name.length });
    await target.remove(name);
    return target;
  } catch (cause) {
    throw new MoveError(`No file can be written to ${url} and taken away again: ${toReason(cause)}`, {
      cause,
    });
  }
}

/** What a disk or a bucket said, where whoever asked it only says that it did not go. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

interface Copying {
  db: Db;
  source: FileStore;
  target: FileStore;
  staging: string;
}

async function move(copying: Copying & { to: string }, { leaveMissing, tell }: Moving): Promise<Moved> {
  const { db, to } = copying;
  const counts: Record<Outcome, number> = { copied: 0, verified: 0, missing: 0 };
  const report = (line: string) => tell(`${line}: ${counts.copied} copied, ${counts.verified} were there`);
  for await (const page of listAll(db))
    await inLots(page, async (stored) => {
      counts[await copyOne(copying, stored, tell)] += 1;
      if ((counts.copied + counts.verified) % TOLD_EVERY === 0) report('so far');
    });
  if (counts.missing > 0 && !leaveMissing) return { ...counts, isDone: false };
  report('switching');
  await switchFiles(db, to);
  // From here on files are noted at the new place alone; what was noted at the old one meanwhile is the rest.
  const isThere = lookUp(copying.target);
  const late: Record<Outcome, number> = { copied: 0, verified: 0, missing: 0 };
  for await (const page of listAll(db)) {
    const rest: Listed[] = [];
    for (const stored of page) if (!(await isThere(stored))) rest.push(stored);
    await inLots(rest, async (stored) => {
      late[await copyOne(copying, stored, tell)] += 1;
    });
  }
  counts.copied += late.copied;
  // Noted meanwhile by another machine, which has it.
  if (late.missing > 0 && !leaveMissing) return { ...counts, missing: late.missing, isDone: false };
  await endFilesMove(db);
  return { ...counts, isDone: true };
}

type Outcome = 'copied' | 'verified' | 'missing';
type Listed = StoredName & { of: NamesPage['of'] };

async function* listAll(db: Db): AsyncGenerator<Listed[]> {
  for (const of of ['files', 'documents'] as const) {
    for (let after: StoredName | null = null; ; ) {
      const rows: StoredName[] = await listStoredNames(db, { of, after, limit: PAGE });
      if (rows.length > 0) yield rows.map((row) => ({ ...row, of }));
      if (rows.length < PAGE) break;
      after = rows.at(-1) ?? null;
    }
  }
}

/** Asks the target for all names of a store at once: rows come store by store. */
function lookUp(target: FileStore): (stored: Listed) => Promise<boolean> {
  let known = '';
  let names = new Set<string>();
  return async (stored) => {
    const name = toName(stored);
    const beginning = `${path.posix.dirname(name)}/`;
    if (beginning !== known) {
      names = new Set();
      for await (const one of target.list(beginning)) names.add(one);
      known = beginning;
    }
    return names.has(name);
  };
}

function toName({ of, sha256, ...place }: Listed): string {
  if (of === 'files' || sha256 === null) return toUploadName({ ...place, sha256 });
  return toDocumentName(place, sha256);
}

async function inLots(page: readonly Listed[], run: (stored: Listed) => Promise<void>): Promise<void> {
  for (let at = 0; at < page.length; at += AT_ONCE) await Promise.all(page.slice(at, at + AT_ONCE).map(run));
}

async function copyOne(copying: Copying, listed: Listed, tell: Moving['tell']): Promise<Outcome> {
  const { source, target, staging } = copying;
  const waiting = path.join(staging, randomUUID());
  try {
    const stored = listed.sha256 === null ? await nameByHash(copying, listed, waiting) : listed;
    const name = toName(stored);
    if (stored.sha256 !== null) {
      const there = await target.open(name);
      if (there !== null) {
        if ((await hashOfStream(there)) === stored.sha256) return 'verified';
        throw new MoveError(
          `${name} is at the new place with other bytes: take it away there, and run this again.`,
        );
      }
      if (await fetchSound(source, { name, sha256: stored.sha256, to: waiting })) {
        const { size: sizeBytes } = await stat(waiting);
        await target.put(name, { path: waiting, sha256: stored.sha256, sizeBytes });
        const back = await target.open(name);
        if (back !== null && (await hashOfStream(back)) === stored.sha256) return 'copied';
        throw new MoveError(`${name} was written to the new place, and reads otherwise there.`);
      }
    }
    tell(`missing: ${name}`);
    return 'missing';
  } finally {
    await rm(waiting, { force: true });
  }
}

/** A copy of its own, whatever becomes of the source meanwhile; false = it is not there, or is not what its name says. */
async function fetchSound(
  source: FileStore,
  { name, sha256, to }: { name: string; sha256: string; to: string },
): Promise<boolean> {
  const found = await source.open(name);
  if (found === null) return false;
  await pipeline(found, createWriteStream(to, { mode: 0o600, flush: true }));
  return (await hashOf(to)) === sha256;
}

/** An upload of before hashes were noted gets the name that it would have now, where it lies. */
async function nameByHash({ db, source }: Copying, listed: Listed, waiting: string): Promise<Listed> {
  const found = await source.open(toName(listed));
  if (found === null) return listed;
  await pipeline(found, createWriteStream(waiting, { mode: 0o600, flush: true }));
  const sha256 = await hashOf(waiting);
  const { size: sizeBytes } = await stat(waiting);
  const named = { ...listed, sha256 };
  await source.put(toName(named), { path: waiting, sha256, sizeBytes });
  await noteHash(db, { ...listed, sha256 });
  await source.remove(toName(listed));
  return named;
}

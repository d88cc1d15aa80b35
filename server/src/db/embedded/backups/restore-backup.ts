/** Brings a store back out of its backups, into a folder that is made for it. */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { preparePlace } from '../place.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../store.ts';
import { type BackupPlace, findBackups } from './backup-place.ts';
import { copyTree } from './copy-files.ts';
import { noteOwn, removeKilled, toOwnName } from './killed-copies.ts';
import { type Base, listBases } from './manifest.ts';
import { recover } from './recover.ts';
import { FOLDERS } from './take-base.ts';

export interface Restoring {
  from: string;
  /** Null = as far as the log goes. */
  atMs: number | null;
  to: string;
  durable?: boolean;
  /** Before anybody else can start it: what is said of it as a copy. */
  prepare: (store: EmbeddedStore, folder: string) => Promise<void>;
}

export interface Restored {
  /** The moment of the last change that is in it. */
  reached: string;
  base: string;
  /** The segment of the log whose loss it ended at: damaged, or missing although later ones are there; null = none is. */
  gap: string | null;
}

/** Throws one line where it cannot be; nothing is left behind then. */
export async function restoreBackup({
  from,
  atMs,
  to,
  durable = true,
  prepare,
}: Restoring): Promise<Restored> {
  if (existsSync(to)) throw new Error(`${to} is there already: name a folder that is not`);
  const backups = await findBackups(from);
  const { base, next } = await chooseBase(backups, atMs);
  const folder = path.dirname(path.resolve(to));
  await mkdir(folder, { recursive: true });
  const prefix = `${path.basename(path.resolve(to))}.partial-`;
  await removeKilled(folder, prefix);
  const staged = path.join(folder, toOwnName(prefix));
  const forget = noteOwn(staged);
  const moved = { cluster: '' };
  try {
    const place = await preparePlace(staged);
    moved.cluster = place.cluster;
    const { reached, gap } = await recover({ place, backups, base, next, atMs, durable });
    await copyFolders(base, staged, durable);
    const store = await openEmbeddedStore({ dataDir: staged, log: () => {}, purpose: 'attach', durable });
    try {
      await prepare(store, staged);
    } finally {
      await store.stop();
    }
    await rename(staged, to);
    return { reached: reached ?? base.manifest.endedAt, base: base.folder, gap };
  } catch (error) {
    if (moved.cluster !== '') await rm(moved.cluster, { recursive: true, force: true });
    await rm(staged, { recursive: true, force: true });
    throw error;
  } finally {
    forget();
  }
}

/** The last that had ended by then: a moment while one was being taken is in the one before. */
async function chooseBase(
  { bases, root }: BackupPlace,
  atMs: number | null,
): Promise<{ base: Base; next: Base | null }> {
  const all = await listBases(bases);
  const [first] = all;
  if (first === undefined) throw new Error(`there is no base backup in ${root}`);
  const ends = all.map(({ manifest }) => Date.parse(manifest.endedAt));
  const index = atMs === null ? all.length - 1 : ends.findLastIndex((endMs) => endMs <= atMs);
  const base = all[index];
  if (base === undefined) throw new Error(`the backups go back to ${first.manifest.endedAt}, and no further`);
  return { base, next: all[index + 1] ?? null };
}

async function copyFolders(base: Base, to: string, durable: boolean): Promise<void> {
  for (const name of FOLDERS) {
    const from = path.join(base.folder, name);
    if (existsSync(from)) await copyTree({ from, to: path.join(to, name), durable });
  }
}

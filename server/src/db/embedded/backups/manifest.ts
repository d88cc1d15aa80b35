/** What a base backup holds, and whether it still does: a list of its files with their hashes, itself under one. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../platform.ts';

export interface CopiedFile {
  /** Below the folder, with `/`. */
  path: string;
  bytes: number;
  sha256: string;
}

export interface Manifest {
  product: string;
  postgres: string;
  systemIdentifier: string;
  /** From when on it can be gone back to, by the store's clock. */
  startedAt: string;
  endedAt: string;
  segmentBytes: number;
  /** Of the log: without these the copy is of no use. */
  firstSegment: string;
  lastSegment: string;
  /** The cluster, in the folder `postgres`. */
  cluster: CopiedFile[];
  /** Uploads and documents, in folders as in DATA_DIR. */
  files: CopiedFile[];
}

export interface Base {
  folder: string;
  manifest: Manifest;
}

const FILE = 'manifest.json';
const HASH_FILE = 'manifest.sha256';
const PARTIAL = '.partial';

const toHash = (text: string) => createHash('sha256').update(text).digest('hex');

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await writeFile(path.join(folder, FILE), text, { mode: 0o600, flush: true });
  await writeFile(path.join(folder, HASH_FILE), `${toHash(text)}\n`, { mode: 0o600, flush: true });
}

/** Null for one that is not whole or was changed since. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const text = await readFile(path.join(folder, FILE), 'utf8');
    const hash = await readFile(path.join(folder, HASH_FILE), 'utf8');
    // We wrote what bears our hash.
    return hash.trim() === toHash(text) ? (JSON.parse(text) as Manifest) : null;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

/** The newest one last. Those without a manifest are no bases: one is under way, or was killed. */
export async function listBases(bases: string): Promise<Base[]> {
  const found: Base[] = [];
  for (const name of (await listFolders(bases)).filter((one) => !one.endsWith(PARTIAL))) {
    const folder = path.join(bases, name);
    const manifest = await readManifest(folder);
    if (manifest) found.push({ folder, manifest });
  }
  return found.sort((a, b) => Date.parse(a.manifest.endedAt) - Date.parse(b.manifest.endedAt));
}

/** All folders, with those whose manifest is gone or wrong. */
export async function listFolders(bases: string): Promise<string[]> {
  const entries = await readdir(bases, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export const toPartial = (folder: string) => folder + PARTIAL;

export async function removePartials(bases: string): Promise<void> {
  for (const name of await listFolders(bases)) {
    if (name.endsWith(PARTIAL)) await rm(path.join(bases, name), { recursive: true, force: true });
  }
}

export const listParts = ({ manifest }: Base): Array<CopiedFile & { below: string }> => [
  ...manifest.cluster.map((file) => ({ ...file, below: `postgres/${file.path}` })),
  ...manifest.files.map((file) => ({ ...file, below: file.path })),
];

/** Whether all of it is there, by the sizes: its bytes are read by `verify`. */
export async function isWhole(base: Base): Promise<boolean> {
  for (const { below, bytes } of listParts(base)) {
    const there = await stat(path.join(base.folder, below)).catch(() => null);
    if (there?.size !== bytes) return false;
  }
  return true;
}

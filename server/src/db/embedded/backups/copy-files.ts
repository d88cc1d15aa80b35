/** Copies whole trees file by file, with the hash of what was copied. */
import { createHash } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../platform.ts';
import type { CopiedFile } from './manifest.ts';

/** Larger ones are read in pieces. */
const WHOLE_BYTES_MAX = 4 * 1024 * 1024;
/** What this thread hashes at once: a service that takes a backup answers between two. */
const PIECE_BYTES = 256 * 1024;
const AT_ONCE = 8;

export interface CopyTree {
  from: string;
  to: string;
  /** By the path below, with `/`; a folder that is left out keeps its place, empty. */
  leavesOut?: (below: string) => boolean;
  /** Files of an earlier copy that never change, to be linked rather than copied. */
  earlier?: { folder: string; files: ReadonlyMap<string, CopiedFile> } | null;
  durable: boolean;
}

/**
 * A file that goes away meanwhile is not there: whoever copies what lives knows how it is mended. Where it fails, nothing
 * is written any more once that is said: what has been copied is taken away then.
 */
export async function copyTree(tree: CopyTree): Promise<CopiedFile[]> {
  const files: string[] = [];
  await walk(tree, '', files);
  const copied: CopiedFile[] = [];
  await inLanes(files, async (file) => {
    const done = await copyOne(tree, file);
    if (done) copied.push(done);
  });
  // By now the disk has most of it: to wait for each file as it is written costs twice as long.
  if (tree.durable) await inLanes(copied, (file) => sync(path.join(tree.to, file.path)));
  return copied.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A few at once; none is begun once one has failed, and those under way have ended when that is said. */
async function inLanes<T>(all: readonly T[], take: (one: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  let hasFailed = false;
  const work = async () => {
    for (const one of queue) {
      if (hasFailed) return;
      await take(one);
    }
  };
  const lanes = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

async function sync(file: string): Promise<void> {
  const written = await open(file);
  try {
    await written.sync();
  } finally {
    await written.close();
  }
}

async function walk(tree: CopyTree, below: string, files: string[]): Promise<void> {
  await mkdir(path.join(tree.to, below), { recursive: true, mode: 0o700 });
  const entries = await readdir(path.join(tree.from, below), { withFileTypes: true });
  for (const entry of entries) {
    const at = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await walk(tree, at, files);
    else if (entry.isFile() && !tree.leavesOut?.(at)) files.push(at);
  }
}

async function copyOne(tree: CopyTree, below: string): Promise<CopiedFile | null> {
  const source = path.join(tree.from, below);
  const target = path.join(tree.to, below);
  const known = tree.earlier?.files.get(below);
  try {
    const isKnown = known !== undefined && (await stat(source)).size === known.bytes;
    if (isKnown && tree.earlier && (await linkOrNot(path.join(tree.earlier.folder, below), target))) {
      return known;
    }
    return { path: below, ...(await copyHashed(source, target)) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function linkOrNot(source: string, target: string): Promise<boolean> {
  // Not on every file system, and not without end on any: then it is copied.
  return link(source, target).then(
    () => true,
    () => false,
  );
}

/** Small ones, as most are, at once. */
async function copyHashed(source: string, target: string): Promise<{ bytes: number; sha256: string }> {
  if ((await stat(source)).size <= WHOLE_BYTES_MAX) {
    const content = await readFile(source);
    await writeFile(target, content, { flag: 'wx', mode: 0o600 });
    return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  }
  const written = await open(target, 'wx', 0o600);
  try {
    return await readHashed(source, (chunk) => writeWhole(written, chunk));
  } finally {
    await written.close();
  }
}

export async function hashFile(file: string): Promise<string> {
  return (await readHashed(file, null)).sha256;
}

/**
 * Reads in pieces of which each is hashed while the one before is written and the next is read: the disk need not wait for
 * this thread. Streams would do the same by 64 KiB, at three times the cost.
 */
async function readHashed(
  file: string,
  write: ((chunk: Buffer) => Promise<void>) | null,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const source = await open(file);
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
  let bytes = 0;
  let underWay: Promise<unknown> = Promise.resolve();
  try {
    for (let turn = 0; ; turn += 1) {
      const buffer = buffers[turn % 2 === 0 ? 0 : 1];
      const { bytesRead } = await source.read(buffer, 0, PIECE_BYTES);
      // Only now is the other buffer free.
      await underWay;
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      const chunk = buffer.subarray(0, bytesRead);
      underWay = write?.(chunk) ?? underWay;
      // Whoever waits for it next hears of its failure.
      underWay.catch(() => {});
      hash.update(chunk);
      bytes += bytesRead;
    }
  } finally {
    await underWay.catch(() => {});
    await source.close();
  }
}

async function writeWhole(to: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    at += (await to.write(chunk, at, chunk.length - at)).bytesWritten;
  }
}

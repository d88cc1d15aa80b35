/** Copies whole trees file by file, with the hash of what was copied. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../platform.ts';
import type { CopiedFile } from './manifest.ts';

/** Larger ones are streamed. */
const WHOLE_BYTES_MAX = 4 * 1024 * 1024;
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
  const queue = files.values();
  let hasFailed = false;
  const work = async () => {
    for (const file of queue) {
      if (hasFailed) return;
      const done = await copyOne(tree, file);
      if (done) copied.push(done);
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
  return copied.sort((a, b) => (a.path < b.path ? -1 : 1));
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
    return { path: below, ...(await copyHashed(source, target, tree.durable)) };
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
export async function copyHashed(
  source: string,
  target: string,
  durable: boolean,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  if ((await stat(source)).size <= WHOLE_BYTES_MAX) {
    const content = await readFile(source);
    await writeFile(target, content, { flag: 'wx', mode: 0o600, flush: durable });
    return { bytes: content.length, sha256: hash.update(content).digest('hex') };
  }
  let bytes = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: durable });
  await pipeline(createReadStream(source), measured, written);
  return { bytes, sha256: hash.digest('hex') };
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

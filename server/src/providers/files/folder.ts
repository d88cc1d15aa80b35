/** Files in a folder: DATA_DIR's own, or one that several machines share. */
import { randomUUID } from 'node:crypto';
import { access, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '../../domain/errors.ts';
import { flushFolder } from './disk.ts';
import type { FileStore, FinishedFile } from './file-store.ts';
import { hashOf } from './hash-of.ts';

export function createFolderStore(folder: string): FileStore {
  const toPath = (name: string) => path.join(folder, ...name.split('/'));
  return {
    async put(name, file) {
      const target = toPath(name);
      try {
        await moveIn(target, file);
      } catch (cause) {
        throw new Refusal('unavailable', { cause, internal: `${target} could not be written` });
      }
    },
    async open(name, stretch) {
      const handle = await orNull(open(toPath(name), 'r'));
      return handle && (handle.createReadStream(stretch) satisfies Readable);
    },
    has: async (name) => (await orNull(stat(toPath(name)))) !== null,
    async fetch(name) {
      return orNull(access(toPath(name)).then(() => toPath(name)));
    },
    remove: (name) => rm(toPath(name), { force: true }),
    async *list(beginning) {
      for await (const name of walk(toPath(beginning))) yield `${beginning}${name}`;
    },
  };
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** A folder that cannot be read at all is no proof that a file is not there. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && ABSENT.has(String(cause.code))) return null;
    throw new Refusal('unavailable', { cause });
  }
}

/** Under its own name a file is whole, even after a power cut. */
async function moveIn(target: string, file: FinishedFile): Promise<void> {
  const there = await stat(target).catch(() => null);
  // What a disk has cut off since is written again.
  if (there?.size === file.sizeBytes && (await hashOf(target)) === file.sha256) {
    await rm(file.path, { force: true });
    return;
  }
  await makeFolder(path.dirname(target));
  await rename(file.path, target).catch((error: unknown) => {
    if (!hasCode(error, 'EXDEV')) throw error;
    return copyIn(target, file);
  });
  await flushFolder(path.dirname(target));
}

/**
 * With those above it. Node's own way of that never ends where a system of files takes no folders and says so by
 * "no such file", as /proc does.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  try {
    await make();
  } catch (error) {
    const above = path.dirname(folder);
    if (!hasCode(error, 'ENOENT') || above === folder) throw error;
    await makeFolder(above);
    await make();
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** From another disk. */
async function copyIn(target: string, file: FinishedFile): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    await copyFile(file.path, partial);
    const handle = await open(partial, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  await rm(file.path, { force: true });
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = (await orNull(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    if (entry.isDirectory()) {
      for await (const name of walk(path.join(folder, entry.name))) yield `${entry.name}/${name}`;
    } else if (!entry.name.endsWith('.partial')) yield entry.name;
  }
}

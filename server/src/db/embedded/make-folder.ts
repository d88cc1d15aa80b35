import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from './platform.ts';

/**
 * Makes a folder and those above it, step by step. Node's own recursion goes on for ever below a folder that is there and
 * takes none, as `/proc` is.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = path.dirname(folder);
    if (!hasCode(error, 'ENOENT') || (await isFolder(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

const isFolder = (name: string) =>
  stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );

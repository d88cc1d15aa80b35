/** How far a fetch has come, beside its lists: one that was killed goes on from there. */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, EXIT } from '../../io.ts';
import { isItem } from '../values.ts';

/** What of a list is in its file, and where the rest is asked for. */
export interface Reached {
  host: string;
  list: string;
  bytes: number;
  /** Which of the list's first pages it came from, and the page that is next; null = that one was read to its end. */
  start: number;
  next: string | null;
}

const OWNER_ONLY = 0o600;

export const toUnfinished = (folder: string) => join(folder, 'fetch.unfinished');

/** Null = none has begun here that has not ended. */
export async function readReached(folder: string): Promise<Reached | null> {
  const file = toUnfinished(folder);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const reached = parse(text);
  if (reached === null)
    throw new CommandError(EXIT.usage, `${file} cannot be read: begin anew in another folder.`);
  return reached;
}

function parse(text: string): Reached | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isItem(value)) return null;
    const { host, list, bytes, start, next } = value;
    if (typeof host !== 'string' || typeof list !== 'string') return null;
    if (typeof bytes !== 'number' || typeof start !== 'number') return null;
    return { host, list, bytes, start, next: typeof next === 'string' ? next : null };
  } catch {
    return null;
  }
}

/** Whole or not at all: what is half written would lose what was read. */
export async function writeReached(folder: string, reached: Reached): Promise<void> {
  const file = toUnfinished(folder);
  const beside = `${file}.partial`;
  const handle = await open(beside, 'w', OWNER_ONLY);
  try {
    await handle.writeFile(JSON.stringify(reached));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
}

export const endUnfinished = (folder: string) => rm(toUnfinished(folder), { force: true });

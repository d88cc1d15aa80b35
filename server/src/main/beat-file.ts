/** DATA_DIR/beat: what a process knows to be in the store, for its next start. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../db/embedded/make-folder.ts';
import type { Beat } from '../db/witness.ts';

export interface BeatFile {
  write(beat: Beat): Promise<void>;
  close(): Promise<void>;
}

/** Less than one sector of a disk, so that it is written whole or not at all. */
const LENGTH = 256;
/** A machine that loses its power forgets so many; a process that is killed none. */
const FLUSH_EVERY = 60;

const toFile = (dataDir: string) => path.join(dataDir, 'beat');

/** A beat, and whose. */
export interface KeptBeat extends Beat {
  /** Of the store: timelines of one are not those of another. */
  systemIdentifier: string | null;
}

/** Null = nobody remembers. */
export async function readBeat(dataDir: string): Promise<KeptBeat | null> {
  const text = await readFile(toFile(dataDir), 'utf8').catch(() => '');
  try {
    const { processId, count, timeline, atMs, systemIdentifier = null } = JSON.parse(text) as KeptBeat;
    return typeof processId === 'string' && Number.isSafeInteger(count) && Number.isSafeInteger(atMs)
      ? { processId, count, timeline, atMs, systemIdentifier }
      : null;
  } catch {
    return null;
  }
}

export async function openBeatFile(
  dataDir: string,
  systemIdentifier: string | null = null,
): Promise<BeatFile> {
  await makeFolder(dataDir);
  const file: FileHandle = await open(toFile(dataDir), 'a+', 0o600).then(async (made) => {
    await made.close();
    return open(toFile(dataDir), 'r+');
  });
  let unflushed = 0;
  let timeline: number | null = null;
  return {
    async write(beat) {
      await file.write(JSON.stringify({ ...beat, systemIdentifier }).padEnd(LENGTH), 0);
      unflushed += 1;
      // Another primary is what even a machine that loses its power must not forget.
      if (unflushed < FLUSH_EVERY && beat.timeline === timeline) return;
      unflushed = 0;
      timeline = beat.timeline;
      await file.datasync();
    },
    async close() {
      await file.datasync();
      await file.close();
    },
  };
}

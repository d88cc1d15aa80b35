/** A file that is written stretch by stretch, by whichever process has it in hand. */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';

export interface GrowingFile {
  /** How many bytes it has. */
  readonly bytes: number;
  append(text: string): Promise<void>;
  /** What was appended so far outlives a power cut. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file of which so many bytes are known to be right: what lies beyond them was written by somebody who came to
 * no end, and is cut off. Where it has fewer it is begun anew, and has none.
 */
export async function openGrowingFile(target: string, keptBytes: number): Promise<GrowingFile> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const handle = await openForBoth(target);
  try {
    const { size } = await handle.stat();
    let bytes = size < keptBytes ? 0 : keptBytes;
    await handle.truncate(bytes);
    return {
      get bytes() {
        return bytes;
      },
      async append(text) {
        const chunk = Buffer.from(text);
        await handle.write(chunk, 0, chunk.length, bytes);
        bytes += chunk.length;
      },
      flush: () => handle.datasync(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openForBoth(target: string): Promise<FileHandle> {
  try {
    return await open(target, 'r+', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return open(target, 'w+', 0o600);
  }
}

const OUT_OF_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OUT_OF_ROOM.has(String(error.code));
}

/** The bytes of files on disk: `<dataDir>/files/<workspace>/<mode>/<id>`, written whole or not at all. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../../domain/errors.ts';
import { isOutOfRoom } from './growing-file.ts';

/** A sender that is silent this long has gone. */
const IDLE_TIMEOUT_MS = 60_000;

export interface FilePlace {
  workspaceId: string;
  testMode: boolean;
  id: string;
}

export function toPath(dataDir: string, { workspaceId, testMode, id }: FilePlace): string {
  return path.join(dataDir, 'files', workspaceId, testMode ? 'test' : 'live', id);
}

export interface StoredBytes {
  sizeBytes: number;
  sha256: string;
}

/**
 * Streams to a file of another name, flushes it and renames it, so that a file under its own name is whole
 * even after a power cut. Throws body_too_large, unavailable when the disk is full, and leaves nothing then.
 */
export async function storeBytes(target: string, stream: Readable, sizeMax: number): Promise<StoredBytes> {
  const partial = `${target}.partial`;
  const hash = createHash('sha256');
  const stored = { sizeBytes: 0 };
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const written = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(measured(stream, { hash, stored, sizeMax }), written);
    await rename(partial, target);
    await flushFolder(path.dirname(target));
  } catch (error) {
    await rm(partial, { force: true });
    throw explain(error);
  }
  return { ...stored, sha256: hash.digest('hex') };
}

interface Measure {
  hash: ReturnType<typeof createHash>;
  stored: { sizeBytes: number };
  sizeMax: number;
}

async function* measured(stream: Readable, { hash, stored, sizeMax }: Measure): AsyncGenerator<Buffer> {
  const idle = setTimeout(() => stream.destroy(cutOff()), IDLE_TIMEOUT_MS);
  try {
    // The request must outlive a refusal, since its answer travels on the same connection.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      // A request without an encoding gives buffers.
      const bytes = chunk as Buffer;
      stored.sizeBytes += bytes.length;
      if (stored.sizeBytes > sizeMax) throw new Refusal('body_too_large');
      hash.update(bytes);
      idle.refresh();
      yield bytes;
    }
  } finally {
    clearTimeout(idle);
  }
}

/** A rename is durable only when its folder is. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const CUT_OFF = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isOutOfRoom(error))
    return new Refusal('unavailable', {
      message: 'There is no room for the file on the service’s disk.',
      internal: code,
      cause: error,
    });
  if (CUT_OFF.has(code)) return cutOff(error);
  return error;
}

function cutOff(cause?: unknown): Refusal {
  return new Refusal('invalid_input', { message: 'The upload was cut off.', cause });
}

/** With what a process that was killed has left beside it. */
export async function removeBytes(target: string): Promise<void> {
  for (const rest of ['', '.partial', '.parts'])
    await rm(`${target}${rest}`, { recursive: true, force: true });
}

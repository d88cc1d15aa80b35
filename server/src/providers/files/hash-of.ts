import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

/** Of a file on this disk. */
export const hashOf = (path: string): Promise<string> => hashOfStream(createReadStream(path));

/** SHA-256, in hexadecimal digits. */
export async function hashOfStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  // Without an encoding a stream gives buffers.
  for await (const bytes of stream) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

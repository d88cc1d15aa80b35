/**
 * What is used of the package. It is loaded with the first archive alone, so that a checkout whose packages are older
 * than its lock builds, starts and does all else.
 */
declare module 'modern-tar/fs' {
  import type { Readable } from 'node:stream';

  interface Described {
    /** Its name in the archive. */
    target: string;
    mtime?: Date;
    mode?: number;
    uid?: number;
    gid?: number;
  }
  export type TarSource = Described &
    ({ type: 'file'; source: string } | { type: 'content'; content: string });
  export function packTar(sources: readonly TarSource[]): Readable;
}

declare module 'modern-tar' {
  import type { ReadableStream, ReadableWritablePair } from 'node:stream/web';

  interface Entry {
    header: { name: string; type?: string; size: number };
    /** To be read to its end before the next. */
    body: ReadableStream<Uint8Array>;
  }
  export function createTarDecoder(options?: { strict?: boolean }): ReadableWritablePair<Entry, Uint8Array>;
  /** Used by tests and tools: all of it is in memory. */
  export function packTar(
    entries: ReadonlyArray<{
      header: { name: string; size: number; mtime?: Date; mode?: number; uid?: number; gid?: number };
      body: Uint8Array;
    }>,
  ): Promise<Uint8Array>;
  export function unpackTar(
    archive: Uint8Array,
  ): Promise<Array<{ header: { name: string; mtime?: Date }; data?: Uint8Array }>>;
}

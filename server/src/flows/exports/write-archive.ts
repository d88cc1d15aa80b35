/**
 * An archive of parts, beside the place where it will lie: each part is written to a folder first, since a tar says the
 * size of a part before its bytes, and the folder goes whatever comes of it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { TarSource } from 'modern-tar/fs';
import { type ArchivePart, MANIFEST } from '../../domain/exports/archive.ts';
import type { Sealer } from '../../providers/files/age.ts';

export interface Parts {
  /** A part of lines, lot by lot; answers how many there were. */
  addLines(name: string, lots: AsyncIterable<readonly string[]>): Promise<number>;
  addText(name: string, text: string): Promise<void>;
  /** Begins anew. */
  clear(): void;
  /** What `fetch` finds: it lies on this disk, or is copied to where it is told; null = nothing is added. */
  addFile(name: string, fetch: (copy: string) => Promise<string | null>): Promise<void>;
}

/** Rows need no better; it costs most of the time. */
const LEVEL = 1;
/** In the folder of parts, which are numbers: where the archive is being written. */
const PARTIAL = 'partial';
const HELD_BYTES = 256 * 1024;

export interface Archiving {
  /** Stands in its manifest. */
  about: object;
  mtimeMs: number;
  /** Where parts wait until the archive is written; missing = beside it. */
  folder?: string;
  /** Null or missing = whoever has the file reads it. */
  seal?: Sealer | null;
}

/** Answers how large the archive is. */
export async function writeArchive(
  target: string,
  { about, mtimeMs, folder = `${target}.parts`, seal = null }: Archiving,
  gather: (parts: Parts) => Promise<void>,
): Promise<number> {
  const partial = `${target}.partial`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path.join(folder, PARTIAL), partial, { mode: 0o600 });
    const sources: TarSource[] = [];
    const listed: ArchivePart[] = [];
    await gather(openParts({ folder, sources, listed }));
    const content = `${JSON.stringify({ ...about, parts: listed }, null, 2)}\n`;
    const whole: TarSource[] = [...sources, { type: 'content', content, target: MANIFEST }];
    const { packTar } = await import('modern-tar/fs');
    const mtime = new Date(mtimeMs);
    const tar = packTar(whole.map((source) => ({ ...source, mtime, mode: 0o600, uid: 0, gid: 0 })));
    const file = createWriteStream(partial, { mode: 0o600, flush: true });
    const gzip = createGzip({ level: LEVEL });
    await (seal ? pipeline(tar, gzip, seal, file) : pipeline(tar, gzip, file));
    await rename(partial, target);
    return (await stat(target)).size;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

/** Takes away what a killed process has left of an archive: the folder of its parts, and the half of a file beside its target. */
export async function removeUnfinished(folder: string): Promise<void> {
  const partial = await readFile(path.join(folder, PARTIAL), 'utf8').catch(() => null);
  if (partial !== null) await rm(partial, { force: true });
  await rm(folder, { recursive: true, force: true });
}

interface Opened {
  folder: string;
  sources: TarSource[];
  listed: ArchivePart[];
}

function openParts({ folder, sources, listed }: Opened): Parts {
  const add = (part: ArchivePart, source: string) => {
    listed.push(part);
    sources.push({ type: 'file', source, target: part.name });
  };
  const spool = async (name: string, lots: AsyncIterable<readonly string[]>, isLines: boolean) => {
    const place = path.join(folder, String(listed.length));
    const file = await open(place, 'w', 0o600);
    try {
      const bytes = openBytes(file);
      let rows = 0;
      for await (const lot of lots) {
        rows += lot.length;
        for (const line of lot) await bytes.add(isLines ? `${line}\n` : line);
      }
      const written = await bytes.end();
      add({ name, rows: isLines ? rows : null, ...written }, place);
      return rows;
    } finally {
      await file.close();
    }
  };
  return {
    clear() {
      sources.length = 0;
      listed.length = 0;
    },
    addLines: (name, lots) => spool(name, lots, true),
    addText: async (name, text) => void (await spool(name, oneLot(text), false)),
    async addFile(name, fetch) {
      const place = await fetch(path.join(folder, String(listed.length)));
      if (place === null) return;
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of createReadStream(place)) {
        // Opened without an encoding, it gives buffers.
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
      }
      add({ name, rows: null, bytes, sha256: hash.digest('hex') }, place);
    },
  };
}

/**
 * Text that is added to a file by way of one piece of memory: a string of a whole lot, and bytes of its own for it, would be garbage
 * of a size that lies about until the process's memory is tidied as a whole.
 */
function openBytes(file: FileHandle) {
  const hash = createHash('sha256');
  const held = Buffer.allocUnsafeSlow(HELD_BYTES);
  let at = 0;
  let bytes = 0;
  const write = async (piece: Buffer) => {
    hash.update(piece);
    bytes += piece.length;
    await file.appendFile(piece);
  };
  const flush = async () => {
    const piece = held.subarray(0, at);
    at = 0;
    if (piece.length > 0) await write(piece);
  };
  return {
    async add(text: string): Promise<void> {
      // No sign of a text takes more than three bytes for each of its units.
      if (text.length * 3 > HELD_BYTES - at) await flush();
      if (text.length * 3 > HELD_BYTES) await write(Buffer.from(text));
      else at += held.write(text, at);
    },
    async end(): Promise<{ bytes: number; sha256: string }> {
      await flush();
      return { bytes, sha256: hash.digest('hex') };
    },
  };
}

async function* oneLot(text: string): AsyncGenerator<string[]> {
  yield [text];
}

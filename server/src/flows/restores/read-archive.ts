/**
 * An archive, taken apart and held to what it says of itself: nothing is written to a store before every part has the
 * sum and the number of rows that its manifest names. Parts lie in a folder by number, never by the names in the file.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchivePart,
  HEADER,
  MANIFEST,
} from '../../domain/exports/archive.ts';
import { AgeError, isAge, type Sealer } from '../../providers/files/age.ts';
import { RestoreError } from './restore-error.ts';

export interface Archive {
  header: ArchiveHeader;
  /** By their names in the file. */
  parts: ReadonlyMap<string, ReadPart>;
}

export interface ReadPart {
  place: string;
  sha256: string;
  rows: number | null;
}

interface Spooled {
  place: string;
  bytes: number;
  sha256: string;
  lines: number;
}

const NEWLINE = 10;
const NO_FILE =
  'is a folder: name the file that was written into it. Backups of the embedded store (BACKUP_DIR) come back by: npm run restore -- --from DIR --to NEWDIR';
const DAMAGED = 'The file is damaged or cut off: nothing was restored.';

/** `folder` is empty; `askKeys` is asked only of a file that is sealed. Throws RestoreError. */
export async function readArchive(
  file: string,
  { folder, askKeys }: { folder: string; askKeys: () => Promise<Sealer> },
): Promise<Archive> {
  const opener = (await isSealed(file)) ? await askKeys() : null;
  const found = new Map<string, Spooled>();
  const unpack = async (tar: AsyncIterable<Uint8Array>) => {
    const { createTarDecoder } = await import('modern-tar');
    const entries = ReadableStream.from(tar).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      if (found.has(header.name)) throw new RestoreError(`The file has two parts ${header.name}.`);
      found.set(header.name, await spool(body, path.join(folder, String(found.size))));
    }
  };
  try {
    const bytes = createReadStream(file);
    const gunzip = createGunzip();
    await (opener ? pipeline(bytes, opener, gunzip, unpack) : pipeline(bytes, gunzip, unpack));
  } catch (cause) {
    if (cause instanceof RestoreError || isOfDisk(cause)) throw cause;
    throw new RestoreError(cause instanceof AgeError ? cause.message : DAMAGED, { cause });
  }
  return check(found);
}

/** For whoever is about to ask something: a file that is not there is told first. Throws RestoreError. */
export async function requireReadable(file: string): Promise<void> {
  await isSealed(file);
}

async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw new RestoreError(`${file} cannot be read.`, { cause });
  });
  try {
    const { buffer } = await handle.read(Buffer.alloc(64), 0, 64, 0).catch((cause: unknown) => {
      throw new RestoreError(isFolder(cause) ? `${file} ${NO_FILE}` : `${file} cannot be read.`, { cause });
    });
    return isAge(buffer);
  } finally {
    await handle.close();
  }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function spool(body: AsyncIterable<Uint8Array>, place: string): Promise<Spooled> {
  const hash = createHash('sha256');
  const counted = { bytes: 0, lines: 0 };
  async function* measured() {
    for await (const chunk of body) {
      hash.update(chunk);
      counted.bytes += chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) counted.lines += 1;
      yield chunk;
    }
  }
  await pipeline(measured, createWriteStream(place, { mode: 0o600 }));
  return { place, ...counted, sha256: hash.digest('hex') };
}

async function check(found: ReadonlyMap<string, Spooled>): Promise<Archive> {
  const manifest = await readJson<{ format: unknown; version: unknown; parts: ArchivePart[] }>(
    found.get(MANIFEST),
  );
  const header = await readJson<ArchiveHeader>(found.get(HEADER));
  if (manifest?.format !== ARCHIVE_FORMAT || header?.format !== ARCHIVE_FORMAT)
    throw new RestoreError('The file is no export and no backup.');
  if (header.version !== ARCHIVE_VERSION || manifest.version !== ARCHIVE_VERSION)
    throw new RestoreError(
      `The file is of another format (version ${header.version}): restore it by a newer release.`,
    );
  if (header.kind === 'user') throw new RestoreError('The file holds one user: there is nothing to restore.');
  if (!Array.isArray(manifest.parts) || manifest.parts.length !== found.size - 1)
    throw new RestoreError(DAMAGED);
  const parts = new Map<string, ReadPart>();
  for (const { name, rows, bytes, sha256 } of manifest.parts) {
    const part = found.get(name);
    if (!part || part.bytes !== bytes || part.sha256 !== sha256 || (rows !== null && rows !== part.lines))
      throw new RestoreError(`${DAMAGED} The part ${name} is not what the manifest says.`);
    parts.set(name, { place: part.place, sha256, rows });
  }
  if (!parts.has('rows/workspaces.jsonl') || !parts.has('rows/stores.jsonl'))
    throw new RestoreError('The file was made by a release whose files cannot be restored.');
  return { header, parts };
}

/** What every part of ours is: an object. */
async function readJson<T>(part: Spooled | undefined): Promise<T | null> {
  if (!part) return null;
  try {
    const read: unknown = JSON.parse(await readFile(part.place, 'utf8'));
    return typeof read === 'object' && read !== null ? (read as T) : null;
  } catch {
    return null;
  }
}

/** Lines of a part, in lots of so many rows or bytes at most. */
export async function* readLots(
  { place }: ReadPart,
  { rowsMax, bytesMax }: { rowsMax: number; bytesMax: number },
): AsyncGenerator<string[]> {
  let lot: string[] = [];
  let bytes = 0;
  for await (const line of readLines(place)) {
    lot.push(line);
    bytes += line.length;
    if (lot.length < rowsMax && bytes < bytesMax) continue;
    yield lot;
    lot = [];
    bytes = 0;
  }
  if (lot.length > 0) yield lot;
}

/** By the one sign that ends a line: a text may hold others that look like one. */
async function* readLines(place: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(place)) {
    // Opened without an encoding, it gives buffers.
    const bytes = chunk as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      rest.push(bytes.subarray(from, at));
      yield Buffer.concat(rest).toString('utf8');
      rest = [];
      from = at + 1;
    }
    if (from < bytes.length) rest.push(bytes.subarray(from));
  }
}

const isFolder = (cause: unknown) => cause instanceof Error && 'code' in cause && cause.code === 'EISDIR';

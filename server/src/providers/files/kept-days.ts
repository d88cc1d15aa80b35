/**
 * Days of what retention lets go of, written down before they go: `<owner>/<kept>/<day>-<hash>.jsonl.gz`, a
 * line of JSON for each row, and a manifest beside it. The same rows make the same name, so that a day which was
 * written by a process that was killed is written again over itself.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { storeBytes } from './disk.ts';
import type { FileStore } from './file-store.ts';
import { hashOf } from './hash-of.ts';

/** A line names tables, and holds the rows of each as PostgreSQL writes them as JSON. */
export interface KeptDay {
  /** A store as `<workspace>/<mode>`, a workspace, or `accounts`. */
  owner: string;
  kept: string;
  /** `2026-11-22`, of UTC. */
  day: string;
}

export interface DayManifest extends KeptDay {
  format: 'counterfoil-retention';
  version: 1;
  file: string;
  rows: number;
  bytes: number;
  /** Of the file as it lies there, in hexadecimal digits. */
  sha256: string;
}

/** No day of ours comes near it; a disk would be full long before. */
const DAY_MAX_BYTES = 1024 ** 4;
const HASH_IN_NAME = 16;

/** Where days are kept, and a folder of this disk where one waits until it is whole. */
export interface DaysPlace {
  store: FileStore;
  staging: string;
}

/** Writes the day, flushes it, and then says by its manifest that it is whole. */
export async function writeDay(
  { store, staging }: DaysPlace,
  { owner, kept, day }: KeptDay,
  lines: AsyncIterable<string>,
): Promise<DayManifest> {
  let rows = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      rows += 1;
      yield `${line}\n`;
    }
  }
  const waiting = path.join(staging, `${randomUUID()}.day`);
  const keep = async (stream: Readable, toName: (sha256: string) => string) => {
    try {
      const stored = await storeBytes(waiting, stream, DAY_MAX_BYTES);
      await store.put(toName(stored.sha256), { ...stored, path: waiting });
      return stored;
    } finally {
      await rm(waiting, { force: true });
    }
  };
  const source = Readable.from(counted());
  const gzip = createGzip();
  source.on('error', (error) => gzip.destroy(error));
  const toFile = (sha256: string) => `${day}-${sha256.slice(0, HASH_IN_NAME)}.jsonl.gz`;
  const under = `${owner}/${kept}/`;
  const { sizeBytes, sha256 } = await keep(source.pipe(gzip), (hash) => `${under}${toFile(hash)}`);
  const file = toFile(sha256);
  const head = { format: 'counterfoil-retention', version: 1, owner, kept, day } as const;
  const manifest: DayManifest = { ...head, file, rows, bytes: sizeBytes, sha256 };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await keep(Readable.from([Buffer.from(text)]), () => `${under}${toManifestName(file)}`);
  return manifest;
}

const toManifestName = (file: string) => file.replace(/\.jsonl\.gz$/, '.manifest.json');

/** What was named as a day is none, or is not whole. */
class DayMissing extends Error {
  override name = 'DayMissing';
}

/** It is not what was written. */
class DayError extends Error {
  override name = 'DayError';
}

/** The lines of a file that its manifest knows. Throws where a byte differs. */
export async function* readDay({ store, staging }: DaysPlace, name: string): AsyncGenerator<string> {
  if (!name.endsWith('.jsonl.gz')) throw new DayMissing(`${name} is no day: their names end with .jsonl.gz`);
  const manifest = readManifest(await readWhole(store, toManifestName(name)), name);
  const copy = path.join(staging, `${randomUUID()}.day`);
  try {
    const file = await store.fetch(name, copy);
    if (file === null) throw new DayMissing(`${name} is not there`);
    if ((await hashOf(file)) !== manifest.sha256) throw new DayError(`${name} is not what its manifest says`);
    yield* unpack(file);
  } finally {
    await rm(copy, { force: true });
  }
}

function readManifest(text: string, name: string): DayManifest {
  try {
    return JSON.parse(text) as DayManifest;
  } catch (cause) {
    throw new DayError(`the manifest of ${name} cannot be understood`, { cause });
  }
}

async function readWhole(store: FileStore, name: string): Promise<string> {
  const stream = await store.open(name);
  if (stream === null) throw new DayMissing(`${name} is not there`);
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += String(part);
  return text;
}

async function* unpack(file: string): AsyncGenerator<string> {
  let rest = '';
  const unpacked = createReadStream(file).pipe(createGunzip()).setEncoding('utf8');
  for await (const text of unpacked) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

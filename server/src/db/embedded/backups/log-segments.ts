/** The archived log: its segments as files of a folder, compressed once they are whole. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface Segment {
  /** As the server calls it, without our ending. */
  name: string;
  /** As it lies there. */
  file: string;
  /** Counted through, whatever the timeline. */
  number: number;
  timeline: number;
}

const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.gz)?$/;
/** How one timeline comes of another. */
const HISTORY = /^[0-9A-F]{8}\.history(\.gz)?$/;
/** Where a base backup began: the server notes it, and nobody needs it. */
const BACKUP_NOTE = /^[0-9A-F]{24}\.[0-9A-F]{8}\.backup(\.gz)?$/;
const PARTIAL = /\.gz\.partial$/;
/** What the server writes before it is a segment. It leaves one with each try that fails. */
const BEGUN = /^archtemp\.([0-9A-F]{24})\./;
const LOG_BYTES = 2 ** 32;

export function toSegment(file: string, segmentBytes: number): Segment | null {
  const [, timeline, high, low] = SEGMENT.exec(file) ?? [];
  if (timeline === undefined || high === undefined || low === undefined) return null;
  const number = Number.parseInt(high, 16) * (LOG_BYTES / segmentBytes) + Number.parseInt(low, 16);
  return { name: timeline + high + low, file, number, timeline: Number.parseInt(timeline, 16) };
}

/** In the order of the log; of one that lies there twice, since it is being compressed, the whole one. */
export async function listSegments(log: string, segmentBytes: number): Promise<Segment[]> {
  const found = new Map<string, Segment>();
  for (const file of (await readdir(log)).sort()) {
    const segment = toSegment(file, segmentBytes);
    if (segment) found.set(segment.name, segment);
  }
  return [...found.values()].sort((a, b) => a.number - b.number || a.timeline - b.timeline);
}

export async function listHistories(log: string): Promise<string[]> {
  return (await readdir(log)).filter((file) => HISTORY.test(file));
}

/** Answers how many were compressed. */
export async function compressLog(log: string): Promise<number> {
  const files = await readdir(log);
  const archived = new Set(files.map((file) => file.slice(0, 24)));
  const isFailed = (file: string) => archived.has(BEGUN.exec(file)?.[1] ?? '');
  for (const file of files.filter(isFailed)) await rm(path.join(log, file), { force: true });
  // One round at a time, so that these are what a killed one has left.
  for (const file of files.filter((name) => PARTIAL.test(name))) await rm(path.join(log, file));
  const whole = files.filter((file) => /^[0-9A-F]{24}$/.test(file));
  for (const file of whole) {
    const source = path.join(log, file);
    const partial = `${source}.gz.partial`;
    const target = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(createReadStream(source), createGzip(), target);
    await rename(partial, `${source}.gz`);
    await rm(source);
  }
  return whole.length;
}

/** What lies there is not what was archived: as good as missing. */
export class SegmentDamaged extends Error {}

/** Writes one as the server wrote it. Throws one line for a file that is damaged. */
export async function expandSegment(
  source: string,
  target: string,
  segmentBytes: number | null,
): Promise<void> {
  const written = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  try {
    const read = createReadStream(source);
    await (source.endsWith('.gz') ? pipeline(read, createGunzip(), written) : pipeline(read, written));
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SegmentDamaged(`${source} is damaged: ${reason}`, { cause });
  }
  if (segmentBytes !== null && written.bytesWritten !== segmentBytes) {
    throw new SegmentDamaged(
      `${source} is damaged: it holds ${written.bytesWritten} bytes of ${segmentBytes}`,
    );
  }
}

const isDamage = (error: unknown) =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

/** Whether a compressed one can be read to its end; one that is not yet compressed is judged by who replays it. */
export async function isReadable(source: string, segmentBytes: number): Promise<boolean> {
  if (!source.endsWith('.gz')) return (await stat(source)).size === segmentBytes;
  let bytes = 0;
  try {
    await pipeline(createReadStream(source), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) bytes += chunk.length;
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
  return bytes === segmentBytes;
}

/** Removes what lies before the oldest segment that is needed; answers how many files. */
export async function dropLogBefore(log: string, first: number, segmentBytes: number): Promise<number> {
  let dropped = 0;
  for (const file of await readdir(log)) {
    const segment = toSegment(BACKUP_NOTE.test(file) ? file.slice(0, 24) : file, segmentBytes);
    if (segment === null || segment.number >= first) continue;
    await rm(path.join(log, file), { force: true });
    dropped += 1;
  }
  return dropped;
}

/** The names of those that are not there although later ones are. */
export function findGaps(segments: readonly Segment[], first: Segment, segmentBytes: number): string[] {
  const there = new Set(segments.map(({ number }) => number));
  const last = segments.at(-1)?.number ?? first.number + 1;
  const missing: string[] = [];
  for (let number = first.number; number < last; number += 1) {
    if (!there.has(number)) missing.push(toName(first.timeline, number, segmentBytes));
  }
  return missing;
}

function toName(timeline: number, number: number, segmentBytes: number): string {
  const perLog = LOG_BYTES / segmentBytes;
  const parts = [timeline, Math.floor(number / perLog), number % perLog];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

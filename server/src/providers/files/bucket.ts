/**
 * Files in a bucket, by the part of S3's protocol that its likes share: PUT, GET, HEAD, DELETE and the list, signed. The
 * operator has named the service, which may stand in his own network: it is believed, and leads nowhere else.
 */
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { Refusal } from '../../domain/errors.ts';
import { BUCKET_FILE_MAX_BYTES, type BucketPlace } from '../../domain/files-place.ts';
import { readListing } from './bucket-listing.ts';
import type { FileStore, FinishedFile } from './file-store.ts';
import { hashOfStream } from './hash-of.ts';

/** Of a call that carries no file, with its tries. */
const CALL_LIMIT_MS = 15_000;
/** Beside it, for each byte of a file that is sent: 256 KiB a second are slow. */
const PER_BYTE_MS = 1_000 / (256 * 1024);
/** Between two pieces of a file that is read. */
const SILENCE_LIMIT_MS = 30_000;
/** What a service says for the time being, it is asked again so often. */
const RETRIES = 2;

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: Blob;
  sha256?: string;
  limitMs?: number;
}

export function createBucketStore(place: BucketPlace): FileStore {
  const { bucket, prefix, access } = place;
  const client = new AwsClient({ ...access, service: 's3', retries: RETRIES });
  const root = toRoot(place);

  /** Its body has no limit yet. */
  async function call(url: string, { method, headers, body, sha256, limitMs = CALL_LIMIT_MS }: Call) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
    try {
      return await client.fetch(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 ?? EMPTY_SHA256 },
        body: body ?? null,
        redirect: 'error',
        signal: limit.signal,
      });
    } catch (cause) {
      throw new Refusal('unavailable', { cause, internal: `${method} of ${bucket} got no answer` });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Names are made of letters that mean themselves in an address. */
  const toUrl = (name: string) => `${root}/${prefix}${name}`;

  async function open(name: string, headers: Record<string, string> = {}): Promise<Readable | null> {
    const answer = await call(toUrl(name), { method: 'GET', headers });
    if (answer.status === 404) return drop(answer, null);
    if (!answer.ok || !answer.body) return refuse(answer, `GET of ${name}`);
    return Readable.from(readPieces(answer.body.getReader()), { objectMode: false });
  }

  async function put(name: string, { path, sha256, sizeBytes }: FinishedFile): Promise<void> {
    if (sizeBytes > BUCKET_FILE_MAX_BYTES) throw new Refusal('body_too_large');
    const answer = await call(toUrl(name), {
      method: 'PUT',
      headers: { 'if-none-match': '*' },
      // Read from the disk while it is sent, and anew for each try.
      body: await openAsBlob(path),
      sha256,
      limitMs: CALL_LIMIT_MS + sizeBytes * PER_BYTE_MS,
    });
    if (answer.ok) await drop(answer, null);
    // Another was first; 409: is first at this moment.
    else if (answer.status === 412 || answer.status === 409)
      await drop(answer, null).then(() => compare(name, sha256));
    else await refuse(answer, `PUT of ${name}`);
    await rm(path, { force: true });
  }

  async function compare(name: string, sha256: string): Promise<void> {
    const there = await open(name);
    if (there !== null && (await hashOfStream(there)) === sha256) return;
    throw new Refusal('unavailable', { internal: `${name} is taken by other bytes than its own` });
  }

  return {
    put,
    open: (name, stretch) => open(name, stretch ? { range: `bytes=${stretch.start}-${stretch.end}` } : {}),
    async has(name) {
      const answer = await call(toUrl(name), { method: 'HEAD' });
      if (answer.status === 404) return false;
      return answer.ok || refuse(answer, `HEAD of ${name}`);
    },
    async fetch(name, copy) {
      const found = await open(name);
      if (found === null) return null;
      // On a machine where nothing was written yet there is no folder for it.
      await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 });
      await pipeline(found, createWriteStream(copy, { mode: 0o600 }));
      return copy;
    },
    async remove(name) {
      const answer = await call(toUrl(name), { method: 'DELETE' });
      if (!answer.ok && answer.status !== 404) await refuse(answer, `DELETE of ${name}`);
      await drop(answer, null);
    },
    async *list(beginning) {
      for (let token: string | null = null; ; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}${beginning}` });
        if (token !== null) query.set('continuation-token', token);
        const answer = await call(`${root}/?${query}`, { method: 'GET' });
        if (!answer.ok || !answer.body) await refuse(answer, `the list of ${bucket}`);
        const { keys, next } = readListing(await readText(answer));
        for (const key of keys) yield key.slice(prefix.length);
        token = next;
        if (token === null) return;
      }
    },
  };
}

/** Amazon's own want the bucket in the host's name, others take it in the path; dots would break the certificate. */
function toRoot({ bucket, endpoint, access: { region } }: BucketPlace): string {
  if (endpoint !== null) return `${endpoint}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** A service that falls silent within a file is not waited for; whoever reads slowly is. */
async function* readPieces(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<never>((_resolve, reject) => {
        const error = new Refusal('unavailable', { internal: 'the bucket fell silent within a file' });
        timer = setTimeout(() => reject(error), SILENCE_LIMIT_MS);
      });
      const piece = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    // Not waited for: a service that has fallen silent would not answer to it either.
    void reader.cancel().catch(() => {});
  }
}

async function readText({ body }: Response): Promise<string> {
  if (!body) return '';
  const pieces: Uint8Array[] = [];
  for await (const piece of readPieces(body.getReader())) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** A body that nobody reads would hold its connection. */
async function drop<T>({ body }: Response, answer: T): Promise<T> {
  await body?.cancel().catch(() => {});
  return answer;
}

async function refuse(answer: Response, what: string): Promise<never> {
  const said = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(await readText(answer).catch(() => ''))?.[1];
  throw new Refusal('unavailable', {
    internal: `${what} was answered ${answer.status}${said === undefined ? '' : ` ${said}`}`,
  });
}

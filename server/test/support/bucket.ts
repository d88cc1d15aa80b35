/**
 * A stand-in for a service of buckets, by what is publicly documented of S3's protocol: path-style addresses, signatures
 * of version 4 that are checked, If-None-Match, ranges, and lists that come page by page.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const ACCESS_KEY = 'AKIDSTANDIN';
const SECRET_KEY = 'stand/in+secret';
const REGION = 'eu-test-1';
/** Few, so that small tests turn pages. */
const KEYS_PER_PAGE = 3;

export interface Bucket {
  /** As FILES_URL names it. */
  url: string;
  /** Settings that reach it. */
  env: Record<string, string>;
  objects: Map<string, Buffer>;
  /** `PUT 200`, `PUT 412`, …, in order. */
  answered: string[];
  /** Told of each call before it is answered. */
  onCall: ((method: string, isList: boolean) => void) | null;
  /** The next calls of this method are answered so; 0 = not at all, the connection is cut. */
  fail(method: string, ...statuses: number[]): void;
  close(): Promise<void>;
}

interface Call {
  method: string;
  url: URL;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

interface Said {
  status: number;
  body?: Buffer;
  headers?: Record<string, string>;
}

const hex = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const refuse = (status: number, code: string): Said => ({
  status,
  body: Buffer.from(`<Error><Code>${code}</Code></Error>`),
});

export async function startBucket({ name = 'kept', prefix = 'shop' } = {}): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const answered: string[] = [];
  const failures = new Map<string, number[]>();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const method = request.method ?? '';
      bucket.onCall?.(method, url.searchParams.has('list-type'));
      const failure = failures.get(method)?.shift();
      if (failure === 0) return void request.socket.destroy();
      const call = { method, url, headers: request.headers, body: Buffer.concat(chunks) };
      const { status, body, headers } = failure
        ? refuse(failure, 'SlowDown')
        : answer(call, { name, objects });
      answered.push(`${method} ${status}`);
      response.writeHead(status, { 'content-length': String(body?.length ?? 0), ...headers });
      response.end(method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bucket: Bucket = {
    onCall: null,
    url: `s3://${name}${prefix && `/${prefix}`}?endpoint=http://127.0.0.1:${port}`,
    env: { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY, AWS_REGION: REGION },
    objects,
    answered,
    fail: (method, ...statuses) => void failures.set(method, statuses),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return bucket;
}

function answer(call: Call, { name, objects }: { name: string; objects: Map<string, Buffer> }): Said {
  const { method, url, headers, body } = call;
  if (!isSigned(call)) return refuse(403, 'SignatureDoesNotMatch');
  if (headers['x-amz-content-sha256'] !== hex(body)) return refuse(400, 'XAmzContentSHA256Mismatch');
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== name) return refuse(404, 'NoSuchBucket');
  const key = rest.join('/');
  if (key === '') return method === 'GET' ? list(url.searchParams, objects) : refuse(405, 'MethodNotAllowed');
  const found = objects.get(key);
  if (method === 'PUT') {
    if (found && headers['if-none-match'] === '*') return refuse(412, 'PreconditionFailed');
    objects.set(key, body);
    return { status: 200 };
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return { status: 204 };
  }
  if (!found) return refuse(404, 'NoSuchKey');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) return { status: 200, body: found };
  const part = found.subarray(Number(from), Number(to) + 1);
  return { status: 206, body: part, headers: { 'content-range': `bytes ${from}-${to}/${found.length}` } };
}

function list(query: URLSearchParams, objects: Map<string, Buffer>): Said {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .sort()
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
  const page = keys.slice(0, KEYS_PER_PAGE);
  const isCut = keys.length > page.length;
  const contents = page
    .map((key) => `<Contents><Key>${key.replace(/&/g, '&amp;')}</Key></Contents>`)
    .join('');
  const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const xml = `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents}${next}</ListBucketResult>`;
  return { status: 200, body: Buffer.from(xml), headers: { 'content-type': 'application/xml' } };
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
/** What must be signed, so that nobody on the way changes what is asked for. */
const MUST_SIGN = ['host', 'x-amz-content-sha256', 'x-amz-date'];

function isSigned({ method, url, headers }: Call): boolean {
  const [, id, day = '', region = '', names = '', signature = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';');
  const at = String(headers['x-amz-date']);
  if (id !== ACCESS_KEY || region !== REGION || !at.startsWith(day)) return false;
  const conditions = headers['if-none-match'] === undefined ? [] : ['if-none-match'];
  if (![...MUST_SIGN, ...conditions].every((name) => signed.includes(name))) return false;
  const query = [...url.searchParams]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', at, `${day}/${region}/s3/aws4_request`, hex(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${SECRET_KEY}`, day), region), 's3'), 'aws4_request');
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}

/** Sends a file in whole or in one part, so that a download that broke off can go on. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { showAsWritten } from '../domain/file-name.ts';
import type { Stretch } from '../providers/files/file-store.ts';

export interface SentFile {
  /** Its bytes; throws where they are missing. */
  open(stretch: Stretch): Promise<Readable>;
  /** Files never change under one id, so that it is their version too. */
  id: string;
  sizeBytes: number;
  contentType: string;
  fileName: string;
  disposition: 'inline' | 'attachment';
  /** A content security policy of its own; without it nothing of the file runs. */
  policy?: string;
}

/** Whatever the bytes are, a browser that is led to them runs nothing of them. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile) {
  const etag = `"${file.id}"`;
  reply
    .header('content-type', file.contentType)
    .header('content-disposition', toDisposition(file))
    .header('content-security-policy', file.policy ?? NOTHING_RUNS)
    .header('x-content-type-options', 'nosniff')
    .header('accept-ranges', 'bytes')
    .header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  const ifRange = request.headers['if-range'];
  const part =
    ifRange === undefined || ifRange === etag ? parseRange(request.headers.range, file.sizeBytes) : null;
  if (part === 'unsatisfiable') {
    return reply.status(416).header('content-range', `bytes */${file.sizeBytes}`).send();
  }
  const { start, end } = part ?? { start: 0, end: file.sizeBytes - 1 };
  if (part) reply.status(206).header('content-range', `bytes ${start}-${end}/${file.sizeBytes}`);
  reply.header('content-length', end - start + 1);
  if (request.method === 'HEAD') return reply.send();
  // A list may have no rows.
  if (file.sizeBytes === 0) return reply.send('');
  return reply.send(await file.open({ start, end }));
}

export type RangePart = { start: number; end: number } | 'unsatisfiable' | null;

/** One range of bytes, both ends included; null = the whole, also for several ranges and for other units. */
export function parseRange(header: string | undefined, sizeBytes: number): RangePart {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(sizeBytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start > end ? 'unsatisfiable' : { start, end };
}

/** A plain name for old clients and the exact one beside it (RFC 6266). */
export function toDisposition({
  disposition,
  fileName: kept,
}: Pick<SentFile, 'disposition' | 'fileName'>): string {
  const fileName = showAsWritten(kept);
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

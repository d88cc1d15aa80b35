/** The keys as a request sends them, under any name that this API goes by. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SentKeys {
  publicKey: string | null;
  secretKey: string | null;
  /** Of both together: what a pair is known by once it was seen valid. Null without a public key. */
  digest: string | null;
}

export type KeyReader = (headers: IncomingHttpHeaders) => SentKeys;

const NO_KEYS: SentKeys = { publicKey: null, secretKey: null, digest: null };

/** `aliases` are other names of the API: `x-abc-public-key` beside `x-svc-public-key`. */
export function createKeyReader(aliases: readonly string[]): KeyReader {
  const prefixes = ['svc', ...aliases];
  const publicNames = prefixes.map((prefix) => `x-${prefix}-public-key`);
  const secretNames = prefixes.map((prefix) => `x-${prefix}-secret-key`);
  return (headers) => {
    const publicKey = firstOf(headers, publicNames);
    const secretKey = firstOf(headers, secretNames);
    if (publicKey === null) return secretKey === null ? NO_KEYS : { ...NO_KEYS, secretKey };
    const digest = createHash('sha256')
      .update(`${publicKey}\n${secretKey ?? ''}`)
      .digest('base64');
    return { publicKey, secretKey, digest };
  };
}

/** A header that is empty is no header: clients send one for a key that they were not given. */
function firstOf(headers: IncomingHttpHeaders, names: readonly string[]): string | null {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

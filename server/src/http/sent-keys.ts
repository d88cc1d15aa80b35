/** Who a request says it is: the keys, under any name that this API goes by, or else the session of a browser. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashToken } from '../resources/accounts/tokens.ts';
import type { Cookies } from './cookies.ts';

export interface SentKeys {
  publicKey: string | null;
  secretKey: string | null;
  /** Looked at only where there are no keys: these win over a cookie. */
  session: SentSession | null;
  /** Of all of it together: what it is known by once it was seen valid. Null without public key and session. */
  digest: string | null;
}

export interface SentSession {
  /** SHA-256 of the cookie's token. */
  tokenHash: string;
  /** The store that it asks for; null = not said. */
  workspaceId: string | null;
  mode: string | null;
}

export type KeyReader = (headers: IncomingHttpHeaders) => SentKeys;

const NO_KEYS: SentKeys = { publicKey: null, secretKey: null, session: null, digest: null };

/** `aliases` are other names of the API: `x-abc-public-key` beside `x-svc-public-key`. */
export function createKeyReader(aliases: readonly string[], cookies: Cookies | null = null): KeyReader {
  const prefixes = ['svc', ...aliases];
  const namesOf = (what: string) => prefixes.map((prefix) => `x-${prefix}-${what}`);
  const publicNames = namesOf('public-key');
  const secretNames = namesOf('secret-key');
  const workspaceNames = namesOf('workspace');
  const modeNames = namesOf('mode');

  function readSession(headers: IncomingHttpHeaders): SentKeys {
    const token = cookies?.read(headers.cookie, 'session') ?? null;
    if (token === null) return NO_KEYS;
    const tokenHash = hashToken(token);
    const workspaceId = firstOf(headers, workspaceNames)?.toLowerCase() ?? null;
    const session = { tokenHash, workspaceId, mode: firstOf(headers, modeNames) };
    return { ...NO_KEYS, session, digest: tokenHash };
  }

  return (headers) => {
    const publicKey = firstOf(headers, publicNames);
    const secretKey = firstOf(headers, secretNames);
    if (publicKey === null) return secretKey === null ? readSession(headers) : { ...NO_KEYS, secretKey };
    const digest = hash('sha256', `${publicKey}\n${secretKey ?? ''}`, 'base64');
    return { publicKey, secretKey, session: null, digest };
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

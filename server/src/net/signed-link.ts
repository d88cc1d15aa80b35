/** Links that open one thing for a while, for a browser that holds no key. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link opens, and until when in real time. */
export interface LinkTerms {
  /** Keeps a link for one purpose from opening another, such as `download`. */
  purpose: string;
  id: string;
  expiresAtMs: number;
}

/** A token for a path: id, expiry and an HMAC-SHA256 over both and the purpose. */
export function signLink(secret: string, { purpose, id, expiresAtMs }: LinkTerms): string {
  const expiry = expiresAtMs.toString(36);
  return `${id}.${expiry}.${computeMac(secret, [purpose, id, expiry])}`;
}

export type OpenedLink = { kind: 'open'; id: string } | { kind: 'expired' } | { kind: 'forged' };

/** Whose link a token is. A token with an altered sign is forged, however old it is. */
export function openLink(
  secret: string,
  token: string,
  { purpose, nowMs }: { purpose: string; nowMs: number },
): OpenedLink {
  const [id = '', expiry = '', mac = '', ...rest] = token.split('.');
  const expected = Buffer.from(computeMac(secret, [purpose, id, expiry]));
  const given = Buffer.from(mac);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: 'forged' };
  }
  return Number.parseInt(expiry, 36) > nowMs ? { kind: 'open', id } : { kind: 'expired' };
}

function computeMac(secret: string, parts: string[]): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(parts.join('\n')).digest('base64url');
}

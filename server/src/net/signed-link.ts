/** Links that open one thing for a while, for a browser that holds no key. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link opens, and until when in real time. */
export interface LinkTerms {
  /** Keeps a link for one purpose from opening another, such as `download`. */
  purpose: string;
  /** Names what is opened, in parts without a dot. */
  opens: readonly string[];
  expiresAtMs: number;
}

/** A token for a path: what it opens, its expiry and an HMAC-SHA256 over both and the purpose. */
export function signLink(secret: string, { purpose, opens, expiresAtMs }: LinkTerms): string {
  const expiry = expiresAtMs.toString(36);
  return [...opens, expiry, computeMac(secret, [purpose, ...opens, expiry])].join('.');
}

export type OpenedLink = { kind: 'open'; opens: string[] } | { kind: 'expired' } | { kind: 'forged' };

/** What a token opens. A token with an altered sign is forged, however old it is. */
export function openLink(
  secret: string,
  token: string,
  { purpose, nowMs }: { purpose: string; nowMs: number },
): OpenedLink {
  const parts = token.split('.');
  const given = Buffer.from(parts.pop() ?? '');
  const expected = Buffer.from(computeMac(secret, [purpose, ...parts]));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'forged' };
  const expiry = parts.pop() ?? '';
  return Number.parseInt(expiry, 36) > nowMs ? { kind: 'open', opens: parts } : { kind: 'expired' };
}

function computeMac(secret: string, parts: string[]): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(parts.join('\n')).digest('base64url');
}

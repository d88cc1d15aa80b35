/**
 * What a browser keeps that has opened a link first: it is sent back to the page of that one link and to nothing else,
 * no script reads it, and no other site's page sends it along.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `payer`: of a mailed link to what is owed. `opener`: of a checkout that was prepared for a user. */
const NAMES = { payer: 'counterfoil-payer', opener: 'counterfoil-opener' } as const;
export type LinkCookieName = keyof typeof NAMES;

/** Null for a browser that keeps nothing. */
export function readLinkCookie({ headers }: FastifyRequest, name: LinkCookieName): string | null {
  const value = new RegExp(`(?:^|; ?)${NAMES[name]}=([\\w-]{43})(?:;|$)`);
  return value.exec(headers.cookie ?? '')?.[1] ?? null;
}

export interface LinkCookie {
  name: LinkCookieName;
  value: string;
  /** The page, and what the page asks: a cookie has one path. */
  paths: readonly string[];
  lifetimeMs: number;
  publicUrl: string;
}

export function setLinkCookie(reply: FastifyReply, cookie: LinkCookie): void {
  const { name, value, paths, lifetimeMs, publicUrl } = cookie;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const terms = `Max-Age=${Math.floor(lifetimeMs / 1000)}; HttpOnly; SameSite=Lax${secure}`;
  reply.header(
    'set-cookie',
    paths.map((path) => `${NAMES[name]}=${value}; Path=${path}; ${terms}`),
  );
}

/** The cookies by which a browser is known again, as they are read and set. */
import { fastifyCookie } from '@fastify/cookie';
import { PENDING_MS, SESSION_MS } from '../domain/accounts/session-life.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
/** How long the way to an identity provider and back may take. */
const OIDC_MS = 10 * 60_000;

/** What each is for, and how long a browser keeps it. */
const LIVES_MS = { session: SESSION_MS, pending: PENDING_MS, device: YEAR_MS, oidc: OIDC_MS } as const;
export type CookieName = keyof typeof LIVES_MS;

export interface Cookies {
  /** The value of the cookie that the request sends; null when there is none. */
  read(header: string | undefined, name: CookieName): string | null;
  /** The header that sets it; a value of null takes it away. */
  write(name: CookieName, value: string | null): string;
}

/** Above plain http a browser binds them to this very host. */
export function createCookies(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const toName = (name: CookieName) => `${isSecure ? '__Host-' : ''}cf_${name}`;
  return {
    read(header, name) {
      if (header === undefined) return null;
      const value = fastifyCookie.parse(header)[toName(name)];
      return value === undefined || value === '' || value.length > VALUE_MAX ? null : value;
    },
    write(name, value) {
      return fastifyCookie.serialize(toName(name), value ?? '', {
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
        secure: isSecure,
        maxAge: value === null ? 0 : LIVES_MS[name] / 1000,
      });
    },
  };
}

const VALUE_MAX = 200;

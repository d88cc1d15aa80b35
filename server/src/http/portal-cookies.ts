/** What a browser keeps of portals: a session for each store, and what it asked for last. */
import { createHash } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import type { Scope } from '../db/scope.ts';
import { fromShortId, toShortId } from '../domain/link-token.ts';
import { CODE_MS, LIFE_MS } from '../domain/portal/session-life.ts';

const STORE_LENGTH = 8;
const VALUE_MAX = 200;

/** The word that a browser keeps until its code comes, with the store that it belongs to. */
export interface AskedWord {
  scope: Scope;
  word: string;
}

export interface PortalCookies {
  readSession(header: string | undefined, scope: Scope): string | null;
  /** The header that sets it; null takes it away. */
  writeSession(scope: Scope, token: string | null): string;
  readAsked(header: string | undefined): AskedWord | null;
  writeAsked(asked: AskedWord | null): string;
}

/** Above plain http a browser binds them to this very host. */
export function createPortalCookies(publicUrl: string): PortalCookies {
  const isSecure = publicUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-cf_' : 'cf_';
  const read = (header: string | undefined, name: string) => {
    const value = header === undefined ? undefined : fastifyCookie.parse(header)[name];
    return value === undefined || value === '' || value.length > VALUE_MAX ? null : value;
  };
  const write = (name: string, value: string | null, lifeMs: number) =>
    fastifyCookie.serialize(name, value ?? '', {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: isSecure,
      maxAge: value === null ? 0 : lifeMs / 1000,
    });
  const sessionName = (scope: Scope) => `${prefix}${toStoreSign(scope)}`;
  return {
    readSession: (header, scope) => read(header, sessionName(scope)),
    writeSession: (scope, token) => write(sessionName(scope), token, LIFE_MS),
    readAsked: (header) => toAsked(read(header, `${prefix}asked`)),
    writeAsked: (asked) => write(`${prefix}asked`, asked && fromAsked(asked), CODE_MS),
  };
}

/** Tells the stores of one host apart. */
function toStoreSign({ workspaceId, testMode }: Scope): string {
  const hash = createHash('sha256').update(`${workspaceId} ${testMode ? 'test' : 'live'}`);
  return hash.digest('hex').slice(0, STORE_LENGTH);
}

function fromAsked({ scope, word }: AskedWord): string {
  return `${toShortId(scope.workspaceId)}.${scope.testMode ? 'test' : 'live'}.${word}`;
}

function toAsked(value: string | null): AskedWord | null {
  const [workspace = '', mode, word] = (value ?? '').split('.');
  const workspaceId = fromShortId(workspace);
  if (workspaceId === null || !word) return null;
  return { scope: { workspaceId, testMode: mode === 'test' }, word };
}

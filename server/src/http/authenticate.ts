/** Who is asking: key pairs, the mode they belong to, and what they may do. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { findKeyPair, type KeyPair, updateLastUsed } from '../resources/api-keys/api-keys.queries.ts';
import { hashSecret } from '../resources/api-keys/key-pairs.ts';

export interface Actor {
  keyId: string;
  scope: Scope;
  /** Whether the secret key was sent: only then are secrets shown whole. */
  withSecret: boolean;
}

/** What an operation asks of a key pair. */
export interface Access {
  /** The resource of the pair's scopes, such as `products`. */
  area: string;
  mode: 'read' | 'write';
  /** Some reads show what only the secret key may see. */
  needsSecret: boolean;
}

export interface Authenticator {
  authenticate(headers: IncomingHttpHeaders, access: Access): Promise<Actor>;
  /** Writes when pairs were last used; called now and then and at the end. */
  flush(): Promise<void>;
}

/** A revoked pair is dead within this time in every process. */
const CACHE_MS = 4_000;
const CACHE_MAX = 10_000;

interface Cached {
  pair: KeyPair | undefined;
  loadedAtMs: number;
}

export function createAuthenticator(db: Db, realNowMs: () => number): Authenticator {
  const cache = new Map<string, Cached>();
  const uses = new Map<string, { workspaceId: string; keyId: string; usedAt: number }>();

  async function loadPair(publicKey: string): Promise<KeyPair | undefined> {
    const nowMs = realNowMs();
    const cached = cache.get(publicKey);
    if (cached && nowMs - cached.loadedAtMs < CACHE_MS) return cached.pair;
    const pair = await findKeyPair(db, publicKey);
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(publicKey, { pair, loadedAtMs: nowMs });
    return pair;
  }

  return {
    async authenticate(headers, access) {
      const publicKey = header(headers, 'x-svc-public-key');
      if (!publicKey || publicKey.length > 100) throw new Refusal('unauthorized');
      const pair = await loadPair(publicKey);
      const nowMs = realNowMs();
      if (!pair || pair.revokedAt !== null || (pair.expiresAt !== null && pair.expiresAt <= nowMs)) {
        throw new Refusal('unauthorized');
      }
      const withSecret = checkSecret(pair, header(headers, 'x-svc-secret-key'), access);
      checkAccess(pair, access);
      uses.set(pair.keyId, { workspaceId: pair.workspaceId, keyId: pair.keyId, usedAt: nowMs });
      return {
        keyId: pair.keyId,
        scope: { workspaceId: pair.workspaceId, testMode: pair.testMode },
        withSecret,
      };
    },
    async flush() {
      const batch = [...uses.values()];
      uses.clear();
      await updateLastUsed(db, batch);
    },
  };
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Both keys of a request are one pair; writes and some reads need the secret one, a narrowed pair for all. */
function checkSecret(pair: KeyPair, secret: string | undefined, access: Access): boolean {
  if (secret !== undefined) {
    const given = Buffer.from(hashSecret(secret), 'hex');
    if (!timingSafeEqual(given, Buffer.from(pair.secretHash, 'hex'))) throw new Refusal('unauthorized');
    return true;
  }
  if (access.needsSecret || pair.readRequiresSecret) throw new Refusal('secret_key_required');
  return false;
}

function checkAccess(pair: KeyPair, access: Access): void {
  if (pair.workspaceState === 'archived') throw new Refusal('workspace_archived');
  if (pair.workspaceState === 'suspended' && access.mode === 'write')
    throw new Refusal('workspace_suspended');
  if (pair.scopes && !pair.scopes.includes(`${access.area}:${access.mode}`))
    throw new Refusal('insufficient_scope');
}

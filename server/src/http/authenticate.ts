/** Who is asking: key pairs, the mode they belong to, and what they may do. */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { findKeyPair, type KeyPair, updateLastUsed } from '../resources/api-keys/api-keys.queries.ts';
import { hashSecret } from '../resources/api-keys/key-pairs.ts';
import type { SentKeys } from './sent-keys.ts';

export interface Actor {
  keyId: string;
  /** Whose Idempotency-Keys the request's are: those of a store's key pairs are one. */
  asker: string;
  scope: Scope;
  /** Whether the secret key was sent: only then are secrets shown whole. */
  withSecret: boolean;
  /** What prices in its requests are written in. */
  amounts: 'minor' | 'major';
}

/** A pair that is valid, by its public key alone or by both. */
export interface Identity extends Actor {
  pair: KeyPair;
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
  /** Throws unauthorized for a pair that is missing, unknown, over or wrong, saying which key it is. */
  identify(keys: SentKeys): Promise<Identity>;
  /** Writes when pairs were last used; called now and then and at the end. */
  flush(): Promise<void>;
}

export interface AuthenticatorClocks {
  /** Real time: what a pair's grace ends by. */
  realNowMs: () => number;
  /** Never runs backwards: a clock that is put back must not let a revoked pair live on. */
  monotonicMs: () => number;
}

/** A revoked pair is dead within this time in every process. */
const CACHE_MS = 4_000;
const CACHE_MAX = 10_000;
const KEY_LENGTH_MAX = 100;
const KEY_PAIRS = 'keys';

interface Cached {
  pair: KeyPair | undefined;
  /** The digest of both keys once the secret one was found right. */
  rightDigest: string | null;
  loadedAtMs: number;
}

export function createAuthenticator(db: Db, { realNowMs, monotonicMs }: AuthenticatorClocks): Authenticator {
  const cache = new Map<string, Cached>();
  const uses = new Map<string, { workspaceId: string; keyId: string; usedAt: number }>();

  async function load(publicKey: string): Promise<Cached> {
    const loadedAtMs = monotonicMs();
    const cached = cache.get(publicKey);
    if (cached && loadedAtMs - cached.loadedAtMs < CACHE_MS) return cached;
    const pair = await findKeyPair(db, publicKey);
    if (cache.size >= CACHE_MAX) cache.clear();
    const loaded = { pair, rightDigest: null, loadedAtMs };
    cache.set(publicKey, loaded);
    return loaded;
  }

  return {
    async identify(keys) {
      const cached = await load(checkPublicKey(keys));
      const { pair } = cached;
      const nowMs = realNowMs();
      if (!pair || pair.revokedAt !== null || (pair.expiresAt !== null && pair.expiresAt <= nowMs)) {
        throw new Refusal('unauthorized', { message: 'The public key is unknown, revoked or expired.' });
      }
      checkSecret(cached, pair, keys);
      uses.set(pair.keyId, { workspaceId: pair.workspaceId, keyId: pair.keyId, usedAt: nowMs });
      const { keyId, workspaceId, testMode, amounts } = pair;
      const scope = { workspaceId, testMode };
      return { pair, keyId, asker: KEY_PAIRS, scope, withSecret: keys.secretKey !== null, amounts };
    },
    async flush() {
      const batch = [...uses.values()];
      uses.clear();
      await updateLastUsed(db, batch);
    },
  };
}

function checkPublicKey({ publicKey, secretKey }: SentKeys): string {
  if (publicKey === null) {
    const message =
      secretKey === null
        ? 'The header x-svc-public-key is missing.'
        : 'The header x-svc-public-key is missing: a secret key is sent beside its public one.';
    throw new Refusal('unauthorized', { message });
  }
  if (publicKey.startsWith('sec_')) {
    throw new Refusal('unauthorized', { message: 'The header x-svc-public-key holds a secret key.' });
  }
  if (publicKey.length <= KEY_LENGTH_MAX) return publicKey;
  throw new Refusal('unauthorized', { message: 'The public key is unknown, revoked or expired.' });
}

/** Both keys of a request are one pair. */
function checkSecret(cached: Cached, pair: KeyPair, { secretKey, digest }: SentKeys): void {
  if (secretKey === null || cached.rightDigest === digest) return;
  const given = Buffer.from(hashSecret(secretKey), 'hex');
  if (!timingSafeEqual(given, Buffer.from(pair.secretHash, 'hex'))) {
    throw new Refusal('unauthorized', { message: 'The secret key belongs to another pair.' });
  }
  cached.rightDigest = digest;
}

/** What the pair may do: the secret key first, then its workspace, then its scopes. */
export function checkAccess({ pair, withSecret }: Identity, access: Access): void {
  if (!withSecret && (access.needsSecret || pair.readRequiresSecret))
    throw new Refusal('secret_key_required');
  if (pair.workspaceState === 'archived') throw new Refusal('workspace_archived');
  if (pair.workspaceState === 'suspended' && access.mode === 'write')
    throw new Refusal('workspace_suspended');
  if (pair.scopes && !pair.scopes.includes(`${access.area}:${access.mode}`))
    throw new Refusal('insufficient_scope');
}

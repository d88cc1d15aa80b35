/** Who is asking, a key pair or the session of an account; the store that they ask in, and what they may do there. */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { isFromNetworks } from '../domain/ip-allow-list.ts';
import { refuseScope, scopesAllow } from '../domain/key-scopes.ts';
import { type Area, mayDo } from '../domain/roles.ts';
import {
  findKeyPair,
  type KeyPair,
  type KeyUse,
  updateLastUsed,
} from '../resources/api-keys/api-keys.queries.ts';
import { hashSecret } from '../resources/api-keys/key-pairs.ts';
import { noteActivity } from '../resources/workspaces/sweep.queries.ts';
import type { SentKeys, SentSession } from './sent-keys.ts';
import { createSessions, findMember, type SessionActor, type Sessions } from './sessions.ts';

export interface Actor {
  /** As audit rows name who asks: `key:<id>` or `account:<id>`. */
  name: string;
  /** What its requests are counted by: a key pair's id or a session's. */
  countedBy: string;
  /** Whose Idempotency-Keys the request's are: those of a store's key pairs are one, an account's are its own. */
  asker: string;
  scope: Scope;
  /** A key pair's; null = all that needs no naming, and of a member: the role says it. */
  scopes: readonly string[] | null;
  /** The account that asks, as the member that it is there; null = a key pair asks. */
  member: SessionActor | null;
  /** The key pair that asks; null = an account does. */
  pair: KeyPair | null;
  /** Whether the secret key was sent: only then are secrets shown whole. */
  withSecret: boolean;
  /** What prices in its requests are written in. */
  amounts: 'minor' | 'major';
}

/** A pair that is valid, by its public key alone or by both; or a living session in a store of its account's. */
export type Identity = Actor & ({ pair: KeyPair; member: null } | { pair: null; member: SessionActor });

/** What an operation asks of whoever asks for it. */
export interface Access {
  /** What the pair's scopes, or the member's role, must allow, such as `products`; null = nothing. */
  area: Area | null;
  mode: 'read' | 'write';
  /** Some reads show what only the secret key may see. */
  needsSecret: boolean;
  /** It belongs to the workspace as a whole: a session need not say in which mode it asks. */
  ofWorkspace: boolean;
  /** It is what takes a workspace out of a state in which nothing else can be written. */
  inAnyState: boolean;
  /** People decide it of people: a key pair cannot. */
  membersOnly: boolean;
}

/** Where a request comes from, and whether it names its mode. */
export interface Arriving extends Pick<Access, 'ofWorkspace'> {
  address: string;
}

export interface Authenticator {
  /**
   * Throws unauthorized for a pair that is missing, unknown, over or wrong, saying which key it is, and for a session
   * that is over; workspace_required and workspace_not_found for a session without a store.
   */
  identify(keys: SentKeys, arriving: Arriving): Promise<Identity>;
  sessions: Sessions;
  /** Pairs and the state of their workspaces are read anew: said after every change of them in this process. */
  forgetPairs(): void;
  /** Writes when pairs and sessions were last used; called now and then and at the end. */
  flush(): Promise<void>;
}

export interface AuthenticatorClocks {
  /** Real time: what a pair's grace ends by. */
  realNowMs: () => number;
  /** Never runs backwards: a clock that is put back must not let a revoked pair live on. */
  monotonicMs: () => number;
}

/** A revoked pair is dead at once in the process that was told, and within this time in every other. */
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
  /** What is being looked up: many requests of a pair find it forgotten at once. */
  const loading = new Map<string, Promise<Cached>>();
  const uses = new Map<string, KeyUse>();
  const activity = new Map<string, number>();
  const sessions = createSessions(db, { realNowMs, monotonicMs });
  /** How often all was forgotten: what was looked up before is of then. */
  let forgotten = 0;

  async function load(publicKey: string): Promise<Cached> {
    const loadedAtMs = monotonicMs();
    const cached = cache.get(publicKey);
    if (cached && loadedAtMs - cached.loadedAtMs < CACHE_MS) return cached;
    const known = loading.get(publicKey);
    if (known) return known;
    const begun = loadAnew(publicKey, loadedAtMs).finally(() => {
      if (loading.get(publicKey) === begun) loading.delete(publicKey);
    });
    loading.set(publicKey, begun);
    return begun;
  }

  async function loadAnew(publicKey: string, loadedAtMs: number): Promise<Cached> {
    const begunAt = forgotten;
    const pair = await findKeyPair(db, publicKey);
    if (cache.size >= CACHE_MAX) cache.clear();
    const loaded = { pair, rightDigest: null, loadedAtMs };
    if (begunAt === forgotten) cache.set(publicKey, loaded);
    return loaded;
  }

  return {
    sessions,
    forgetPairs() {
      forgotten += 1;
      cache.clear();
      loading.clear();
    },
    async identify(keys, { ofWorkspace, address }) {
      if (keys.session) {
        const identity = await identifySession(sessions, keys.session, { ofWorkspace });
        activity.set(identity.scope.workspaceId, realNowMs());
        return identity;
      }
      const cached = await load(checkPublicKey(keys));
      const { pair } = cached;
      const nowMs = realNowMs();
      if (!pair || pair.revokedAt !== null || (pair.expiresAt !== null && pair.expiresAt <= nowMs)) {
        throw new Refusal('unauthorized', { message: 'The public key is unknown, revoked or expired.' });
      }
      checkSecret(cached, pair, keys);
      const { keyId, workspaceId, testMode, amounts, scopes } = pair;
      uses.set(keyId, { workspaceId, keyId, usedAt: nowMs, address });
      activity.set(workspaceId, nowMs);
      const who = { name: `key:${keyId}`, countedBy: keyId, asker: KEY_PAIRS };
      const scope = { workspaceId, testMode };
      return { ...who, pair, member: null, scope, scopes, withSecret: keys.secretKey !== null, amounts };
    },
    async flush() {
      const batch = [...uses.values()];
      uses.clear();
      await updateLastUsed(db, batch);
      const active = [...activity].map(([workspaceId, activeAt]) => ({ workspaceId, activeAt }));
      activity.clear();
      await noteActivity(db, active);
      await sessions.flush();
    },
  };
}

async function identifySession(
  sessions: Sessions,
  { tokenHash, workspaceId, mode }: SentSession,
  { ofWorkspace }: Pick<Access, 'ofWorkspace'>,
): Promise<Identity> {
  const session = await sessions.find(tokenHash);
  if (!session) throw new Refusal('unauthorized', { message: 'The session is over: sign in again.' });
  const isMode = mode === 'live' || mode === 'test' || (ofWorkspace && mode === null);
  if (workspaceId === null || !isMode) throw new Refusal('workspace_required');
  const member = findMember(session, workspaceId);
  const name = `account:${session.accountId}`;
  const who = { name, countedBy: session.sessionId, asker: name };
  const scope = { workspaceId, testMode: mode === 'test' };
  return { ...who, pair: null, member, scope, scopes: null, withSecret: true, amounts: 'minor' };
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

/** What it may do: the secret key first, then where it comes from, then the workspace's state, then scopes or role. */
export function checkAccess(identity: Identity, access: Access, address: string): void {
  const { pair, member, withSecret, scope } = identity;
  if (pair && access.membersOnly) throw new Refusal('session_required');
  if (!withSecret && (access.needsSecret || pair?.readRequiresSecret))
    throw new Refusal('secret_key_required');
  if (pair?.ipAllowList && !isFromNetworks(address, pair.ipAllowList)) throw new Refusal('ip_not_allowed');
  const state = member ? member.membership.state : pair.workspaceState;
  // A member may look at what stands still, and take it out of there.
  if (state === 'archived' && !(member && access.inAnyState)) throw new Refusal('workspace_archived');
  if (state === 'suspended' && access.mode === 'write' && !(member && access.inAnyState))
    throw new Refusal('workspace_suspended');
  const { area, mode } = access;
  const asked = area && { area, access: mode, testMode: scope.testMode };
  if (pair && asked && !scopesAllow(pair.scopes, asked)) throw refuseScope(asked);
  if (member && asked && !mayDo(member.role, member.permissions, asked))
    throw new Refusal('insufficient_permission');
}

/** The sessions that requests come with, remembered for a few seconds as key pairs are. */
import type { Db } from '../db/database.ts';
import { isLiving } from '../domain/accounts/session-life.ts';
import { Refusal } from '../domain/errors.ts';
import type { Permissions, Role } from '../domain/roles.ts';
import {
  findSession,
  type StandingMembership,
  type StandingSession,
  updateSessionUses,
} from '../resources/accounts/account-sessions.queries.ts';

/** A session that was ended is dead within this time in every process, and at once in the one that ended it. */
const CACHE_MS = 4_000;
const CACHE_MAX = 10_000;
/** How often the use of one is noted. */
const NOTED_EVERY_MS = 60_000;

export interface Sessions {
  /** The living session of a token's hash; undefined for any other. */
  find(tokenHash: string): Promise<StandingSession | undefined>;
  /** Something of the account has changed: what is remembered of it is read anew. */
  forget(accountId: string): void;
  flush(): Promise<void>;
}

export interface SessionClocks {
  realNowMs: () => number;
  monotonicMs: () => number;
}

export function createSessions(db: Db, { realNowMs, monotonicMs }: SessionClocks): Sessions {
  const cache = new Map<string, { session: StandingSession | undefined; loadedAtMs: number }>();
  const uses = new Map<string, number>();
  // What was being read while an account was forgotten is not kept.
  let generation = 0;

  async function load(tokenHash: string): Promise<StandingSession | undefined> {
    const loadedAtMs = monotonicMs();
    const cached = cache.get(tokenHash);
    if (cached && loadedAtMs - cached.loadedAtMs < CACHE_MS) return cached.session;
    const begun = generation;
    const session = await findSession(db, tokenHash);
    if (cache.size >= CACHE_MAX) cache.clear();
    if (begun === generation) cache.set(tokenHash, { session, loadedAtMs });
    return session;
  }

  return {
    async find(tokenHash) {
      const session = await load(tokenHash);
      const nowMs = realNowMs();
      if (!session || !isLiving(session, nowMs)) return undefined;
      if (nowMs - session.usedAt >= NOTED_EVERY_MS) {
        session.usedAt = nowMs;
        uses.set(session.sessionId, nowMs);
      }
      return session;
    },
    forget(accountId) {
      generation += 1;
      for (const [tokenHash, { session }] of cache)
        if (session === undefined || session.accountId === accountId) cache.delete(tokenHash);
    },
    async flush() {
      const batch = [...uses].map(([sessionId, usedAt]) => ({ sessionId, usedAt }));
      uses.clear();
      await updateSessionUses(db, batch);
    },
  };
}

/** An account in one of its workspaces. */
export interface SessionActor {
  session: StandingSession;
  membership: StandingMembership;
  role: Role;
  permissions: Permissions | null;
}

/** The member that a session asks as. Throws workspace_not_found for a workspace that is none of its account's. */
export function findMember(session: StandingSession, workspaceId: string): SessionActor {
  const membership = session.memberships.find((one) => one.workspaceId === workspaceId);
  const { confinedWorkspaceId } = session;
  if (!membership || (confinedWorkspaceId !== null && confinedWorkspaceId !== workspaceId))
    throw new Refusal('workspace_not_found');
  if (membership.requireSecondFactor && !session.hasSecondFactor && !session.isTwoFactor)
    throw new Refusal('second_factor_required');
  return { session, membership, role: membership.role, permissions: membership.permissions };
}

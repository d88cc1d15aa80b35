/** All SQL of buyers' sessions. Times are real. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type PortalSessionRow = Row<'portalSessions'>;
type NewSession = Omit<PortalSessionRow, 'workspaceId' | 'testMode' | 'usedAt'>;

const EMPTY = {
  ...{ tokenHash: null, bearerHash: null, linkHash: null, flow: null, subscriptionId: null, offerId: null },
  ...{ returnUrl: null, afterFlow: null, language: null, openUntil: null, openedAt: null, revokedAt: null },
};

export async function insertPortalSession(
  tx: Tx,
  scope: Scope,
  session: Pick<NewSession, 'id' | 'userId' | 'method' | 'provedAt' | 'userAgent' | 'createdAt' | 'endsAt'> &
    Partial<NewSession>,
): Promise<PortalSessionRow> {
  return tx
    .insertInto('portalSessions')
    .values({ ...EMPTY, ...session, ...scopeColumns(scope), usedAt: session.createdAt })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** By what a browser keeps. */
export async function findByToken(
  db: Db,
  scope: Scope,
  tokenHash: string,
): Promise<PortalSessionRow | undefined> {
  return db
    .selectFrom('portalSessions')
    .selectAll()
    .where(inScope(scope))
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
}

/** By what a merchant's page shows, in either mode: the bearer names its workspace. */
export async function findByBearer(
  db: Db,
  { workspaceId, bearerHash }: { workspaceId: string; bearerHash: string },
): Promise<PortalSessionRow | undefined> {
  return db
    .selectFrom('portalSessions')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('bearerHash', '=', bearerHash)
    .executeTakeFirst();
}

/** Opens a merchant's link, once: undefined for one that is used, late or revoked. */
export async function openByLink(
  tx: Tx,
  opening: {
    workspaceId: string;
    linkHash: string;
    tokenHash: string;
    nowMs: number;
    endsAt: number;
    userAgent: string;
  },
): Promise<PortalSessionRow | undefined> {
  const { workspaceId, linkHash, tokenHash, nowMs, endsAt, userAgent } = opening;
  return tx
    .updateTable('portalSessions')
    .set({ tokenHash, openedAt: nowMs, usedAt: nowMs, provedAt: nowMs, endsAt, userAgent })
    .where('workspaceId', '=', workspaceId)
    .where('linkHash', '=', linkHash)
    .where('openedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('openUntil', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
}

/** At most once a minute. */
export async function noteUse(
  db: Db,
  scope: Scope,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<void> {
  await db
    .updateTable('portalSessions')
    .set({ usedAt: nowMs })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('usedAt', '<', nowMs - 60_000)
    .execute();
}

export async function revokePortalSession(
  tx: Tx,
  scope: Scope,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<PortalSessionRow | undefined> {
  return tx
    .updateTable('portalSessions')
    .set({ revokedAt: sql<number>`coalesce(revoked_at, ${nowMs}::bigint)` })
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Ends all sessions of a user but one; null = every one. */
export async function revokeSessionsOf(
  tx: Tx,
  scope: Scope,
  { userId, exceptId, nowMs }: { userId: string; exceptId: string | null; nowMs: number },
): Promise<void> {
  await tx
    .updateTable('portalSessions')
    .set({ revokedAt: nowMs })
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where(sql<SqlBool>`id is distinct from ${exceptId}::uuid`)
    .execute();
}

/** Where a user is signed in, newest first. */
export async function listSessionsOf(
  db: Db,
  scope: Scope,
  { userId, nowMs, idleMs }: { userId: string; nowMs: number; idleMs: number },
): Promise<PortalSessionRow[]> {
  return db
    .selectFrom('portalSessions')
    .selectAll()
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('tokenHash', 'is not', null)
    .where('endsAt', '>', nowMs)
    .where('usedAt', '>', nowMs - idleMs)
    .orderBy('usedAt', 'desc')
    .limit(100)
    .execute();
}

/** Whose session a request of the portal comes with: a browser's, by its cookie and the store that it names, or a bearer's. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { fromShortId } from '../domain/link-token.ts';
import { readStoreName } from '../domain/portal/portal-path.ts';
import { isLiving } from '../domain/portal/session-life.ts';
import { toSettings } from '../domain/settings.ts';
import { hashToken } from '../resources/accounts/tokens.ts';
import {
  findByBearer,
  findByToken,
  noteUse,
  type PortalSessionRow,
} from '../resources/portal/portal-sessions.queries.ts';
import { findFormerPortal, findPortalWorkspace } from '../resources/portal/portal-stores.queries.ts';
import { findUser } from '../resources/users/users.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import type { PortalCookies } from './portal-cookies.ts';
import type { Buyer } from './portal-route.ts';

export interface FoundBuyer extends Buyer {
  scope: Scope;
  /** A page of the merchant's asks: no other site's page can, and it has no cookie. */
  byBearer: boolean;
}

const BEARER = /^Bearer ([0-9A-Za-z]{22}\.[\w-]{40,60})$/i;

/** Throws session_required for a session that is missing, over, of another store, or not of the buyer that is shown. */
export async function findBuyer(
  { db, realNowMs }: Pick<Service, 'db' | 'realNowMs'>,
  cookies: PortalCookies,
  headers: IncomingHttpHeaders,
): Promise<FoundBuyer> {
  const named = await findNamedStore(db, headers['x-svc-store'], realNowMs());
  const byBearer = headers.authorization !== undefined;
  const session = byBearer
    ? await findBearer(db, headers.authorization ?? '', named)
    : await findCookie(db, cookies, { header: headers.cookie, scope: named });
  const nowMs = realNowMs();
  if (!session || !isLiving(session, nowMs)) throw new Refusal('session_required');
  const scope = { workspaceId: session.workspaceId, testMode: session.testMode };
  const user = await findUser(db, scope, session.userId);
  if (!user || user.archivedAt !== null || user.erasedAt !== null) throw new Refusal('session_required');
  // A page that shows one buyer does nothing for another, who has signed in beside it since.
  const shown = headers['x-svc-buyer'];
  if (typeof shown === 'string' && shown !== user.id) throw new Refusal('session_required');
  if (nowMs - session.usedAt >= 60_000) await noteUse(db, scope, { id: session.id, nowMs });
  return { session, user, scope, byBearer, ...(await loadPortal(db, scope)) };
}

/** What a request calls its store; null where it says nothing. Throws session_required for one that is not there. */
async function findNamedStore(
  db: Db,
  name: string | string[] | undefined,
  nowMs: number,
): Promise<Scope | null> {
  if (typeof name !== 'string' || name === '') return null;
  const scope = await findPortalScope(db, name, nowMs);
  if (!scope) throw new Refusal('session_required');
  return scope;
}

/** The store that a name such as `{slug}/test` means; a former one is understood for a while. */
export async function findPortalScope(db: Db, name: string, nowMs: number): Promise<Scope | null> {
  const read = readStoreName(name);
  if (!read) return null;
  const { slug, testMode } = read;
  const found = (await findPortalWorkspace(db, slug)) ?? (await findFormerPortal(db, { slug, nowMs }));
  return found ? { workspaceId: found.workspaceId, testMode } : null;
}

async function findBearer(
  db: Db,
  header: string,
  named: Scope | null,
): Promise<PortalSessionRow | undefined> {
  const token = BEARER.exec(header)?.[1];
  const workspaceId = fromShortId(token?.split('.')[0] ?? '');
  if (token === undefined || workspaceId === null) return undefined;
  const session = await findByBearer(db, { workspaceId, bearerHash: hashToken(token) });
  const isOther =
    named !== null && (named.workspaceId !== workspaceId || named.testMode !== session?.testMode);
  return isOther ? undefined : session;
}

async function findCookie(
  db: Db,
  cookies: PortalCookies,
  { header, scope }: { header: string | undefined; scope: Scope | null },
): Promise<PortalSessionRow | undefined> {
  const token = scope && cookies.readSession(header, scope);
  return scope && token ? findByToken(db, scope, hashToken(token)) : undefined;
}

/** The shop as its portal shows it. */
export async function loadPortal(db: Db, scope: Scope): Promise<Pick<Buyer, 'settings' | 'store'>> {
  const row = await getStore(db, scope);
  const { name, portalSlug: slug, state, currency } = row;
  return { settings: toSettings(row.settings), store: { name, slug, state, currency } };
}

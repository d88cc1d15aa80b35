/** A session of the portal: what the browser keeps is known by its hash alone. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { LIFE_MS } from '../../domain/portal/session-life.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import {
  insertPortalSession,
  type PortalSessionRow,
  revokePortalSession,
} from '../../resources/portal/portal-sessions.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';

export interface Visitor {
  /** As limits count it. */
  addressKey: string;
  userAgent: string;
  requestId: string;
  /** The session that the browser has in this store; null = none. It ends with the next. */
  sessionId: string | null;
}

export interface OpenedPortal {
  session: PortalSessionRow;
  user: Row<'users'>;
  /** What the browser keeps from now on. */
  token: string;
}

/** In the transaction that used up the proof. Throws sign_in_failed for a user who is not there any more. */
export async function openSession(
  ctx: Step,
  scope: Scope,
  { tx, userId, method, visitor }: { tx: Tx; userId: string; method: 'code' | 'password'; visitor: Visitor },
): Promise<OpenedPortal> {
  const nowMs = ctx.realNowMs();
  const user = await lockUser(tx, scope, userId);
  if (!user || user.archivedAt !== null || user.erasedAt !== null) throw new Refusal('sign_in_failed');
  if (visitor.sessionId !== null) await revokePortalSession(tx, scope, { id: visitor.sessionId, nowMs });
  const token = generateToken();
  const session = await insertPortalSession(tx, scope, {
    id: ctx.ids.next(nowMs),
    userId,
    method,
    tokenHash: hashToken(token),
    provedAt: nowMs,
    userAgent: visitor.userAgent,
    createdAt: nowMs,
    endsAt: nowMs + LIFE_MS,
  });
  return { session, user, token };
}

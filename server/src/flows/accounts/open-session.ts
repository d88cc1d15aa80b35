/** A new session of an account, and what a browser is given to show it by. */
import type { Tx } from '../../db/database.ts';
import { SESSION_MS, type SignInMethod } from '../../domain/accounts/session-life.ts';
import {
  deleteSession,
  insertSession,
  type StandingSession,
} from '../../resources/accounts/account-sessions.queries.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

export interface Entering {
  accountId: string;
  method: SignInMethod;
  /** Whether two factors were shown, or one that stands for both. */
  isTwoFactor: boolean;
  /** Whether it proves the account afresh: a link proves the mailbox alone. */
  isProof: boolean;
  visitor: Visitor;
  /** What the browser was signed in as before: over now. */
  before: Pick<StandingSession, 'accountId' | 'sessionId'> | null;
}

export interface OpenedSession {
  sessionId: string;
  /** For the cookie; kept nowhere else. */
  token: string;
}

export async function openSession(ctx: AccountContext, tx: Tx, entering: Entering): Promise<OpenedSession> {
  const { accountId, method, isTwoFactor, isProof, visitor, before } = entering;
  const { ids, nowMs } = ctx;
  const token = generateToken();
  const sessionId = ids.next(nowMs);
  if (before) await deleteSession(tx, { accountId: before.accountId, id: before.sessionId });
  await insertSession(tx, {
    id: sessionId,
    accountId,
    tokenHash: hashToken(token),
    method,
    twoFactor: isTwoFactor,
    provedAt: isProof ? nowMs : null,
    ipAddress: visitor.ipAddress,
    userAgent: visitor.userAgent,
    createdAt: nowMs,
    usedAt: nowMs,
    endsAt: nowMs + SESSION_MS,
  });
  await noteAccount(ctx, tx, { accountId, operation: 'signIn', visitor, details: { method, sessionId } });
  return { sessionId, token };
}

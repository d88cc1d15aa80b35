/** A proof, or a change of what proves: the session goes on under a new token. */
import type { Tx } from '../../db/database.ts';
import {
  deleteSessions,
  type StandingSession,
  updateSession,
} from '../../resources/accounts/account-sessions.queries.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import type { AccountContext } from './visitor.ts';

export interface Renewal {
  session: Pick<StandingSession, 'sessionId' | 'accountId' | 'provedAt' | 'isTwoFactor'>;
  /** Whether something was shown just now. */
  isProof: boolean;
  isTwoFactor?: boolean;
  /** What others know is worth nothing any more: their sessions end. */
  endsOthers: boolean;
}

/** Answers the new token; the old one is nobody's at once. */
export async function renewSession(
  { nowMs }: Pick<AccountContext, 'nowMs'>,
  tx: Tx,
  { session, isProof, isTwoFactor, endsOthers }: Renewal,
): Promise<string> {
  const { sessionId: id, accountId } = session;
  const token = generateToken();
  await updateSession(tx, {
    id,
    tokenHash: hashToken(token),
    provedAt: isProof ? nowMs : session.provedAt,
    twoFactor: isTwoFactor ?? session.isTwoFactor,
  });
  if (endsOthers) await deleteSessions(tx, { accountId, keptId: id });
  return token;
}

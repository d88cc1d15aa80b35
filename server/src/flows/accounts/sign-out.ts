/** Ending sessions: one's own, another one, or all others. */
import { inTransaction } from '../../db/transaction.ts';
import { deleteSession, deleteSessions } from '../../resources/accounts/account-sessions.queries.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

interface Ending {
  accountId: string;
  sessionId: string;
  visitor: Visitor;
}

export async function signOut(ctx: AccountContext, { accountId, sessionId, visitor }: Ending): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await deleteSession(tx, { accountId, id: sessionId });
    await noteAccount(ctx, tx, { accountId, operation: 'signOut', visitor, details: { sessionId } });
  });
}

/** Another session of the account; false when there is none. */
export async function revokeSession(ctx: AccountContext, ending: Ending): Promise<boolean> {
  const { accountId, sessionId, visitor } = ending;
  return inTransaction(ctx.db, async (tx) => {
    const isGone = await deleteSession(tx, { accountId, id: sessionId });
    if (isGone)
      await noteAccount(ctx, tx, { accountId, operation: 'revokeSession', visitor, details: { sessionId } });
    return isGone;
  });
}

/** All but the one that asks; answers how many. */
export async function revokeOtherSessions(ctx: AccountContext, ending: Ending): Promise<number> {
  const { accountId, sessionId, visitor } = ending;
  return inTransaction(ctx.db, async (tx) => {
    const count = await deleteSessions(tx, { accountId, keptId: sessionId });
    if (count > 0)
      await noteAccount(ctx, tx, { accountId, operation: 'revokeSession', visitor, details: { count } });
    return count;
  });
}

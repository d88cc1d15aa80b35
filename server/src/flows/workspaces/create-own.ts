/** An account makes a workspace that it owns: two stores, and no key pairs. */
import type { Service } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import type { StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import { lockAccount } from '../../resources/accounts/accounts.queries.ts';
import { insertWorkspaceAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import { countOwned } from '../../resources/workspaces/seen-workspaces.queries.ts';
import { openWorkspace } from './open-workspace.ts';

const OWNED_MAX = 10;

export interface CreatingOwn {
  input: { name: string; country: string; currency: string };
  session: StandingSession;
  requestId: string;
}

/** Answers its id. Throws sign_up_closed, email_not_proved, workspace_limit_reached. */
export async function createOwn(
  { db, ids, config, realNowMs }: Pick<Service, 'db' | 'ids' | 'config' | 'realNowMs'>,
  { input, session, requestId }: CreatingOwn,
): Promise<string> {
  const { accountId, isInstallationAdmin, confinedWorkspaceId } = session;
  if (config.signUp === 'closed' && !isInstallationAdmin) throw new Refusal('sign_up_closed');
  if (confinedWorkspaceId !== null) throw new Refusal('email_not_proved');
  const nowMs = realNowMs();
  return inTransaction(db, async (tx) => {
    // Of two at once one waits, so that neither counts past the other.
    await lockAccount(tx, accountId);
    if (!isInstallationAdmin && (await countOwned(tx, accountId)) >= OWNED_MAX)
      throw new Refusal('workspace_limit_reached');
    const workspaceId = await openWorkspace(tx, ids, { ...input, ownerId: accountId, nowMs });
    await insertWorkspaceAuditEntry(tx, workspaceId, {
      id: ids.next(nowMs),
      actor: `account:${accountId}`,
      operation: 'createWorkspace',
      objectId: workspaceId,
      before: null,
      after: input,
      requestId,
      createdAt: nowMs,
    });
    return workspaceId;
  });
}

/** What the operator has held and let go, where those who ask for it look: with the workspace, or with the installation. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { insertAccountAudit } from '../../resources/accounts/account-audit.queries.ts';
import { insertWorkspaceAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';

interface Noted {
  what: 'hold' | 'resume';
  /** Null = the whole installation. */
  workspaceId: string | null;
  nowMs: number;
  details: Record<string, unknown>;
}

export async function noteQuarantine(
  tx: Tx,
  ids: Ids,
  { what, workspaceId, nowMs, details }: Noted,
): Promise<void> {
  const id = ids.next(nowMs);
  if (workspaceId === null)
    return insertAccountAudit(tx, {
      ...{ id, accountId: null, operation: `${what}Installation`, details },
      ...{ ipAddress: null, requestId: null, createdAt: nowMs },
    });
  await insertWorkspaceAuditEntry(tx, workspaceId, {
    ...{ id, actor: 'operator', operation: `${what}Workspace`, objectId: workspaceId },
    // No request has asked for it.
    ...{ before: null, after: details, requestId: id, createdAt: nowMs },
  });
}

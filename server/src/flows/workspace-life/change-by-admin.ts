/** What an admin of the installation does to a workspace: what an admin did, only an admin takes back. */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { insertWorkspaceAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import { findWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { unarchiveWorkspace } from '../renewals/unarchive-workspace.ts';
import { archiveWorkspace, reactivateWorkspace, suspendWorkspace } from '../workspaces/change-state.ts';
import { tellOfState } from './tell-of-state.ts';

export type AdminVerb = 'archive' | 'unarchive' | 'suspend' | 'reactivate';

export interface AdminChange {
  workspaceId: string;
  verb: AdminVerb;
  by: { accountId: string; requestId: string };
}

/** Throws workspace_not_found, and workspace_state where it cannot be done from where the workspace stands. */
export async function changeByAdmin(service: Service, change: AdminChange): Promise<void> {
  const { workspaceId, verb, by } = change;
  const before = await findWorkspace(service.db, workspaceId);
  if (!before) throw new Refusal('workspace_not_found');
  const realMs = service.realNowMs();
  const note = (tx: Tx) =>
    insertWorkspaceAuditEntry(tx, workspaceId, {
      id: service.ids.next(realMs),
      actor: `account:${by.accountId}`,
      operation: `${verb}InstallationWorkspace`,
      objectId: workspaceId,
      before: { state: before.state, stateBy: before.stateBy },
      after: { verb },
      requestId: by.requestId,
      createdAt: realMs,
    });
  const isDone =
    verb === 'unarchive'
      ? await unarchiveWorkspace(service, workspaceId, note)
      : await inTransaction(service.db, async (tx) => {
          const changed = await move(verb, { tx, workspaceId, realMs });
          if (!changed) return false;
          await note(tx);
          if (verb !== 'reactivate') {
            const step = verb === 'suspend' ? 'suspended' : 'archived';
            const told = {
              workspaceId,
              workspaceName: before.name,
              step,
              by: 'admin',
              nowMs: realMs,
            } as const;
            await tellOfState(service, tx, told);
          }
          return true;
        });
  if (!isDone) throw new Refusal('workspace_state');
}

function move(
  verb: Exclude<AdminVerb, 'unarchive'>,
  changing: { tx: Tx; workspaceId: string; realMs: number },
): Promise<boolean> {
  if (verb === 'reactivate') return reactivateWorkspace(changing);
  const byAdmin = { ...changing, by: 'admin' as const };
  return verb === 'suspend' ? suspendWorkspace(byAdmin) : archiveWorkspace(byAdmin);
}

/**
 * A workspace is suspended, reactivated or archived, with its live and its test store. Each answers whether it was: in
 * another state than the one that it begins from nothing changes.
 */
import type { Tx } from '../../db/database.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { WORKSPACE, type WorkspaceState } from '../../domain/states/workspace.ts';
import { parkDueWork } from '../../resources/workspaces/standstill.queries.ts';
import { lockWorkspace, updateWorkspaceState } from '../../resources/workspaces/workspaces.queries.ts';

interface ChangingState {
  tx: Tx;
  workspaceId: string;
}

/** Renewals go on; nothing new is sold, and the API only reads. */
export function suspendWorkspace(changing: ChangingState): Promise<boolean> {
  return changeState(changing, { to: 'suspended', archivedAt: null });
}

/** Of a suspended one alone: what was archived is taken back by `unarchiveWorkspace`. */
export async function reactivateWorkspace(changing: ChangingState): Promise<boolean> {
  const workspace = await lockWorkspace(changing.tx, changing.workspaceId);
  if (workspace?.state !== 'suspended') return false;
  return changeState(changing, { to: 'active', archivedAt: null });
}

/** Everything stands still: nothing is claimed, charged or delivered until it is taken back. `realMs` is real time. */
export async function archiveWorkspace({
  realMs,
  ...changing
}: ChangingState & { realMs: number }): Promise<boolean> {
  const isArchived = await changeState(changing, { to: 'archived', archivedAt: realMs });
  if (isArchived) await parkDueWork(changing.tx, changing.workspaceId);
  return isArchived;
}

async function changeState(
  { tx, workspaceId: id }: ChangingState,
  { to, archivedAt }: { to: WorkspaceState; archivedAt: number | null },
): Promise<boolean> {
  const workspace = await lockWorkspace(tx, id);
  if (!workspace || !canMove(WORKSPACE, workspace.state, to)) return false;
  await updateWorkspaceState(tx, { id, state: move(WORKSPACE, workspace.state, to), archivedAt });
  return true;
}

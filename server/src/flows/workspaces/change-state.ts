/**
 * A workspace is suspended, reactivated or archived, with its live and its test store, by its Owner, an admin of the
 * installation or the sweep. Each answers whether it was: in another state than the one that it begins from nothing
 * changes, but that an admin makes what others did the admin's own. Times are real.
 */
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { canMove, move } from '../../domain/states/machine.ts';
import { WORKSPACE, type WorkspaceState } from '../../domain/states/workspace.ts';
import type { StateBy } from '../../domain/workspaces/sweep.ts';
import { parkDueWork } from '../../resources/workspaces/standstill.queries.ts';
import { endSweep, noteActivity } from '../../resources/workspaces/sweep.queries.ts';
import { lockWorkspace, updateWorkspaceState } from '../../resources/workspaces/workspaces.queries.ts';

interface ChangingState {
  tx: Tx;
  workspaceId: string;
  by: StateBy;
  realMs: number;
}

/** Renewals go on; nothing new is sold, and the API only reads. */
export function suspendWorkspace(changing: ChangingState): Promise<boolean> {
  return close(changing, 'suspended');
}

/** Everything stands still: nothing is claimed, charged or delivered until it is taken back. */
export function archiveWorkspace(changing: ChangingState): Promise<boolean> {
  return close(changing, 'archived');
}

/** Of a suspended one alone: what was archived is taken back by `unarchiveWorkspace`. */
export async function reactivateWorkspace({
  tx,
  workspaceId: id,
  realMs,
}: Omit<ChangingState, 'by'>): Promise<boolean> {
  const workspace = await lockWorkspace(tx, id);
  if (workspace?.state !== 'suspended') return false;
  const state = move(WORKSPACE, workspace.state, 'active');
  await updateWorkspaceState(tx, { id, state, stateBy: null, stateSince: null, archivedAt: null });
  // What was warned of is over, and its time begins anew.
  await endSweep(tx, id);
  await noteActivity(tx, [{ workspaceId: id, activeAt: realMs }]);
  return true;
}

async function close(
  { tx, workspaceId: id, by, realMs }: ChangingState,
  to: Exclude<WorkspaceState, 'active'>,
): Promise<boolean> {
  const workspace = await lockWorkspace(tx, id);
  if (!workspace) return false;
  const isTakenOver = workspace.state === to && by === 'admin' && workspace.stateBy !== 'admin';
  if (!isTakenOver && !canMove(WORKSPACE, workspace.state, to)) return false;
  await updateWorkspaceState(tx, {
    id,
    state: isTakenOver ? to : move(WORKSPACE, workspace.state, to),
    stateBy: by,
    stateSince: realMs,
    ...whenArchived(workspace, { to, by, realMs }),
  });
  await endSweep(tx, id);
  if (to === 'archived' && !isTakenOver) await parkDueWork(tx, id);
  return true;
}

function whenArchived(
  { archivedAt, keptByAdmin }: Row<'workspaces'>,
  { to, by, realMs }: { to: WorkspaceState; by: StateBy; realMs: number },
) {
  if (to !== 'archived') return { archivedAt: null };
  // What stands still does so since it was archived first.
  return { archivedAt: archivedAt ?? realMs, keptByAdmin: keptByAdmin || by === 'admin' };
}

/**
 * The Owner closes a workspace, and for some days may open it again. What an admin of the installation suspended or
 * archived is an admin's to take back.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Role } from '../../domain/roles.ts';
import { REOPEN_DAYS } from '../../domain/workspaces/sweep.ts';
import { listRunning } from '../../resources/workspaces/running.queries.ts';
import { findWorkspace, lockWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { unarchiveWorkspace } from '../renewals/unarchive-workspace.ts';
import type { OperationClaim } from '../subscription-lifecycle/lock-subscription.ts';
import { cancelNow } from '../subscriptions/cancel-subscription.ts';
import { archiveWorkspace, reactivateWorkspace } from '../workspaces/change-state.ts';
import { tellOfState } from './tell-of-state.ts';

const DAY_MS = 86_400_000;
const REASON = 'The shop is closed.';
/** Subscriptions of one look. */
const GROUP_SIZE = 100;
/** Each is cancelled by itself: what is cancelled stays so when a later one cannot be. */
const UNCLAIMED: OperationClaim = { resumeId: null, begin: async () => {} };

export interface Closing {
  workspaceId: string;
  role: Role;
  /** Its name, as it was typed. */
  name: string;
  cancelSubscriptions: boolean;
  /** Written with the last transaction. */
  finish: (tx: Tx) => Promise<void>;
}

/**
 * Throws insufficient_permission, invalid_input for another name, workspace_state, and subscriptions_running while one
 * lives and nobody says that they are to be cancelled.
 */
export async function closeWorkspace(ctx: Context, closing: Closing): Promise<void> {
  const { workspaceId, role, name, cancelSubscriptions, finish } = closing;
  refuseUnlessOwner(role);
  const workspace = await findWorkspace(ctx.db, workspaceId);
  if (!workspace) throw new Refusal('workspace_not_found');
  if (workspace.name.trim() !== name.trim()) throw invalidField('name', "must be the workspace's name");
  const live: Scope = { workspaceId, testMode: false };
  if (cancelSubscriptions) await cancelAll(ctx, live);
  const realMs = ctx.realNowMs();
  await inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if ((await listRunning(tx, live, 1)).length > 0) throw new Refusal('subscriptions_running');
    if (!(await archiveWorkspace({ tx, workspaceId, by: 'owner', realMs })))
      throw new Refusal('workspace_state');
    const told = { workspaceId, workspaceName: workspace.name, step: 'archived', by: 'owner' } as const;
    await tellOfState(ctx, tx, { ...told, nowMs: realMs });
    await finish(tx);
  });
}

async function cancelAll(ctx: Context, scope: Scope): Promise<void> {
  for (;;) {
    const running = await listRunning(ctx.db, scope, GROUP_SIZE);
    for (const subscriptionId of running)
      await cancelNow(ctx, scope, { subscriptionId, reason: REASON, refund: false, claim: UNCLAIMED });
    if (running.length < GROUP_SIZE) return;
  }
}

export interface TakingBack {
  workspaceId: string;
  role: Role;
}

/** What its Owner closed, within 30 days. Throws insufficient_permission, workspace_state. */
export async function reopenWorkspace(ctx: Context, { workspaceId, role }: TakingBack): Promise<void> {
  refuseUnlessOwner(role);
  const workspace = await findWorkspace(ctx.db, workspaceId);
  const isClosed = workspace?.state === 'archived' && workspace.stateBy === 'owner';
  if (!isClosed)
    throw new Refusal('workspace_state', { message: 'The workspace was not closed by its Owner.' });
  if (isPast(workspace, ctx.realNowMs()))
    throw new Refusal('workspace_state', { message: 'A closed workspace can be reopened for 30 days.' });
  if (!(await unarchiveWorkspace(ctx, workspaceId))) throw new Refusal('workspace_state');
}

/** What the sweep suspended or archived. Throws insufficient_permission, workspace_state. */
export async function reactivateOwn(ctx: Context, { workspaceId, role }: TakingBack): Promise<void> {
  refuseUnlessOwner(role);
  const workspace = await findWorkspace(ctx.db, workspaceId);
  if (workspace?.stateBy === 'admin')
    throw new Refusal('workspace_state', { message: 'Only an admin of the installation takes this back.' });
  if (workspace?.stateBy !== 'sweep') throw new Refusal('workspace_state');
  const isBack =
    workspace.state === 'archived'
      ? await unarchiveWorkspace(ctx, workspaceId)
      : await inTransaction(ctx.db, (tx) =>
          reactivateWorkspace({ tx, workspaceId, realMs: ctx.realNowMs() }),
        );
  if (!isBack) throw new Refusal('workspace_state');
}

function isPast({ stateSince }: Row<'workspaces'>, nowMs: number): boolean {
  return stateSince !== null && nowMs >= stateSince + REOPEN_DAYS * DAY_MS;
}

function refuseUnlessOwner(role: Role): void {
  if (role !== 'owner')
    throw new Refusal('insufficient_permission', { message: 'Only the Owner may do this.' });
}

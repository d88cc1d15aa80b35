/**
 * A workspace is taken back from the archive. First each of its subscriptions is moved to where its calendar stands by
 * now, while nothing of it can be claimed; then its due work is due again. A process that dies on the way leaves it
 * archived, and the same call goes on.
 */
import type { Service, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { move } from '../../domain/states/machine.ts';
import { WORKSPACE } from '../../domain/states/workspace.ts';
import { planAfterStandstill } from '../../domain/subscriptions/standstill.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockBilling,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { listStandingStill, unparkDueWork } from '../../resources/workspaces/standstill.queries.ts';
import { endSweep, noteActivity } from '../../resources/workspaces/sweep.queries.ts';
import {
  findWorkspace,
  getClock,
  lockWorkspace,
  updateWorkspaceState,
} from '../../resources/workspaces/workspaces.queries.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { isChargingPeriod, scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';

/** Subscriptions of one transaction. */
const GROUP_SIZE = 100;

/** Answers whether it was archived, and is active now. `note` is written with the last of its transactions. */
export async function unarchiveWorkspace(
  service: Service,
  workspaceId: string,
  note: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  const workspace = await findWorkspace(service.db, workspaceId);
  if (workspace?.state !== 'archived' || workspace.archivedAt === null) return false;
  const { archivedAt } = workspace;
  for (const testMode of [false, true]) await moveOn(service, { workspaceId, testMode }, archivedAt);
  const isDone = await inTransaction(service.db, async (tx) => {
    const locked = await lockWorkspace(tx, workspaceId);
    if (locked?.state !== 'archived') return false;
    const state = move(WORKSPACE, locked.state, 'active');
    const standing = { state, stateBy: null, stateSince: null, archivedAt: null };
    await updateWorkspaceState(tx, { id: workspaceId, ...standing });
    await unparkDueWork(tx, workspaceId);
    await endSweep(tx, workspaceId);
    await note(tx);
    await noteActivity(tx, [{ workspaceId, activeAt: service.realNowMs() }]);
    return true;
  });
  service.nudgeWorker();
  return isDone;
}

async function moveOn(service: Service, scope: Scope, archivedAt: number): Promise<void> {
  const { offsetMs } = await getClock(service.db, scope);
  const fromMs = archivedAt + offsetMs;
  const ctx: Step = { ...service, nowMs: service.realNowMs() + offsetMs };
  for (;;) {
    const ids = await listStandingStill(service.db, scope, { fromMs, limit: GROUP_SIZE });
    if (ids.length === 0) return;
    await inTransaction(service.db, async (tx) => {
      for (const id of ids) await moveSubscription(ctx, scope, { tx, id, fromMs });
    });
  }
}

async function moveSubscription(
  ctx: Step,
  scope: Scope,
  { tx, id, fromMs }: { tx: Tx; id: string; fromMs: number },
): Promise<void> {
  const { nowMs } = ctx;
  const before = await lockBilling(tx, scope, id);
  assert(before, 'a subscription is never deleted');
  const changes = planAfterStandstill(before, { fromMs, nowMs });
  const version = before.version + (changes.status === undefined ? 0 : 1);
  const after = await changeSubscription(tx, scope, id, { ...changes, version, stoodStillUntil: nowMs });
  const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, id));
  await scheduleSubscription(tx, scope, after, { isCharging });
  if (changes.status !== undefined) await recordSubscriptionEvent(ctx, scope, { tx, subscription: after });
}

/** The sweep of workspaces that nobody uses: one process at a time, and a worker rather than another. */
import type { Service } from '../context.ts';
import { runLeased } from '../db/upkeep-lease.ts';
import { sweepWorkspaces } from '../flows/workspace-life/sweep-workspaces.ts';
import { isInstallationHeld } from '../resources/installation/held.queries.ts';
import { getInstallationSettings } from '../resources/installation/overview.queries.ts';
import type { Rounds } from './rounds.ts';

/** Each round takes a step at most, and steps are days apart. */
const EVERY_MS = 3_600_000;

/** Begins after the first hour. */
export function keepSweeping(service: Service, rounds: Rounds): void {
  rounds.every(
    { everyMs: EVERY_MS },
    (ending) => sweepOnce(service, ending),
    (error) => service.log.warn({ err: error }, 'the sweep of workspaces could not be made'),
  );
}

async function sweepOnce(service: Service, signal: AbortSignal): Promise<void> {
  if (await isInstallationHeld(service.db)) return;
  const { sweep, sweepDays: days } = await getInstallationSettings(service.db);
  if (!sweep) return;
  const lease = { name: 'sweep', isWorker: true };
  await runLeased(service.db, lease, () => sweepWorkspaces(service, { days, signal }));
}

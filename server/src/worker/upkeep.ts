/**
 * What the store as a whole needs now and then, beside what is due: it belongs to no workspace and follows real time.
 * Every worker does it, side by side with the others.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import { listGrown, refreshStatistics } from '../db/statistics.ts';
import { inTransaction } from '../db/transaction.ts';
import { runLeased } from '../db/upkeep-lease.ts';
import { REMINDERS_APART_MS } from '../domain/checkout/reminder.ts';
import { RETIRED_KINDS } from '../domain/due-work.ts';
import { removeBytes, toPath } from '../providers/files/disk.ts';
import { removeStored } from '../providers/files/remove-stored.ts';
import { deleteOldAccountRows } from '../resources/accounts/old-account-rows.queries.ts';
import { deleteOldSessions } from '../resources/checkouts/old-sessions.queries.ts';
import { deleteOldReminders } from '../resources/checkouts/reminders.queries.ts';
import { deleteOldDevices } from '../resources/device-requests/device-requests.queries.ts';
import { deleteRetiredWork } from '../resources/due-work/due-work.queries.ts';
import { deleteOldExports, forgetFile, listSpentExports } from '../resources/exports/exports.queries.ts';
import { deleteUnusedFile, listUnusedFiles } from '../resources/files/files.queries.ts';
import { deleteOldAccountKeys } from '../resources/idempotency-keys/account-keys.queries.ts';
import { deleteOldIdempotencyKeys } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { isInstallationHeld } from '../resources/installation/held.queries.ts';
import { deleteOldCounters } from '../resources/limits/limits.queries.ts';
import { endIdleListeners } from '../resources/listeners/listeners.queries.ts';
import { deleteOldProofs } from '../resources/payment-methods/payer-proofs.queries.ts';
import { deleteOldPortalRows } from '../resources/portal/old-portal-rows.queries.ts';
import { deleteOldProcessorEvents } from '../resources/processors/processor-events.queries.ts';
import {
  CLOSING_SIZES,
  type ClosingSizes,
  closeQuarters,
  listClosings,
} from '../resources/reports/sums.queries.ts';
import { deleteOldRequests, listLoggedStores } from '../resources/request-log/request-log.queries.ts';
import { listWorkspaceIds } from '../resources/workspaces/workspaces.queries.ts';
import { retain } from './retain.ts';

interface Upkeep {
  everyMs: number;
  run: (db: Db, signal: AbortSignal, service: Service) => Promise<unknown>;
  /** Said when a round failed; the next one makes up for it. */
  failure: string;
  /** It deletes nothing, and so is done for a store that may be a copy, too. */
  evenHeld?: boolean;
}

/** Plans of a store that grows fast are made for what it is, not for what it was. */
const STATISTICS_EVERY_MS = 3_000;
const STATISTICS_FAILURE = 'the statistics of the store could not be refreshed';

const UPKEEP: readonly Upkeep[] = [
  {
    everyMs: STATISTICS_EVERY_MS,
    run: (db) => keepStatistics(db, { isWorker: true }),
    failure: STATISTICS_FAILURE,
    evenHeld: true,
  },
  {
    everyMs: 300_000,
    run: sweepIdempotencyKeys,
    failure: 'old idempotency keys could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepLimitCounters,
    failure: 'the counters of limits that are over could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepSessions,
    failure: 'sessions of the checkout that are over could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepReminders,
    failure: 'addresses that may be reminded again could not be deleted',
  },
  {
    everyMs: 60_000,
    run: (db, signal) => closeFigures(db, signal),
    failure: 'quarter hours of figures could not be summed up',
  },
  {
    everyMs: 300_000,
    run: sweepPayerProofs,
    failure: 'proofs of payers that are over could not be deleted',
  },
  {
    everyMs: 300_000,
    run: (db, signal) => sweepRetiredWork(db, signal),
    failure: 'due work of kinds that are retired could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepAccountRows,
    failure: 'what is over of accounts could not be deleted',
  },
  {
    everyMs: 60_000,
    run: sweepPortalRows,
    failure: 'what is over of the portals could not be deleted',
  },
  {
    everyMs: 300_000,
    run: (db, signal) => sweep(signal, () => deleteOldProcessorEvents(db, ROWS_PER_BATCH)),
    failure: 'what processors told long ago could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepListeners,
    failure: 'listeners that nobody asks for could not be ended',
  },
  {
    everyMs: 300_000,
    run: sweepRequests,
    failure: 'old rows of the request log could not be deleted',
  },
  {
    everyMs: 300_000,
    run: (db, signal, { config }) => sweepExports(db, signal, config.dataDir),
    failure: 'exports that are over could not be deleted',
  },
  {
    everyMs: 300_000,
    run: sweepUploads,
    failure: 'uploads that nothing points to could not be deleted',
  },
  {
    everyMs: 300_000,
    run: (_db, signal, service) => retain(service, signal),
    failure: 'what was kept for its time could not be let go',
  },
];

/** Short statements: whoever needs a row that is being deleted waits for the batch. */
const ROWS_PER_BATCH = 1000;

/** Begins at once and goes on until the signal. */
export async function keepUp(service: Service, signal: AbortSignal): Promise<void> {
  // Each waits for its next round by the same signal: so many listeners are no leak.
  setMaxListeners(2 * UPKEEP.length, signal);
  await Promise.all(UPKEEP.map((upkeep) => repeat(service, upkeep, signal)));
}

/**
 * What of it a process that is no worker does where no worker runs: without statistics sales become slow within
 * minutes, while all the rest can wait for a worker.
 */
export async function standIn(service: Service, signal: AbortSignal): Promise<void> {
  const run = createStandIn();
  await repeat(
    service,
    { everyMs: STATISTICS_EVERY_MS, run, failure: STATISTICS_FAILURE, evenHeld: true },
    signal,
  );
}

/** A worker would have seen within a round what has grown: it is done here when it is still so at the second look. */
export function createStandIn(): (db: Db) => Promise<string[]> {
  let wasGrown = false;
  return async (db) => {
    const isGrown = (await listGrown(db)).length > 0;
    const names = isGrown && wasGrown ? await keepStatistics(db, { isWorker: false }) : [];
    wasGrown = isGrown;
    return names;
  };
}

/** Nothing is written while nothing has grown: a store that rests is left to rest. Answers what was looked at. */
export async function keepStatistics(db: Db, { isWorker }: { isWorker: boolean }): Promise<string[]> {
  if ((await listGrown(db)).length === 0) return [];
  return (await runLeased(db, { name: 'statistics', isWorker }, () => refreshStatistics(db))) ?? [];
}

async function repeat(service: Service, upkeep: Upkeep, signal: AbortSignal) {
  const { log } = service;
  const { everyMs, failure } = upkeep;
  while (!signal.aborted) {
    await runRound(service, upkeep, signal).catch((error: unknown) =>
      log.warn({ event: 'upkeep_failed', err: error }, failure),
    );
    await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function runRound(service: Service, { run, evenHeld }: Upkeep, signal: AbortSignal): Promise<void> {
  if (evenHeld || !(await isInstallationHeld(service.db))) await run(service.db, signal, service);
}

/** Deletes the keys whose time is over, batch by batch; answers how many. */
export async function sweepIdempotencyKeys(db: Db, signal: AbortSignal): Promise<number> {
  const ofAccounts = await sweep(signal, () => deleteOldAccountKeys(db, ROWS_PER_BATCH));
  return ofAccounts + (await sweep(signal, () => deleteOldIdempotencyKeys(db, ROWS_PER_BATCH)));
}

/** Deletes the counters whose window is over; answers how many. */
export async function sweepLimitCounters(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldCounters(db, ROWS_PER_BATCH));
}

/** Deletes the sessions that made no order and ended long ago; answers how many. */
export async function sweepSessions(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldSessions(db, ROWS_PER_BATCH));
}

/** Deletes the proofs of payers whose links open nothing any more; answers how many. */
export async function sweepPayerProofs(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldProofs(db, ROWS_PER_BATCH));
}

/** Forgets whom purchases were brought to mind that may be reminded again; answers how many. */
export async function sweepReminders(db: Db, signal: AbortSignal): Promise<number> {
  const batch = { apartMs: REMINDERS_APART_MS, limit: ROWS_PER_BATCH };
  return sweep(signal, () => deleteOldReminders(db, batch));
}

/** Deletes sessions, links, counters, letters and failures of accounts whose time is over; answers how many. */
export async function sweepAccountRows(db: Db, signal: AbortSignal): Promise<number> {
  const devices = await sweep(signal, () => deleteOldDevices(db, ROWS_PER_BATCH));
  return devices + (await sweep(signal, () => deleteOldAccountRows(db, ROWS_PER_BATCH)));
}

/** Deletes sessions, codes and failures of the portals whose time is over; answers how many. */
export async function sweepPortalRows(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldPortalRows(db, ROWS_PER_BATCH));
}

/** Ends the listeners that nobody has asked for in a day; answers how many. */
export async function sweepListeners(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => endIdleListeners(db, ROWS_PER_BATCH));
}

const REQUESTS_KEPT_MS = 7 * 24 * 3_600_000;

/** Deletes what the request logs hold for longer than a week, store by store; answers how many. */
export async function sweepRequests(db: Db, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (const scope of await listLoggedStores(db)) {
    const old = { limit: ROWS_PER_BATCH, beforeMs: Date.now() - REQUESTS_KEPT_MS };
    total += await sweep(signal, () => inTransaction(db, (tx) => deleteOldRequests(tx, scope, old)));
  }
  return total;
}

/** Removes the bytes of exports that are over, and then their rows; answers how many rows. */
export async function sweepExports(db: Db, signal: AbortSignal, dataDir: string): Promise<number> {
  let spent = await listSpentExports(db, ROWS_PER_BATCH);
  for (; spent.length > 0 && !signal.aborted; spent = await listSpentExports(db, ROWS_PER_BATCH)) {
    for (const { id, ...scope } of spent) {
      await removeBytes(toPath(dataDir, { ...scope, id }));
      await forgetFile(db, scope, id);
    }
  }
  return sweep(signal, () => deleteOldExports(db, ROWS_PER_BATCH));
}

/** Rows first: what points to an upload in that moment keeps it, and bytes that a kill leaves behind are nobody's. */
export async function sweepUploads(
  db: Db,
  signal: AbortSignal,
  { files, config }: Pick<Service, 'files' | 'config'>,
): Promise<number> {
  const all = await listWorkspaceIds(db);
  let total = 0;
  for (let from = 0; from < all.length && !signal.aborted; from += ROWS_PER_BATCH) {
    const workspaceIds = all.slice(from, from + ROWS_PER_BATCH);
    total += await sweep(signal, async () => {
      const unused = await listUnusedFiles(db, { workspaceIds, limit: ROWS_PER_BATCH });
      for (const { id, ...scope } of unused) {
        const file = await deleteUnusedFile(db, scope, id);
        const stored = { files: file ? [file] : [], exportIds: [], documents: [] };
        await removeStored({ files, dataDir: config.dataDir }, scope, stored);
      }
      return unused.length;
    });
  }
  return total;
}

/** Deletes what is due of kinds that nobody does any more; answers how many. */
export async function sweepRetiredWork(
  db: Db,
  signal: AbortSignal,
  kinds: readonly string[] = RETIRED_KINDS,
): Promise<number> {
  return sweep(signal, () => deleteRetiredWork(db, kinds, ROWS_PER_BATCH));
}

/** Stretches that are summed up before it is asked anew which come next. */
const CLOSINGS_PER_ROUND = 20;

/** Sums up the quarter hours that are over, of stores that sell so much that it is worth it; answers how many stretches. */
export async function closeFigures(
  db: Db,
  signal: AbortSignal,
  sizes: ClosingSizes = CLOSING_SIZES,
): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const closings = await listClosings(db, { ...sizes, limit: CLOSINGS_PER_ROUND });
    let closed = 0;
    for (const closing of closings) {
      if (signal.aborted) break;
      if (await inTransaction(db, (tx) => closeQuarters(tx, closing))) closed += 1;
    }
    total += closed;
    // None is left, or another process has them in hand.
    if (closed === 0) break;
  }
  return total;
}

async function sweep(signal: AbortSignal, deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const count = await deleteBatch();
    total += count;
    // Fewer than asked for: no more are left, or another process has the rest in hand.
    if (count < ROWS_PER_BATCH) break;
  }
  return total;
}

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
import { explainError, Refusal } from '../domain/errors.ts';
import { OLD_REMINDERS } from '../resources/checkouts/reminders.queries.ts';
import { OLD_IMPORTS } from '../resources/imports/imports.queries.ts';
import { isInstallationHeld } from '../resources/installation/held.queries.ts';
import { OLD_PROOFS } from '../resources/payment-methods/payer-proofs.queries.ts';
import { OLD_EVENTS } from '../resources/processors/processor-events.queries.ts';
import {
  CLOSING_SIZES,
  type ClosingSizes,
  closeQuarters,
  listClosings,
} from '../resources/reports/sums.queries.ts';
import { putAside } from './put-aside.ts';
import { retain } from './retain.ts';
import {
  sweepAccountRows,
  sweepExports,
  sweepIdempotencyKeys,
  sweepLimitCounters,
  sweepListeners,
  sweepOver,
  sweepPortalRows,
  sweepRequests,
  sweepRetiredWork,
  sweepSessions,
  sweepUploads,
} from './sweeps.ts';

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
    everyMs: 30_000,
    run: putAside,
    failure: 'what is due in stores that are held could not be put aside',
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
    run: (db, signal) => sweepOver(db, signal, OLD_REMINDERS),
    failure: 'addresses that may be reminded again could not be deleted',
  },
  {
    everyMs: 60_000,
    run: (db, signal) => closeFigures(db, signal),
    failure: 'quarter hours of figures could not be summed up',
  },
  {
    everyMs: 300_000,
    run: (db, signal) => sweepOver(db, signal, OLD_PROOFS),
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
    run: (db, signal) => sweepOver(db, signal, OLD_EVENTS),
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
    run: (db, signal) => sweepOver(db, signal, OLD_IMPORTS),
    failure: 'imports that nobody committed could not be deleted',
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
      log.warn({ event: 'upkeep_failed', ...toReason(error) }, failure),
    );
    await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Where it was refused, what lies behind: the refusal's own sentence is for whoever asks the API. */
const toReason = (error: unknown) =>
  error instanceof Refusal ? { reason: explainError(error), err: error.cause ?? error } : { err: error };

async function runRound(service: Service, { run, evenHeld }: Upkeep, signal: AbortSignal): Promise<void> {
  if (evenHeld || !(await isInstallationHeld(service.db))) await run(service.db, signal, service);
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

/**
 * What the store as a whole needs now and then, beside what is due: it belongs to no workspace and follows real time.
 * Every worker does it, side by side with the others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import { listGrown, refreshStatistics } from '../db/statistics.ts';
import { runLeased } from '../db/upkeep-lease.ts';
import { RETIRED_KINDS } from '../domain/due-work.ts';
import { deleteOldSessions } from '../resources/checkouts/old-sessions.queries.ts';
import { deleteRetiredWork } from '../resources/due-work/due-work.queries.ts';
import { deleteOldIdempotencyKeys } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { deleteOldCounters } from '../resources/limits/limits.queries.ts';

interface Upkeep {
  everyMs: number;
  run: (db: Db, signal: AbortSignal) => Promise<unknown>;
  /** Said when a round failed; the next one makes up for it. */
  failure: string;
}

/** Plans of a store that grows fast are made for what it is, not for what it was. */
const STATISTICS_EVERY_MS = 3_000;
const STATISTICS_FAILURE = 'the statistics of the store could not be refreshed';

const UPKEEP: readonly Upkeep[] = [
  {
    everyMs: STATISTICS_EVERY_MS,
    run: (db) => keepStatistics(db, { isWorker: true }),
    failure: STATISTICS_FAILURE,
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
    run: (db, signal) => sweepRetiredWork(db, signal),
    failure: 'due work of kinds that are retired could not be deleted',
  },
];

/** Short statements: whoever needs a row that is being deleted waits for the batch. */
const ROWS_PER_BATCH = 1000;

/** Begins at once and goes on until the signal. */
export async function keepUp(service: Service, signal: AbortSignal): Promise<void> {
  await Promise.all(UPKEEP.map((upkeep) => repeat(service, upkeep, signal)));
}

/**
 * What of it a process that is no worker does where no worker runs: without statistics sales become slow within
 * minutes, while all the rest can wait for a worker.
 */
export async function standIn(service: Service, signal: AbortSignal): Promise<void> {
  const run = createStandIn();
  await repeat(service, { everyMs: STATISTICS_EVERY_MS, run, failure: STATISTICS_FAILURE }, signal);
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

async function repeat({ db, log }: Service, { everyMs, run, failure }: Upkeep, signal: AbortSignal) {
  while (!signal.aborted) {
    await run(db, signal).catch((error: unknown) => log.warn({ err: error }, failure));
    await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Deletes the keys whose time is over, batch by batch; answers how many. */
export async function sweepIdempotencyKeys(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldIdempotencyKeys(db, ROWS_PER_BATCH));
}

/** Deletes the counters whose window is over; answers how many. */
export async function sweepLimitCounters(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldCounters(db, ROWS_PER_BATCH));
}

/** Deletes the sessions that made no order and ended long ago; answers how many. */
export async function sweepSessions(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldSessions(db, ROWS_PER_BATCH));
}

/** Deletes what is due of kinds that nobody does any more; answers how many. */
export async function sweepRetiredWork(
  db: Db,
  signal: AbortSignal,
  kinds: readonly string[] = RETIRED_KINDS,
): Promise<number> {
  return sweep(signal, () => deleteRetiredWork(db, kinds, ROWS_PER_BATCH));
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

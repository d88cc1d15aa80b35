/**
 * What the store as a whole needs now and then, beside what is due: it belongs to no workspace and follows real time.
 * Every worker does it, side by side with the others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import { refreshStatistics } from '../db/statistics.ts';
import { deleteOldIdempotencyKeys } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { deleteOldCounters } from '../resources/limits/limits.queries.ts';

interface Upkeep {
  everyMs: number;
  run: (db: Db, signal: AbortSignal) => Promise<unknown>;
  /** Said when a round failed; the next one makes up for it. */
  failure: string;
}

const UPKEEP: readonly Upkeep[] = [
  {
    // Plans of a store that grows fast are made for what it is, not for what it was.
    everyMs: 3_000,
    run: refreshStatistics,
    failure: 'the statistics of the store could not be refreshed',
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
];

/** Short statements: whoever needs a row that is being deleted waits for the batch. */
const ROWS_PER_BATCH = 1000;

/** Begins at once and goes on until the signal. */
export async function keepUp(service: Service, signal: AbortSignal): Promise<void> {
  await Promise.all(UPKEEP.map((upkeep) => repeat(service, upkeep, signal)));
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

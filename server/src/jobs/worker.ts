/**
 * The worker: claims due rows in batches and runs their jobs side by side. Any number of workers may run,
 * in this process or others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Service } from '../context.ts';
import {
  type ClaimedWork,
  claimDueWork,
  postponeDueWork,
  releaseDueWork,
} from '../resources/due-work/due-work.queries.ts';
import { LEASE_MS } from './catalogue.ts';

/** A job does its work and ends or postpones its row itself, in the transaction of the effect. */
export type Job = (ctx: Context, work: ClaimedWork) => Promise<void>;

export interface WorkerOptions {
  service: Service;
  jobs: Partial<Record<string, Job>>;
  concurrency?: number;
  pollMs?: number;
}

export interface Worker {
  /** Something may be due at once. */
  nudge(): void;
  /** Runs everything that is due now and returns when nothing is left; for tests and advances of the clock. */
  runDue(): Promise<number>;
  start(): void;
  /** Waits for running jobs and gives the rest back. */
  stop(): Promise<void>;
}

const FAILURE_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

export function createWorker({ service, jobs, concurrency = 16, pollMs = 250 }: WorkerOptions): Worker {
  const running = new Map<string, { work: ClaimedWork; done: Promise<void> }>();
  let isStopping = false;
  let loop: Promise<void> | null = null;
  let wake: () => void = () => {};

  async function claim(): Promise<number> {
    const free = concurrency - running.size;
    if (free <= 0 || isStopping) return 0;
    const claimed = await claimDueWork(service.db, { limit: free, leaseMs: LEASE_MS });
    for (const work of claimed) {
      const key = `${work.kind}:${work.refId}:${work.fence}`;
      const done = runJob(service, jobs[work.kind], work).finally(() => {
        running.delete(key);
        wake();
      });
      running.set(key, { work, done });
    }
    return claimed.length;
  }

  async function runLoop(): Promise<void> {
    while (!isStopping) {
      const nudged = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const count = await claim().catch((error: unknown) => {
        service.log.warn({ err: error }, 'due work could not be claimed');
        return 0;
      });
      if (count === 0 && !isStopping) await pause(nudged, pollMs);
    }
  }

  return {
    nudge: () => wake(),
    async runDue() {
      let total = 0;
      for (let count = await claim(); count > 0; count = await claim()) {
        total += count;
        await Promise.all([...running.values()].map(({ done }) => done));
      }
      return total;
    },
    start() {
      loop ??= runLoop();
    },
    async stop() {
      isStopping = true;
      wake();
      await loop;
      const drained = Promise.all([...running.values()].map(({ done }) => done));
      await Promise.race([drained, wait(service.config.drainTimeoutMs, undefined, { ref: false })]);
      await releaseDueWork(
        service.db,
        [...running.values()].map(({ work }) => work),
      );
    },
  };
}

/** Runs one job; a failed one is put back with a growing delay, so that nothing due is ever lost. */
async function runJob(service: Service, job: Job | undefined, work: ClaimedWork): Promise<void> {
  try {
    if (!job) throw new Error(`no job for ${work.kind}`);
    await job({ ...service, nowMs: work.nowMs }, work);
  } catch (error) {
    service.log.error(
      { err: error, kind: work.kind, refId: work.refId },
      'a job failed and will be tried again',
    );
    const delayMs = FAILURE_DELAYS_MS[Math.min(work.failures, FAILURE_DELAYS_MS.length - 1)] ?? 0;
    await postponeDueWork(service.db, work, {
      dueMs: work.nowMs + delayMs,
      failures: work.failures + 1,
      lastError: String(error).slice(0, 1000),
    }).catch((cause: unknown) => service.log.error({ err: cause }, 'a failed job could not be put back'));
  }
}

/** Waits for the nudge or the poll, whichever comes first, and leaves no timer behind. */
async function pause(nudged: Promise<void>, pollMs: number): Promise<void> {
  const timer = new AbortController();
  const poll = wait(pollMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([nudged, poll]);
  timer.abort();
}

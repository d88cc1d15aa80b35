/**
 * The worker: claims due rows in batches and runs their jobs side by side. The business's own work, mails and
 * documents, and work in lanes (deliveries) have slots of their own, so that none waits for another. Any number of workers may
 * run, in this process or others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { SIDE_KINDS } from '../domain/due-work.ts';
import { type JobBegan, type JobEnded, jobBegan, jobEnded } from '../domain/trace-points.ts';
import { postponeDueWork, releaseDueWork } from '../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';
import { type Claims, createClaims } from './claims.ts';
import { groupBy, toGroups } from './groups.ts';
import { type Ended, type Job, type Jobs, jobOf, kindsBy } from './job.ts';
import { createLanes } from './lanes.ts';
import { keepUp, standIn } from './upkeep.ts';

export interface WorkerOptions {
  service: Service;
  jobs: Jobs;
  concurrency?: number;
  pollMs?: number;
}

export interface Worker {
  /** Something of this store may be due at once; missing = of any. */
  nudge(scope?: Scope): void;
  /** Runs everything that is due now and returns when nothing is left; for tests and advances of the clock. */
  runDue(): Promise<number>;
  start(): void;
  /** Claims nothing, and does what must not wait for a worker where none runs. */
  standIn(): void;
  /** Waits for running jobs and gives the rest back. */
  stop(): Promise<void>;
}

interface Running {
  work: ClaimedWork;
  done: Promise<void>;
}

/** Mails and documents, which wait for the outside and are waited for by nobody. */
const SIDE_SLOTS = 4;
/** Rows of kinds that are done in groups. */
const GROUP_SLOTS = 96;
/** While more than half of the slots are taken, a claim waits this long for more to come free: one for many. */
const GATHER_MS = 25;
/** Nudges within so long are one look: one for each request would cost more than most of what requests leave to do. */
const LOOK_GAP_MS = 25;
/**
 * Looks that find nothing grow apart up to this: a store without webhooks is asked for deliveries by every request. Whoever
 * comes after a pause is looked after at once all the same.
 */
const EMPTY_LOOK_GAP_MS = 200;
/** Mails that are kept for the merchant to read wait for nobody: in a busy store they are written together. */
const KEPT_MAIL_GAP_MS = 200;
/** None is longer: a payment is not to be open for ten minutes because the store was short of connections. */
const FAILURE_DELAYS_MS = [1_000, 5_000, 30_000, 120_000];

export function createWorker(options: WorkerOptions): Worker {
  const { service, pollMs = 250 } = options;
  let isStopping = false;
  const claims = createClaims(service);
  const state = { isStopping: () => isStopping, claims };
  // What lies in no lane is done by itself, whatever its kind.
  const single = kindsBy(options.jobs, 'row', 'lane');
  const grouped = kindsBy(options.jobs, 'store');
  const all = [
    createSlots(options, state, {
      concurrency: options.concurrency ?? 16,
      kinds: single.filter((kind) => !SIDE_KINDS.has(kind)),
    }),
    createSlots(options, state, {
      concurrency: SIDE_SLOTS,
      kinds: single.filter((kind) => SIDE_KINDS.has(kind)),
    }),
    createSlots(options, state, {
      concurrency: GROUP_SLOTS,
      kinds: grouped.filter((kind) => !SIDE_KINDS.has(kind)),
    }),
    createSlots(options, state, {
      // What is sent nowhere waits for nobody.
      concurrency: service.mail ? SIDE_SLOTS : GROUP_SLOTS,
      gapMs: service.mail ? LOOK_GAP_MS : KEPT_MAIL_GAP_MS,
      kinds: grouped.filter((kind) => SIDE_KINDS.has(kind)),
    }),
    createLaneSlots(options, state),
  ];
  const stopped = new AbortController();
  let loops: Promise<unknown> | null = null;

  async function runLoop(slots: Slots): Promise<void> {
    let lookedMs = Number.NEGATIVE_INFINITY;
    let gapMs = slots.gapMs;
    while (!isStopping) {
      await gather(slots, state);
      const earlyMs = lookedMs + gapMs - performance.now();
      if (earlyMs > 0) await wait(earlyMs);
      const nudged = untilWoken(slots);
      const { count, isMore } = await slots.claim().catch((error: unknown) => {
        service.log.warn({ err: error }, 'due work could not be claimed');
        return NOTHING;
      });
      gapMs = count > 0 ? slots.gapMs : Math.min(Math.max(gapMs * 2, slots.gapMs), EMPTY_LOOK_GAP_MS);
      if (isMore) continue;
      lookedMs = performance.now();
      if (!isStopping) await pause(nudged, pollMs);
    }
  }

  const wakeAll = () => {
    for (const slots of all) slots.wake();
  };
  const listRunning = () => all.flatMap(({ running }) => [...running]);

  return {
    nudge(scope) {
      claims.nudge(scope);
      wakeAll();
    },
    async runDue() {
      let total = 0;
      for (;;) {
        await claims.lookAnew();
        let count = 0;
        for (const slots of all) count += (await slots.claim()).count;
        if (count === 0) return total;
        total += count;
        await Promise.all(listRunning().map(({ done }) => done));
      }
    },
    start() {
      loops ??= Promise.all([...all.map(runLoop), keepUp(service, stopped.signal)]);
    },
    standIn() {
      loops ??= standIn(service, stopped.signal);
    },
    async stop() {
      isStopping = true;
      stopped.abort();
      wakeAll();
      await loops;
      const drained = Promise.all(listRunning().map(({ done }) => done));
      await Promise.race([drained, wait(service.config.drainTimeoutMs, undefined, { ref: false })]);
      await releaseDueWork(
        service.db,
        listRunning().map(({ work }) => work),
      );
    },
  };
}

interface Claimed {
  count: number;
  /** All that was asked for was there, so that there may be more. */
  isMore: boolean;
}

const NOTHING: Claimed = { count: 0, isMore: false };

interface Slots {
  running: Set<Running>;
  /** So many may run; null = the lanes say. */
  concurrency: number | null;
  /** At least so long between two looks, unless there was more than could be taken (ms). */
  gapMs: number;
  /** Claims as much as there is room for and begins it. */
  claim(): Promise<Claimed>;
  /** Ends the pause of the loop. */
  wake: () => void;
}

interface WorkerState {
  isStopping: () => boolean;
  claims: Claims;
}

/** A number of slots for these kinds: a row each, be it done alone or with others of its kind and store. */
function createSlots(
  { service, jobs }: WorkerOptions,
  state: WorkerState,
  { concurrency, kinds, gapMs = LOOK_GAP_MS }: { concurrency: number; kinds: string[]; gapMs?: number },
): Slots {
  const slots: Slots = { running: new Set(), concurrency, gapMs, claim, wake: () => {} };
  const grouped = kindsBy(jobs, 'store');
  const take = state.claims.ofKinds(kinds);

  async function claim(): Promise<Claimed> {
    const limit = concurrency - slots.running.size;
    if (limit <= 0 || kinds.length === 0 || state.isStopping()) return NOTHING;
    const claimed = await take(limit);
    for (const works of toGroups(claimed, grouped)) {
      beginBatch({ service, state }, { slots, works, job: jobOf(jobs, works[0]) });
    }
    return { count: claimed.length, isMore: claimed.length === limit };
  }

  return slots;
}

/** Slots by lane: see `lanes.ts`. */
function createLaneSlots({ service, jobs }: WorkerOptions, state: WorkerState): Slots {
  const running = new Set<Running>();
  const lanes = createLanes();
  const take = state.claims.ofLanes(kindsBy(jobs, 'lane'), lanes);
  const slots: Slots = { running, concurrency: null, gapMs: LOOK_GAP_MS, claim, wake: () => {} };

  async function claim(): Promise<Claimed> {
    const claimed = await take(state.isStopping);
    for (const works of groupBy(claimed, (work) => work.kind).values()) begin(works);
    return { count: claimed.length, isMore: claimed.length > 0 };
  }

  function begin(works: ClaimedWork[]): void {
    const job = jobOf(jobs, works[0]);
    const ends = new Map(works.map((work) => [work, lanes.begin(work.lane ?? '', performance.now())]));
    const ended = (work: ClaimedWork) => ends.get(work)?.(performance.now());
    beginBatch({ service, state }, { slots, works, job, ended });
  }

  return slots;
}

interface Batch {
  slots: Slots;
  works: ClaimedWork[];
  job: Job | undefined;
  ended?: (work: ClaimedWork) => void;
}

/** Begins a job of many rows. Each takes a slot until its own work has ended. */
function beginBatch(
  { service, state }: Pick<WorkerOptions, 'service'> & { state: WorkerState },
  { slots, works, job, ended: tell }: Batch,
): void {
  const { running } = slots;
  const open = new Map<ClaimedWork, (error?: unknown) => void>();
  for (const work of works) {
    let finish: (error?: unknown) => void = () => {};
    const ended = new Promise<unknown>((resolve) => {
      finish = resolve;
    });
    const entry = { work, done: Promise.resolve() };
    const fromMs = performance.now();
    entry.done = ended
      .then((error) => {
        tell?.(work);
        noticeEnd(service, work, { fromMs, failed: error !== undefined });
        return error === undefined ? undefined : putBack(service, work, error);
      })
      .finally(() => {
        running.delete(entry);
        // What is done often leaves more to do in its store.
        state.claims.nudge(work.scope);
        slots.wake();
      });
    running.add(entry);
    open.set(work, finish);
  }
  let failed = false;
  const ended: Ended = (work, error) => {
    failed ||= error !== undefined;
    open.get(work)?.(error);
    open.delete(work);
  };
  const key = {};
  const run = () => runBatch(service, { job, works, ended });
  const began: JobBegan = { key, kind: works[0]?.kind ?? '', works };
  void (jobBegan.hasSubscribers ? jobBegan.runStores(began, run) : run()).then((error) => {
    for (const work of open.keys()) ended(work, error);
    jobEnded.publish({ key, failed } satisfies JobEnded);
  });
}

/** Answers why the batch as a whole failed, or, for rows that it forgot, that it did. */
async function runBatch(
  service: Service,
  { job, works, ended }: { job: Job | undefined; works: ClaimedWork[]; ended: Ended },
): Promise<unknown> {
  try {
    if (!job) throw new Error(`no job for ${works[0]?.kind}`);
    await job.run({ ...service, nowRealMs: service.realNowMs() }, works, ended);
    return new Error('the job has said nothing of this row');
  } catch (error) {
    return error;
  }
}

function noticeEnd(
  service: Service,
  { kind }: ClaimedWork,
  { fromMs, failed }: { fromMs: number; failed: boolean },
): void {
  service.notice({ what: 'job', kind, ms: performance.now() - fromMs, outcome: failed ? 'failed' : 'done' });
}

/** A failed job is put back with a growing delay, so that nothing due is ever lost. */
async function putBack(service: Service, work: ClaimedWork, error: unknown): Promise<void> {
  service.log.error(
    {
      err: error,
      workspaceId: work.scope.workspaceId,
      kind: work.kind,
      refId: work.refId,
      attempt: work.failures + 1,
    },
    'a job failed and will be tried again',
  );
  const delayMs = FAILURE_DELAYS_MS[Math.min(work.failures, FAILURE_DELAYS_MS.length - 1)] ?? 0;
  await postponeDueWork(service.db, work, {
    dueMs: work.nowMs + delayMs,
    failures: work.failures + 1,
    lastError: String(error).slice(0, 1000),
  }).catch((cause: unknown) => service.log.error({ err: cause }, 'a failed job could not be put back'));
}

function untilWoken(slots: Slots): Promise<void> {
  return new Promise((resolve) => {
    slots.wake = resolve;
  });
}

/** A claim for each slot that comes free would cost more than many a job. */
async function gather(slots: Slots, { isStopping }: WorkerState): Promise<void> {
  const { running, concurrency } = slots;
  if (concurrency === null) return;
  const untilMs = performance.now() + GATHER_MS;
  for (;;) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0 || running.size <= concurrency / 2 || isStopping()) return;
    await pause(untilWoken(slots), leftMs);
  }
}

/** Waits for the nudge or the poll, whichever comes first, and leaves no timer behind. */
function pause(nudged: Promise<void>, pollMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    void nudged.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

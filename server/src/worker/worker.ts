/**
 * The worker: claims due rows in batches and runs their jobs side by side. The business's own work, mails and
 * documents, and work in lanes (deliveries) have slots of their own, so that none waits for another. Any number of workers may
 * run, in this process or others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Service } from '../context.ts';
import { LEASE_MS, SIDE_KINDS } from '../domain/due-work.ts';
import { claimDueWork, postponeDueWork, releaseDueWork } from '../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';
import { claimLaneWork, listDueLanes } from '../resources/due-work/lane-work.queries.ts';
import { groupBy, toGroups } from './groups.ts';
import { createLanes } from './lanes.ts';
import { keepUp, standIn } from './upkeep.ts';

/** A job does its work and ends or postpones its row itself, in the transaction of the effect. */
export type Job = (ctx: Context, work: ClaimedWork) => Promise<void>;

/** The same for many rows at once. It tells of each row that its work has ended, and of an error if there was one. */
export type BatchJob = (works: ClaimedWork[], ended: Ended) => Promise<void>;
/** The same for rows of one store; `service` is what the context of each is made of, with its `nowMs`. */
export type GroupJob = (service: Omit<Context, 'nowMs'>, works: ClaimedWork[], ended: Ended) => Promise<void>;
export type Ended = (work: ClaimedWork, error?: unknown) => void;

export interface WorkerOptions {
  service: Service;
  jobs: Partial<Record<string, Job>>;
  /** Jobs of kinds whose rows are done in groups, by store. */
  groupJobs?: Partial<Record<string, GroupJob>>;
  /** Jobs of kinds whose rows lie in lanes. */
  laneJobs?: Partial<Record<string, BatchJob>>;
  concurrency?: number;
  pollMs?: number;
}

export interface Worker {
  /** Something may be due at once. */
  nudge(): void;
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
/** Lanes that are looked at in one claim. */
const LANES_PER_CLAIM = 256;
/** None is longer: a payment is not to be open for ten minutes because the store was short of connections. */
const FAILURE_DELAYS_MS = [1_000, 5_000, 30_000, 120_000];

export function createWorker(options: WorkerOptions): Worker {
  const { service, pollMs = 250 } = options;
  let isStopping = false;
  const state = { isStopping: () => isStopping };
  const grouped = Object.keys(options.groupJobs ?? {});
  // Kinds by name, and no other: what another version has put there is left to it.
  const single = Object.keys(options.jobs).filter((kind) => !grouped.includes(kind));
  const all = [
    createSlots(options, state, {
      concurrency: options.concurrency ?? 16,
      kinds: single.filter((kind) => !SIDE_KINDS.has(kind)),
    }),
    createSlots(options, state, {
      concurrency: SIDE_SLOTS,
      kinds: single.filter((kind) => SIDE_KINDS.has(kind)),
    }),
    createGroupSlots(options, state, {
      concurrency: GROUP_SLOTS,
      kinds: grouped.filter((kind) => !SIDE_KINDS.has(kind)),
    }),
    createGroupSlots(options, state, {
      // What is sent nowhere waits for nobody.
      concurrency: service.mail ? SIDE_SLOTS : GROUP_SLOTS,
      kinds: grouped.filter((kind) => SIDE_KINDS.has(kind)),
    }),
    createLaneSlots(options, state),
  ];
  const stopped = new AbortController();
  let loops: Promise<unknown> | null = null;

  async function runLoop(slots: Slots): Promise<void> {
    while (!isStopping) {
      await gather(slots, state);
      const nudged = untilWoken(slots);
      const count = await slots.claim().catch((error: unknown) => {
        service.log.warn({ err: error }, 'due work could not be claimed');
        return 0;
      });
      if (count === 0 && !isStopping) await pause(nudged, pollMs);
    }
  }

  const wakeAll = () => {
    for (const slots of all) slots.wake();
  };
  const listRunning = () => all.flatMap(({ running }) => [...running]);

  return {
    nudge: wakeAll,
    async runDue() {
      let total = 0;
      for (;;) {
        let count = 0;
        for (const slots of all) count += await slots.claim();
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

interface Slots {
  running: Set<Running>;
  /** So many may run; null = the lanes say. */
  concurrency: number | null;
  /** Claims as much as there is room for and begins it; answers how much. */
  claim(): Promise<number>;
  /** Ends the pause of the loop. */
  wake: () => void;
}

interface WorkerState {
  isStopping: () => boolean;
}

/** A number of slots for the kinds that are taken, or for all but those that are left out. */
function createSlots(
  { service, jobs }: WorkerOptions,
  state: WorkerState,
  { concurrency, kinds }: { concurrency: number; kinds: string[] },
): Slots {
  const running = new Set<Running>();
  const slots: Slots = { running, concurrency, claim, wake: () => {} };

  async function claim(): Promise<number> {
    const limit = concurrency - running.size;
    if (limit <= 0 || kinds.length === 0 || state.isStopping()) return 0;
    const claimed = await claimDueWork(service.db, { kinds, limit, leaseMs: LEASE_MS });
    for (const work of claimed) {
      const entry = { work, done: Promise.resolve() };
      entry.done = runJob(service, jobs[work.kind], work).finally(() => {
        running.delete(entry);
        slots.wake();
      });
      running.add(entry);
    }
    return claimed.length;
  }

  return slots;
}

/** Slots of kinds that are done in groups: as many rows of one kind and store as were claimed together. */
function createGroupSlots(
  { service, groupJobs = {} }: WorkerOptions,
  state: WorkerState,
  { concurrency, kinds }: { concurrency: number; kinds: string[] },
): Slots {
  const slots: Slots = { running: new Set(), concurrency, claim, wake: () => {} };

  async function claim(): Promise<number> {
    const limit = concurrency - slots.running.size;
    if (limit <= 0 || kinds.length === 0 || state.isStopping()) return 0;
    const claimed = await claimDueWork(service.db, { kinds, limit, leaseMs: LEASE_MS });
    for (const works of toGroups(claimed, kinds)) {
      const job = groupJobs[works[0]?.kind ?? ''];
      beginBatch(service, { slots, works, job: job && ((rows, ended) => job(service, rows, ended)) });
    }
    return claimed.length;
  }

  return slots;
}

/** Slots by lane: see `lanes.ts`. */
function createLaneSlots({ service, laneJobs = {} }: WorkerOptions, state: WorkerState): Slots {
  const running = new Set<Running>();
  const lanes = createLanes();
  const kinds = Object.keys(laneJobs);
  const slots: Slots = { running, concurrency: null, claim, wake: () => {} };
  /** Where the next claim goes on, so that with more lanes than one claim looks at each has its turn. */
  let after: string | null = null;

  async function claim(): Promise<number> {
    const isFromStart = after === null;
    const count = await claimFrom();
    // Nothing in the rest of the lanes says nothing of those before them.
    return count === 0 && !isFromStart && after === null ? claimFrom() : count;
  }

  async function claimFrom(): Promise<number> {
    for (;;) {
      if (state.isStopping() || kinds.length === 0 || lanes.measure([], performance.now()).limit === 0)
        return 0;
      const due = await listDueLanes(service.db, { after, limit: LANES_PER_CLAIM });
      const { rooms, limit } = lanes.measure(due.lanes, performance.now());
      const claimed = await claimLaneWork(service.db, { kinds, rooms, limit, leaseMs: LEASE_MS });
      after = due.next;
      for (const [kind, works] of groupBy(claimed, (work) => work.kind)) begin(laneJobs[kind], works);
      if (claimed.length > 0 || after === null) return claimed.length;
    }
  }

  function begin(job: BatchJob | undefined, works: ClaimedWork[]): void {
    const ends = new Map(works.map((work) => [work, lanes.begin(work.lane ?? '', performance.now())]));
    beginBatch(service, { slots, works, job, ended: (work) => ends.get(work)?.(performance.now()) });
  }

  return slots;
}

interface Batch {
  slots: Slots;
  works: ClaimedWork[];
  job: BatchJob | undefined;
  ended?: (work: ClaimedWork) => void;
}

/** Begins a job of many rows. Each takes a slot until its own work has ended. */
function beginBatch(service: Service, { slots, works, job, ended: tell }: Batch): void {
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
        slots.wake();
      });
    running.add(entry);
    open.set(work, finish);
  }
  const ended: Ended = (work, error) => {
    open.get(work)?.(error);
    open.delete(work);
  };
  void runBatch(job, works, ended).then((error) => {
    for (const work of open.keys()) ended(work, error);
  });
}

/** Answers why the batch as a whole failed, or, for rows that it forgot, that it did. */
async function runBatch(job: BatchJob | undefined, works: ClaimedWork[], ended: Ended): Promise<unknown> {
  try {
    if (!job) throw new Error(`no job for ${works[0]?.kind}`);
    await job(works, ended);
    return new Error('the job has said nothing of this row');
  } catch (error) {
    return error;
  }
}

async function runJob(service: Service, job: Job | undefined, work: ClaimedWork): Promise<void> {
  const fromMs = performance.now();
  try {
    if (!job) throw new Error(`no job for ${work.kind}`);
    await job({ ...service, nowMs: work.nowMs }, work);
    noticeEnd(service, work, { fromMs, failed: false });
  } catch (error) {
    noticeEnd(service, work, { fromMs, failed: true });
    await putBack(service, work, error);
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

/**
 * Moves the clock of a test store: what falls due on the way is done in order, each at its own moment, before
 * the call answers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { LEASE_MS, SIDE_KINDS } from '../domain/due-work.ts';
import { Refusal } from '../domain/errors.ts';
import { removeStored } from '../providers/files/remove-stored.ts';
import { postponeDueWork } from '../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';
import { claimNextOfStore, claimStoreWork, countLeased } from '../resources/due-work/store-work.queries.ts';
import {
  CLOCK_LEASE_MS,
  type HeldClock,
  holdClock,
  listAbandonedClocks,
  moveClock,
  releaseClock,
  renewClock,
  resetClock,
} from '../resources/test-clock/test-clock.queries.ts';
import {
  emptyStore,
  listStoredBytes,
  type StoredBytes,
} from '../resources/workspaces/empty-store.queries.ts';
import { GROUP_SIZE_MAX, toGroups } from './groups.ts';
import { type Jobs, jobOf, kindsBy } from './job.ts';

interface ClockOptions {
  service: Service;
  jobs: Jobs;
}

/** Work of this store that others began is waited for this long: as long as any of it may take. */
const OTHERS_LIMIT_MS = LEASE_MS;
const OTHERS_POLL_MS = 20;
/** Deliveries, mails and documents that run beside the business at a time. */
const CHAINS_MAX = 50;
/** Rows of a kind that is done in groups belong together if they fall due within so long. */
const GROUP_SPAN_MS = 1_000;
/** What failed so often is left for the time after the advance. */
const FAILURES_MAX = 5;
const RETRY_AFTER_MS = 1_000;

export function createClock(options: ClockOptions): Clock {
  const { service } = options;
  let isStopping = false;

  async function hold<T>(scope: Scope, toMs: number, work: (held: HeldClock) => Promise<T>): Promise<T> {
    const held = await holdClock(service.db, scope, toMs);
    if (!held) throw new Refusal('clock_advancing');
    const renewing = setInterval(() => {
      // One that is missed is made up for by the next; a hold that was lost shows at the next move.
      renewClock(service.db, held).catch(() => {});
    }, CLOCK_LEASE_MS / 3);
    try {
      await waitForOthers(service, scope);
      return await work(held);
    } finally {
      clearInterval(renewing);
      await inTransaction(service.db, (tx) => releaseClock(tx, held));
      service.nudgeWorker(scope);
    }
  }

  return {
    advance: (scope, toMs) =>
      hold(scope, toMs, async (held) => {
        // What is charged on the way is charged by books that are read, as everywhere.
        await service.books.readStore(scope, { anew: true });
        const journey = new Journey({ ...options, scope, held, toMs, isStopping: () => isStopping });
        await journey.run();
        return journey.done;
      }),
    reset: (scope) =>
      hold(scope, service.realNowMs(), async (held) => {
        const stored = await inTransaction(service.db, async (tx) => {
          if (!(await resetClock(tx, held))) throw new Refusal('clock_advancing');
          const listed = await listStoredBytes(tx, scope);
          await emptyStore(tx, scope);
          return listed;
        });
        await removeLeft(service, scope, stored);
      }),
    async releaseAbandoned() {
      for (const held of await listAbandonedClocks(service.db)) {
        await inTransaction(service.db, (tx) => releaseClock(tx, held));
      }
    },
    stop() {
      isStopping = true;
    },
  };
}

/** Takes away what no row names any more; what cannot be removed is left there. */
async function removeLeft(service: Service, scope: Scope, stored: StoredBytes): Promise<void> {
  const { files, config, log } = service;
  try {
    await removeStored({ files, dataDir: config.dataDir }, scope, stored);
  } catch (error) {
    const { workspaceId } = scope;
    log.warn({ err: error, workspaceId }, 'files of an emptied test store were left where they lie');
  }
}

/** Workers take nothing new of a store whose clock is held; what they have begun ends first. */
async function waitForOthers(service: Service, scope: Scope): Promise<void> {
  const untilMs = performance.now() + OTHERS_LIMIT_MS;
  while ((await countLeased(service.db, scope)) > 0 && performance.now() < untilMs)
    await wait(OTHERS_POLL_MS);
}

interface JourneyOptions extends ClockOptions {
  scope: Scope;
  held: HeldClock;
  toMs: number;
  isStopping: () => boolean;
}

/** One advance: the business clock goes from row to row, and chains of outside work run beside it. */
class Journey {
  private readonly options: JourneyOptions;
  private readonly chains = new Set<Promise<void>>();
  private readonly given = new Set<string>();
  /** How much of each kind was done. */
  readonly done: Record<string, number> = {};
  private nowMs = 0;

  constructor(options: JourneyOptions) {
    this.options = options;
  }

  async run(): Promise<void> {
    const { toMs } = this.options;
    for (;;) {
      if (this.options.isStopping()) throw new Refusal('unavailable');
      const works = await this.claimBusiness();
      const [first] = works;
      await this.startChains(first?.dueMs ?? toMs);
      if (first) await this.runBusiness(first, works);
      else if (this.chains.size > 0) await Promise.race(this.chains);
      else break;
    }
    await this.moveTo(toMs);
  }

  /** What comes next: one row, or a group of a kind that is done in groups. */
  private claimBusiness(): Promise<ClaimedWork[]> {
    const { service, scope, toMs, jobs } = this.options;
    return claimNextOfStore(service.db, scope, {
      kinds: this.listKinds().filter((kind) => !SIDE_KINDS.has(kind)),
      untilMs: toMs,
      except: [...this.given],
      limit: GROUP_SIZE_MAX,
      groupKinds: kindsBy(jobs, 'store'),
      spanMs: GROUP_SPAN_MS,
      leaseMs: LEASE_MS,
    });
  }

  /** Kinds by name: what another version has put there is left to it. */
  private listKinds(): string[] {
    return Object.keys(this.options.jobs);
  }

  private claimSide(untilMs: number, limit: number): Promise<ClaimedWork[]> {
    const { service, scope } = this.options;
    return claimStoreWork(service.db, scope, {
      kinds: this.listKinds().filter((kind) => SIDE_KINDS.has(kind)),
      untilMs,
      except: [...this.given],
      limit,
      leaseMs: LEASE_MS,
    });
  }

  private async moveTo(toMs: number): Promise<void> {
    if (toMs <= this.nowMs) return;
    this.nowMs = toMs;
    const { service, held } = this.options;
    // Another has it since this process stood still: what is left to do is theirs.
    if (!(await moveClock(service.db, held, toMs))) throw new Refusal('clock_advancing');
  }

  private async runBusiness(first: ClaimedWork, works: ClaimedWork[]): Promise<void> {
    await this.moveTo(first.dueMs);
    await this.runTogether(works.map((work) => ({ ...work, nowMs: Math.max(work.dueMs, this.nowMs) })));
  }

  /**
   * One row, or a group of a kind that is done in groups; each at its own `nowMs`. What failed is put back for later;
   * what fails again and again is left for real time.
   */
  private async runTogether(works: ClaimedWork[]): Promise<void> {
    const { service, jobs } = this.options;
    const [first] = works;
    const job = jobOf(jobs, first);
    const failed = new Map<ClaimedWork, unknown>();
    try {
      if (!job) throw new Error(`no job for ${first?.kind}`);
      await job.run({ ...service, isAdvancing: true }, works, (work, error) => {
        if (error !== undefined) failed.set(work, error);
      });
    } catch (error) {
      for (const work of works) failed.set(work, error);
    }
    this.count(works.filter((work) => !failed.has(work)));
    for (const [work, error] of failed) await this.putBack(work, error);
  }

  /** The business clock does not wait for outside work, the call does. */
  private async startChains(untilMs: number): Promise<void> {
    for (;;) {
      const free = CHAINS_MAX - this.chains.size;
      if (free <= 0) await Promise.race(this.chains);
      const limit = Math.max(free, 1);
      const claimed = await this.claimSide(untilMs, limit);
      for (const works of toGroups(claimed, kindsBy(this.options.jobs, 'store'))) {
        const chain = this.runTogether(works).finally(() => this.chains.delete(chain));
        this.chains.add(chain);
      }
      // What the chains make on their way is looked for again before the call ends.
      if (claimed.length < limit) return;
    }
  }

  private count(works: ClaimedWork[]): void {
    for (const { kind } of works) this.done[kind] = (this.done[kind] ?? 0) + 1;
  }

  private async putBack(work: ClaimedWork, error: unknown): Promise<void> {
    const { service } = this.options;
    const { scope, kind, refId, failures } = work;
    service.log.error(
      { err: error, workspaceId: scope.workspaceId, kind, refId, attempt: failures + 1 },
      'a job failed in an advance',
    );
    if (work.failures + 1 >= FAILURES_MAX) this.given.add(`${work.kind}:${work.refId}`);
    await postponeDueWork(service.db, work, {
      dueMs: work.dueMs + RETRY_AFTER_MS,
      failures: work.failures + 1,
      lastError: String(error).slice(0, 1000),
    });
  }
}

/**
 * Which stores may have something due, where rows lie on several nodes: they are listed once a second for all slots
 * together, by one statement for each node, so that one that is gone stops nobody else's; in between, whoever knows of
 * work says whose. A hint, no more: the taking decides.
 */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { readTogether } from '../db/transaction.ts';
import { type DueStore, listDueStores } from '../resources/due-work/spread-work.queries.ts';
import { listByNode } from '../resources/installation/nodes.queries.ts';

/** Lists of one process, so far apart and by chance up to a fifth more or less (ms). */
const LIST_GAP_MS = 1_000;
/** Nudges that name no store bring the next list forward, but no nearer to the last than this. */
const ASKED_GAP_MS = 100;
/** Where workspaces lie is asked so often: by then a new one is known to processes where nobody has named it (ms). */
const NODES_AGE_MS = 5_000;
/** Stores and kinds of a node that a list names. */
const LIST_LIMIT = 1_000;

/** Stores that may have something for some slots, in the order in which it fell due. */
export interface Hints {
  /** Takes up to so many out, those of before first. */
  take(count: number): Scope[];
  /** There may be more of them. */
  put(scope: Scope): void;
  readonly size: number;
}

export interface DueStores {
  /** Of work in lanes, or of these kinds. */
  hintsFor(wanted: 'lanes' | readonly string[]): Hints;
  /** Something of this store may be due; missing = of any. */
  nudge(scope?: Scope): void;
  /** Lists anew if it is time, or `now`. Throws if no node has answered. */
  list(options?: { now?: boolean }): Promise<void>;
}

class HintQueue implements Hints {
  private readonly stores = new Map<string, Scope>();
  readonly wanted: 'lanes' | ReadonlySet<string>;

  constructor(wanted: 'lanes' | readonly string[]) {
    this.wanted = wanted === 'lanes' ? wanted : new Set(wanted);
  }

  get size(): number {
    return this.stores.size;
  }

  take(count: number): Scope[] {
    const taken = [...this.stores].slice(0, count);
    for (const [key] of taken) this.stores.delete(key);
    return taken.map(([, scope]) => scope);
  }

  put({ workspaceId, testMode }: Scope): void {
    this.stores.set(`${workspaceId}:${testMode}`, { workspaceId, testMode });
  }

  wants({ kind }: DueStore): boolean {
    return this.wanted === 'lanes' ? kind === null : kind !== null && this.wanted.has(kind);
  }
}

export function createDueStores(db: Db, nowMs: () => number = () => performance.now()): DueStores {
  const queues: HintQueue[] = [];
  let nodes: string[][] = [];
  let nodesAtMs = Number.NEGATIVE_INFINITY;
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let listing: Promise<void> | null = null;

  async function listAll(): Promise<void> {
    if (nowMs() - nodesAtMs > NODES_AGE_MS) {
      nodes = await listByNode(db);
      nodesAtMs = nowMs();
    }
    const answers = await Promise.allSettled(
      nodes.map((workspaceIds) =>
        readTogether(db, (together) => listDueStores(together, { workspaceIds, limit: LIST_LIMIT })),
      ),
    );
    for (const answer of answers) {
      if (answer.status === 'rejected') continue;
      for (const due of answer.value) for (const queue of queues) if (queue.wants(due)) queue.put(due);
    }
    const [first] = answers;
    if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected'))
      throw first.reason;
  }

  return {
    hintsFor(wanted) {
      const queue = new HintQueue(wanted);
      queues.push(queue);
      return queue;
    },
    nudge(scope) {
      if (scope) for (const queue of queues) queue.put(scope);
      else nextAtMs = Math.min(nextAtMs, listedAtMs + ASKED_GAP_MS);
    },
    async list({ now = false } = {}) {
      if (listing && !now) return listing;
      await listing?.catch(() => {});
      if (!now && nowMs() < nextAtMs) return;
      if (now) nodesAtMs = Number.NEGATIVE_INFINITY;
      listedAtMs = nowMs();
      nextAtMs = listedAtMs + LIST_GAP_MS * (0.8 + 0.4 * Math.random());
      listing = listAll().finally(() => {
        listing = null;
      });
      await listing;
    },
  };
}

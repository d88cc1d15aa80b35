/**
 * How slots come by work. One PostgreSQL is asked for the earliest of all stores by one statement; where the rows lie on
 * several nodes, stores that may have something are listed, and then each is asked for its own.
 */
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { isSpread } from '../db/store-form.ts';
import { readTogether } from '../db/transaction.ts';
import { LEASE_MS } from '../domain/due-work.ts';
import { claimDueWork } from '../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';
import { claimLaneWork, listDueLanes } from '../resources/due-work/lane-work.queries.ts';
import { listStoreLanes, takeStoreLanes, takeStoreRows } from '../resources/due-work/spread-work.queries.ts';
import { createDueStores, type DueStores, type Hints } from './due-stores.ts';
import type { Lanes } from './lanes.ts';

/** Lanes that are looked at in one claim. */
const LANES_PER_CLAIM = 256;
/** Stores that are asked at once. */
const STORES_PER_CLAIM = 32;

export interface Claims {
  /** Takes up to `limit` due rows of these kinds, earliest first. */
  ofKinds(kinds: string[]): (limit: number) => Promise<ClaimedWork[]>;
  /** Takes due rows in lanes, by turns and as these have room. */
  ofLanes(kinds: string[], lanes: Lanes): (isStopping: () => boolean) => Promise<ClaimedWork[]>;
  /** Something of this store may be due; missing = of any. */
  nudge(scope?: Scope): void;
  /** What is claimed next is of all that is due by now, whoever has put it there. */
  lookAnew(): Promise<void>;
}

export function createClaims({ db, log }: Pick<Service, 'db' | 'log'>): Claims {
  const stores = createDueStores(db);
  const failed = (error: unknown) => log.warn({ err: error }, 'due work could not be claimed');
  return {
    ofKinds(kinds) {
      const hints = stores.hintsFor(kinds);
      const take: TakeFromStore = async (one, scope, limit) => {
        const works = await takeStoreRows(one, scope, { kinds, limit, leaseMs: LEASE_MS });
        return { works, isMore: works.length === limit };
      };
      return (limit) =>
        isSpread(db)
          ? claimByStore(db, { stores, hints, take, limit, failed })
          : claimDueWork(db, { kinds, limit, leaseMs: LEASE_MS });
    },
    ofLanes(kinds, lanes) {
      const hints = stores.hintsFor('lanes');
      const claimWhole = claimByTurns(db, kinds, lanes);
      return (isStopping) => {
        if (!isSpread(db)) return claimWhole(isStopping);
        const { limit } = lanes.measure([], performance.now());
        const take: TakeFromStore = (one, scope, share) => takeLanes(one, scope, { kinds, lanes, share });
        return limit === 0 || isStopping()
          ? Promise.resolve([])
          : claimByStore(db, { stores, hints, take, limit, failed });
      };
    },
    nudge: (scope) => stores.nudge(scope),
    async lookAnew() {
      if (isSpread(db)) await stores.list({ now: true });
    },
  };
}

interface Taken {
  works: ClaimedWork[];
  isMore: boolean;
}

type TakeFromStore = (db: Db, scope: Scope, limit: number) => Promise<Taken>;

interface ByStore {
  stores: DueStores;
  hints: Hints;
  take: TakeFromStore;
  limit: number;
  failed: (error: unknown) => void;
}

/** Asks each store that may have something once. One that cannot be reached holds up none of the others. */
async function claimByStore(db: Db, { stores, hints, take, limit, failed }: ByStore): Promise<ClaimedWork[]> {
  await stores.list();
  const claimed: ClaimedWork[] = [];
  const again: Scope[] = [];
  for (let room = limit; room > 0 && hints.size > 0; room = limit - claimed.length) {
    const scopes = hints.take(Math.min(STORES_PER_CLAIM, room));
    const share = Math.floor(room / scopes.length);
    const answers = await readTogether(db, (one) =>
      Promise.allSettled(scopes.map((scope) => take(one, scope, share))),
    );
    for (const [place, answer] of answers.entries()) {
      const scope = scopes[place];
      if (answer.status === 'rejected') failed(answer.reason);
      else {
        claimed.push(...answer.value.works);
        if (answer.value.isMore && scope) again.push(scope);
      }
    }
  }
  for (const scope of again) hints.put(scope);
  return claimed.sort((a, b) => a.dueMs - b.dueMs);
}

/** A store is asked again as long as something waits in its lanes, since room comes free. */
async function takeLanes(
  db: Db,
  scope: Scope,
  { kinds, lanes, share }: { kinds: string[]; lanes: Lanes; share: number },
): Promise<Taken> {
  const due = await listStoreLanes(db, scope);
  const { rooms, limit } = lanes.measure(due, performance.now());
  if (rooms.length === 0 || limit === 0) return { works: [], isMore: due.length > 0 };
  const taking = { kinds, rooms, limit: Math.min(limit, share), leaseMs: LEASE_MS };
  return { works: await takeStoreLanes(db, scope, taking), isMore: true };
}

/** From all lanes, wherever they lie: so many at a time, each in its turn. */
function claimByTurns(
  db: Db,
  kinds: string[],
  lanes: Lanes,
): (isStopping: () => boolean) => Promise<ClaimedWork[]> {
  /** Where the next claim goes on, so that with more lanes than one claim looks at each has its turn. */
  let after: string | null = null;

  async function claimFrom(isStopping: () => boolean): Promise<ClaimedWork[]> {
    for (;;) {
      if (isStopping() || kinds.length === 0 || lanes.measure([], performance.now()).limit === 0) return [];
      const due = await listDueLanes(db, { after, limit: LANES_PER_CLAIM });
      const { rooms, limit } = lanes.measure(due.lanes, performance.now());
      const claimed = await claimLaneWork(db, { kinds, rooms, limit, leaseMs: LEASE_MS });
      after = due.next;
      if (claimed.length > 0 || after === null) return claimed;
    }
  }

  return async (isStopping) => {
    const isFromStart = after === null;
    const claimed = await claimFrom(isStopping);
    // Nothing in the rest of the lanes says nothing of those before them.
    if (claimed.length > 0 || isFromStart || after !== null) return claimed;
    return claimFrom(isStopping);
  };
}

/** Sweeps of what is over in stores: listed over many workspaces, then taken store by store. */
import { listByStore } from '../db/by-store.ts';
import type { Db } from '../db/database.ts';
import type { ListingOver } from '../db/over-rows.ts';
import { type Scope, scopeColumns } from '../db/scope.ts';
import { listWorkspaceIds } from '../resources/workspaces/workspaces.queries.ts';

/** Short statements: whoever needs a row that is being deleted waits for the batch. */
export const ROWS_PER_BATCH = 1000;

interface Sweeping<Over extends Scope> {
  /** What is over, oldest first: a hint, since others may take it meanwhile. */
  list: (db: Db, listing: ListingOver) => Promise<Over[]>;
  /** Takes what of it still is; answers how much. */
  take: (db: Db, scope: Scope, over: Over[]) => Promise<number>;
}

/** Answers how much was taken in all. */
export async function sweepStores<Over extends Scope>(
  db: Db,
  signal: AbortSignal,
  { list, take }: Sweeping<Over>,
): Promise<number> {
  return sweepEach(db, signal, (workspaceIds) =>
    sweep(signal, async () => {
      let taken = 0;
      const listed = await list(db, { workspaceIds, limit: ROWS_PER_BATCH });
      const over = listed.map((row) => ({ scope: scopeColumns(row), row }));
      for (const { scope, own } of listByStore(over)) {
        if (signal.aborted) break;
        taken += await take(
          db,
          scope,
          own.map(({ row }) => row),
        );
      }
      return taken;
    }),
  );
}

/** Of many workspaces at a time; answers how much was taken in all. */
export async function sweepEach(
  db: Db,
  signal: AbortSignal,
  takeOf: (workspaceIds: string[]) => Promise<number>,
): Promise<number> {
  const all = await listWorkspaceIds(db);
  let total = 0;
  for (let from = 0; from < all.length && !signal.aborted; from += ROWS_PER_BATCH)
    total += await takeOf(all.slice(from, from + ROWS_PER_BATCH));
  return total;
}

/** Batch by batch; answers how many in all. */
export async function sweep(signal: AbortSignal, takeBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const count = await takeBatch();
    total += count;
    // Fewer than asked for: no more are left, or another process has the rest in hand.
    if (count < ROWS_PER_BATCH) break;
  }
  return total;
}

/** What is due in stores that are held is put aside, store by store, so that claims pass it over without reading it. */
import type { Db } from '../db/database.ts';
import { ROWS_AT_ONCE } from '../db/in-steps.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  listHeldWorkspaces,
  listWithDueWork,
  putHeldWorkAside,
} from '../resources/due-work/held-work.queries.ts';
import { ROWS_PER_BATCH } from './sweep-stores.ts';

/** Answers how many rows were put aside. */
export async function putAside(db: Db, signal: AbortSignal): Promise<number> {
  const held = await listHeldWorkspaces(db);
  let total = 0;
  for (let from = 0; from < held.length; from += ROWS_PER_BATCH) {
    for (const workspaceId of await listWithDueWork(db, held.slice(from, from + ROWS_PER_BATCH))) {
      const scope = { workspaceId, testMode: false };
      for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE && !signal.aborted; ) {
        count = await inTransaction(db, (tx) => putHeldWorkAside(tx, scope));
        total += count;
      }
    }
  }
  return total;
}

/** Asks a store for all that must always hold, while it goes on selling. */
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Asking, findViolations } from '../../invariants/find-violations.ts';
import type { Violation } from '../../invariants/invariant.ts';
import { beReadOnly, planEach, takeSnapshot } from '../../resources/exports/whole-store.queries.ts';
import { listWrittenSince, narrowTo } from '../../resources/restores/restores.queries.ts';

/** Ends a transaction of which nothing is to stay. */
class Asked extends Error {}

/**
 * All of one moment, over one connection, of which nothing stays. `sinceMs` asks only of workspaces in which something
 * was written in these last milliseconds; null = of all, as a standby can too.
 */
export async function askInvariants(
  db: Db,
  { sinceMs, ...asking }: Asking & { sinceMs: number | null },
): Promise<Violation[]> {
  let violations: Violation[] = [];
  await inTransaction(db, async (tx) => {
    await takeSnapshot(tx);
    await planEach(tx);
    if (sinceMs === null) await beReadOnly(tx);
    else await narrowTo(tx, await listWrittenSince(tx, sinceMs));
    violations = await findViolations(tx, asking);
    throw new Asked();
  }).catch((error: unknown) => {
    if (!(error instanceof Asked)) throw error;
  });
  return violations;
}

/** While a test clock is advanced no real time goes by: what only that can bring is not waited for on the way. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { computeSilentLookMs } from '../../domain/payments/watch.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';

/** So many looks without an answer are repeated on the way: one lost answer is no outage, and each takes its whole time. */
const SILENT_LOOKS_ON_THE_WAY = 2;

/** The moment, or `afterMs` behind the end of the advance that is under way. */
export async function toBehindAdvance(
  { isAdvancing }: Pick<Step, 'isAdvancing'>,
  scope: Scope,
  { db, dueMs, afterMs = 1 }: { db: Db; dueMs: number; afterMs?: number },
): Promise<number> {
  if (isAdvancing !== true) return dueMs;
  const { advancingTo } = await getClock(db, scope);
  return advancingTo === null ? dueMs : Math.max(dueMs, advancingTo + afterMs);
}

interface SilentLook {
  db: Db;
  /** Its kind; null = there is none any more. The sandbox's time is the store's. */
  processor: string | null;
  /** How many before this one had no answer either. */
  silentLooks: number;
}

/** When to look again after a look without an answer. */
export async function toSilentLook(
  ctx: Pick<Step, 'isAdvancing' | 'nowMs'>,
  scope: Scope,
  { db, processor, silentLooks }: SilentLook,
): Promise<number> {
  const dueMs = computeSilentLookMs(ctx.nowMs, silentLooks);
  if (processor === 'sandbox' || silentLooks < SILENT_LOOKS_ON_THE_WAY) return dueMs;
  return toBehindAdvance(ctx, scope, { db, dueMs, afterMs: dueMs - ctx.nowMs });
}

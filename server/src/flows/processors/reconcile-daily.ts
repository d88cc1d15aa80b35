/** Once a day, by real time, each connection that has books is held against ours. */
import type { Service } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { claimUnreconciled } from '../../resources/processors/processors.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { reconcileProcessor } from './reconcile-processor.ts';

const DAY_MS = 24 * 3_600_000;
/** What came late into the processor's books is read by the runs after it. */
const OVERLAP_MS = 3 * DAY_MS;
/** What happens there meanwhile settles by itself. */
const BEHIND_MS = 3_600_000;
/** One that had no answer is asked again. */
const AGAIN_MS = 3_600_000;

/** Answers how many were. */
export async function reconcileDaily(service: Service): Promise<number> {
  let done = 0;
  const stores = await listOpenStores(service.db);
  const times = { everyMs: DAY_MS, againMs: AGAIN_MS };
  for (const row of await claimUnreconciled(service.db, { ...times, ...stores })) {
    try {
      await reconcileOne(service, row);
      done += 1;
    } catch (error) {
      service.log.warn({ err: error, processorId: row.id }, "a processor's books could not be compared");
    }
  }
  return done;
}

async function reconcileOne(service: Service, row: Row<'processors'>): Promise<void> {
  const { id, workspaceId, testMode, reconciledTo, createdAt } = row;
  const scope: Scope = { workspaceId, testMode };
  const realNowMs = service.realNowMs();
  const { offsetMs } = await getClock(service.db, scope);
  const ctx = { ...service, nowMs: realNowMs + offsetMs };
  const toMs = realNowMs - BEHIND_MS;
  const fromMs = Math.min(reconciledTo ?? createdAt, toMs) - OVERLAP_MS;
  await reconcileProcessor(ctx, scope, { id, fromMs, toMs, isDaily: true });
}

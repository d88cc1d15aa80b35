/**
 * A store that was restored knows nothing of what its processors did since: from the moment of the backup on their books
 * are held against its rows, and what they hold of ours is adopted, before anybody is charged unasked.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { endAdoption, listToAdopt } from '../../resources/processors/adopting.queries.ts';
import { bringForwardWaiting } from '../../resources/processors/waiting-work.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { reconcileProcessor } from './reconcile-processor.ts';

type Service = Omit<Context, 'nowMs'>;

/** Throws where its books cannot be read; until they were, charges over it wait. */
export async function adoptRestored(service: Service, scope: Scope, row: Row<'processors'>): Promise<void> {
  const { id, adoptFrom: fromMs } = row;
  if (fromMs === null) return;
  const toMs = service.realNowMs();
  const { offsetMs } = await getClock(service.db, scope);
  const ctx = { ...service, nowMs: toMs + offsetMs, isToldBefore: true };
  if (openProvider(service, scope, row)?.books) await reconcileProcessor(ctx, scope, { id, fromMs, toMs });
  await inTransaction(service.db, async (tx) => {
    await endAdoption(tx, scope, { id, fromMs });
    await bringForwardWaiting(tx, scope, { connectionId: id, nowMs: ctx.nowMs });
  });
  service.nudgeWorker(scope);
}

/** Of all stores that go on: nobody waits for it who has nothing to charge. */
export async function adoptDue(service: Service): Promise<void> {
  const stores = await listOpenStores(service.db);
  for (const { workspaceId, testMode } of await listToAdopt(service.db, stores))
    await service.books.readStore({ workspaceId, testMode });
}

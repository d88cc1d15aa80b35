/**
 * A connection is retired, and what lets us into its account is given up: its endpoints are taken away there, and its
 * credentials here. The same account connected again is the connection that it was.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { deleteEndpointsOf, listEndpoints } from '../../resources/processors/processor-endpoints.queries.ts';
import {
  findProcessor,
  lockProcessor,
  updateProcessor,
} from '../../resources/processors/processors.queries.ts';
import { isInUse, listRetiredLong } from '../../resources/processors/tending.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { archiveProcessor } from './edit-processor.ts';
import { openAccount, removeThere } from './tend-endpoints.ts';

type Service = Omit<Context, 'nowMs'>;
type Processor = Row<'processors'>;

/** What it has charged may be disputed for so long. */
const KEPT_MS = 180 * 24 * 3_600_000;

export interface Retiring {
  id: string;
  /** Although subscriptions renew over it. */
  isConfirmed: boolean;
  isForgotten: boolean;
  finish: (tx: Tx, row: Processor) => Promise<void>;
}

/** Throws not_found, processor_state, processor_in_use. */
export async function retireProcessor(
  ctx: Context,
  scope: Scope,
  { id, isConfirmed, isForgotten, finish }: Retiring,
): Promise<Processor> {
  const retired = await inTransaction(ctx.db, async (tx) => {
    if (isForgotten) await refuseInUse(tx, scope, id);
    const before = await lockProcessor(tx, scope, id);
    // Of one that is retired already the credentials can still be given up.
    const row =
      isForgotten && before?.status === 'retired'
        ? before
        : await archiveProcessor(ctx, scope, { tx, id, isConfirmed });
    if (!isForgotten) await finish(tx, row);
    return row;
  });
  return isForgotten ? forget(ctx, scope, { row: retired, finish }) : retired;
}

/** Those that were retired so long ago that nothing can come of what they charged. Answers how many. */
export async function forgetRetired(service: Service): Promise<number> {
  let count = 0;
  const stores = await listOpenStores(service.db);
  for (const row of await listRetiredLong(service.db, { ...stores, forMs: KEPT_MS })) {
    const { workspaceId, testMode, id } = row;
    const scope = { workspaceId, testMode };
    if (await isInUse(service.db, scope, id)) continue;
    await forget(service, scope, { row, finish: async () => {} });
    count += 1;
  }
  return count;
}

async function forget(
  service: Service,
  scope: Scope,
  { row, finish }: { row: Processor; finish: Retiring['finish'] },
): Promise<Processor> {
  const { id } = row;
  const account = openAccount(service, scope, row);
  for (const { processorId } of account ? await listEndpoints(service.db, scope, id) : []) {
    if (account && processorId !== null) await removeThere(service, { ...account, processorId });
  }
  return inTransaction(service.db, async (tx) => {
    await lockProcessor(tx, scope, id);
    await refuseInUse(tx, scope, id);
    await updateProcessor(tx, scope, { id, credentials: null, keyLast4: null });
    await deleteEndpointsOf(tx, scope, id);
    const forgotten = await findProcessor(tx, scope, id);
    assert(forgotten, 'a connection is never deleted');
    await finish(tx, forgotten);
    return forgotten;
  });
}

async function refuseInUse(tx: Tx, scope: Scope, id: string): Promise<void> {
  if (!(await isInUse(tx, scope, id))) return;
  throw new Refusal('processor_in_use', {
    message: 'A charge, a refund or a dispute is open over this processor.',
  });
}

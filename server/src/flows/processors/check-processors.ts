/** Asks those that are not well whether they are again: by real time, whatever the clocks of their stores say. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toCallEnd } from '../../providers/payment/call-end.ts';
import { claimUnwell } from '../../resources/processors/processors.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { noteHealth } from './change-health.ts';

const EVERY_MS = 5 * 60_000;

/** Answers how many are well again. */
export async function checkProcessors(service: Omit<Context, 'nowMs'>): Promise<number> {
  let healed = 0;
  const stores = await listOpenStores(service.db);
  for (const row of await claimUnwell(service.db, { ...stores, everyMs: EVERY_MS })) {
    const { workspaceId, testMode } = row;
    if (await checkProcessor(service, { workspaceId, testMode }, row)) healed += 1;
  }
  return healed;
}

/** Answers whether it is well again. One that cannot be asked stays as it is. */
export async function checkProcessor(
  service: Omit<Context, 'nowMs'>,
  scope: Scope,
  row: Row<'processors'>,
): Promise<boolean> {
  const { id } = row;
  try {
    const provider = openProvider(service, scope, row);
    if (!provider?.check) return false;
    await provider.check();
  } catch (error) {
    if (toCallEnd(error) === 'locked_out')
      await noteHealth(service, scope, { id, to: 'broken', reason: 'access_refused' });
    return false;
  }
  return noteHealth(service, scope, { id, to: 'ok', reason: null });
}

import type { Context, Service } from '../context.ts';
import { toStoreDb } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { getClock } from '../resources/workspaces/workspaces.queries.ts';

/**
 * Stops the workspace's clock for one request: real time in live mode, real time and the test clock's offset
 * in test mode. While the test clock is being advanced, writes are refused, and those to a
 * live store that is held. All that a request asks of a processor
 * takes no longer together than one call may.
 */
export async function openContext(
  service: Service,
  scope: Scope,
  { needsClock, isWrite }: { needsClock: boolean; isWrite: boolean },
): Promise<Context> {
  if (isWrite) await service.holds.refuseHeld(scope);
  const realMs = service.realNowMs();
  const clock = scope.testMode && needsClock ? await getClock(service.db, scope) : null;
  if (clock && clock.advancingTo !== null && isWrite) throw new Refusal('clock_advancing');
  // Set in a copy, in which they stand already: of one that is spread and added to V8 makes a dictionary.
  const ctx = { ...service } as Context;
  ctx.db = toStoreDb(service.db, scope);
  ctx.payments = service.payments.forOneAnswer();
  ctx.nowMs = realMs + (clock?.offsetMs ?? 0);
  ctx.nowRealMs = realMs;
  if (clock) ctx.clockFence = clock.fence;
  return ctx;
}

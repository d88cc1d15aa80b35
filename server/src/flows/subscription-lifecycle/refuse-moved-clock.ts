/** What a request does to a subscription has the time of the request: none of what an advance did may lie after it. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';

/**
 * Refuses clock_advancing where the test clock was moved since the request began, which an advance does not wait for. To
 * be asked once the subscription is locked: an advance that comes later finds it as this step leaves it.
 */
export async function refuseMovedClock(
  { clockFence }: Pick<Step, 'clockFence'>,
  scope: Scope,
  tx: Tx,
): Promise<void> {
  if (clockFence === undefined) return;
  const { fence } = await getClock(tx, scope);
  if (fence !== clockFence) throw new Refusal('clock_advancing');
}

/** Which of the buyer's doors are closed with the workspace: what they keep is told here alone. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/**
 * Nothing new is sold while the workspace is suspended or archived; what a suspended one was asked to charge is settled.
 * From a store that is held, since it may be a copy, nothing is charged at all. Documents and what was bought stay open.
 */
export async function refuseClosedShop(
  db: Db,
  scope: Scope,
  { evenSettling }: { evenSettling: boolean } = { evenSettling: true },
): Promise<void> {
  const { state, isHeld } = await getStore(db, scope);
  if (isHeld) throw new Refusal('store_held');
  if (state === 'archived') throw new Refusal('workspace_archived');
  if (state === 'suspended' && evenSettling) throw new Refusal('workspace_suspended');
}

/** A suspended workspace renews on, so that its subscribers go on paying; an archived one charges nobody. */
export async function refuseClosedTill(db: Db, scope: Scope, subscriptionId: string): Promise<void> {
  const { state, isHeld } = await getStore(db, scope);
  if (isHeld) throw new Refusal('store_held');
  if (state === 'archived') throw new Refusal('workspace_archived');
  if (state !== 'suspended') return;
  const { endedAt } = await getSubscription(db, scope, subscriptionId);
  if (endedAt !== null) throw new Refusal('workspace_suspended');
}

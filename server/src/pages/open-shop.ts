/** Which of the buyer's doors are closed with the workspace: what they keep is told here alone. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { type ErrorCode, Refusal } from '../domain/errors.ts';
import { toSettings } from '../domain/settings.ts';
import { showSeller } from '../flows/checkout/show-seller.ts';
import { findLegalPaths } from '../resources/consumer/legal-pages.queries.ts';
import { getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/** Of a shop that there is: the page that says so bears its name, and leads to what stays open. */
export class ClosedShop extends Refusal {
  readonly shop: Shop;

  constructor(code: ErrorCode, shop: Shop) {
    super(code);
    this.shop = shop;
  }
}

type Shop = Awaited<ReturnType<typeof showShop>>;

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
  if (isHeld) await refuse(db, scope, 'store_held');
  if (state === 'archived') await refuse(db, scope, 'workspace_archived');
  if (state === 'suspended' && evenSettling) await refuse(db, scope, 'workspace_suspended');
}

/** A suspended workspace renews on, so that its subscribers go on paying; an archived one charges nobody. */
export async function refuseClosedTill(db: Db, scope: Scope, subscriptionId: string): Promise<void> {
  const { state, isHeld } = await getStore(db, scope);
  if (isHeld) await refuse(db, scope, 'store_held');
  if (state === 'archived') await refuse(db, scope, 'workspace_archived');
  if (state !== 'suspended') return;
  const { endedAt } = await getSubscription(db, scope, subscriptionId);
  if (endedAt !== null) await refuse(db, scope, 'workspace_suspended');
}

async function refuse(db: Db, scope: Scope, code: ErrorCode): Promise<never> {
  throw new ClosedShop(code, await showShop(db, scope));
}

async function showShop(db: Db, scope: Scope) {
  const { settings, name } = await getStore(db, scope);
  const legal = await findLegalPaths(db, scope, null);
  return { seller: showSeller(toSettings(settings), name), testMode: scope.testMode, legal };
}

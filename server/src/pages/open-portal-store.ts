/** The store that an address of a portal names. Closed shops are open here: what buyers state is heard in each state. */
import type { Context, Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { toSettings } from '../domain/settings.ts';
import { showSeller } from '../flows/checkout/show-seller.ts';
import { openContext } from '../http/context.ts';
import { findLegalPaths, findPortalOwner } from '../resources/consumer/legal-pages.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

const SLUG = /^[a-z0-9-]{3,40}$/;

export interface NamedStore {
  store: string;
  testMode: boolean;
}

export interface PortalStore {
  ctx: Context;
  scope: Scope;
  store: string;
  seller: ReturnType<typeof showSeller>;
  legal: { withdraw: string | null; cancel: string | null };
}

/** Throws not_found. */
export async function openPortalStore(
  service: Service,
  { store, testMode }: NamedStore,
  { isWrite }: { isWrite: boolean },
): Promise<PortalStore> {
  const workspaceId = SLUG.test(store) ? await findPortalOwner(service.db, store) : undefined;
  if (workspaceId === undefined) throw new Refusal('not_found');
  const scope = { workspaceId, testMode };
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  const { settings, name } = await getStore(ctx.db, scope);
  return {
    ...{ ctx, scope, store },
    seller: showSeller(toSettings(settings), name),
    legal: await findLegalPaths(ctx.db, scope, { nowMs: ctx.nowMs, orderId: null }),
  };
}

/** What decides which legal pages a store has. */
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { type LegalPaths, toLegalPaths } from '../../domain/consumer/legal-paths.ts';
import { LONGEST_RIGHT_MS } from '../../domain/consumer/right.ts';
import { toSettings } from '../../domain/settings.ts';
import { hasSubscriptionOffers } from './legal-pages.sql.ts';

const pagesOfStore = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('stores')
    .innerJoin('workspaces', 'workspaces.id', 'stores.workspaceId')
    .select(['stores.settings', 'workspaces.portalSlug', hasSubscriptionOffers(scope).as('hasOffers')])
    .where(inScope(scope, 'stores')),
);

/** Whose rights count where a store offers none any more. */
export interface Rights {
  /** By the store's clock. */
  nowMs: number;
  /** Null = of any order. */
  orderId: string | null;
}

/** Paths of the store's pages; `rights`: null for whoever has bought nothing yet. */
export async function findLegalPaths(db: Db, scope: Scope, rights: Rights | null): Promise<LegalPaths> {
  const [row] = await pagesOfStore(db, scopeColumns(scope));
  if (!row) return { portal: null, withdraw: null, cancel: null };
  const settings = toSettings(row.settings).consumer;
  const isAsked = rights !== null && settings.withdrawal === 'off';
  return toLegalPaths({
    portalSlug: row.portalSlug,
    testMode: scope.testMode,
    settings,
    hasSubscriptionOffers: row.hasOffers,
    hasRunningRight: isAsked && (await hasRunningRight(db, scope, rights)),
  });
}

/** Found by when orders were paid: no right outlives that by more. */
async function hasRunningRight(db: Db, scope: Scope, { nowMs, orderId }: Rights): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where(inScope(scope))
    .where('paidAt', '>', nowMs - LONGEST_RIGHT_MS)
    .where('withdrawableUntil', '>=', nowMs)
    .$if(orderId !== null, (qb) => qb.where('id', '=', orderId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The workspace whose portal has this address. */
export async function findPortalOwner(db: Db, slug: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('portalSlug', '=', slug)
    .executeTakeFirst();
  return row?.id;
}

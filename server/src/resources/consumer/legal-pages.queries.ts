/** What decides which legal pages a store has. */
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { type LegalPaths, toLegalPaths } from '../../domain/consumer/legal-paths.ts';
import { toSettings } from '../../domain/settings.ts';
import { hasSubscriptionOffers } from './legal-pages.sql.ts';

const pagesOfStore = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('stores')
    .innerJoin('workspaces', 'workspaces.id', 'stores.workspaceId')
    .select(['stores.settings', 'workspaces.portalSlug', hasSubscriptionOffers(scope).as('hasOffers')])
    .where(inScope(scope, 'stores')),
);

/** Paths of the store's pages. */
export async function findLegalPaths(db: Db, scope: Scope): Promise<LegalPaths> {
  const [row] = await pagesOfStore(db, scopeColumns(scope));
  if (!row) return { portal: null, withdraw: null, cancel: null };
  return toLegalPaths({
    portalSlug: row.portalSlug,
    testMode: scope.testMode,
    settings: toSettings(row.settings).consumer,
    hasSubscriptionOffers: row.hasOffers,
  });
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

/** SQL of the plans that a subscription can change to. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface PlanFilter {
  /** Offers of one product, or those that are named. */
  of: { productId: string } | { offerIds: readonly string[] };
  currency: string;
}

/** Offers for sale that recur, cheapest first, with their variant. */
export async function listPlanOffers(db: Db, scope: Scope, { of, currency }: PlanFilter) {
  return db
    .selectFrom('offers as o')
    .innerJoin('products as p', (join) =>
      join
        .onRef('p.workspaceId', '=', 'o.workspaceId')
        .on('p.workspaceId', '=', scope.workspaceId)
        .onRef('p.testMode', '=', 'o.testMode')
        .onRef('p.id', '=', 'o.productId'),
    )
    .leftJoin('variants as v', (join) =>
      join
        .onRef('v.workspaceId', '=', 'o.workspaceId')
        .on('v.workspaceId', '=', scope.workspaceId)
        .onRef('v.testMode', '=', 'o.testMode')
        .onRef('v.id', '=', 'o.variantId'),
    )
    .select([
      'o.id as offerId',
      'o.productId',
      'o.name',
      'o.price',
      'o.currency',
      'o.recurringInterval',
      'o.recurringIntervalCount',
      'p.name as productName',
      'p.features as productFeatures',
      'v.name as variantName',
      'v.features',
    ])
    .where(inScope(scope, 'o'))
    .where('o.archivedAt', 'is', null)
    .where('p.archivedAt', 'is', null)
    .where('o.status', '=', 'ACTIVE')
    .where('o.currency', '=', currency)
    .where('o.recurringInterval', 'is not', null)
    .where('o.recurringIntervalCount', 'is not', null)
    .where((eb) =>
      'productId' in of
        ? eb('o.productId', '=', of.productId)
        : eb('o.id', '=', sql<string>`any(${[...of.offerIds]}::uuid[])`),
    )
    .orderBy('o.price')
    .orderBy('o.id')
    .limit(100)
    .execute();
}

export type PlanOffer = Awaited<ReturnType<typeof listPlanOffers>>[number];

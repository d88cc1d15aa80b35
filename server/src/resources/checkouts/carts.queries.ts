/** What a checkout reads of the catalogue: the cart's offers with their product and variant, and what applies. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

const cartOffers = keepQuery((db, { offerIds, ...scope }: Scope & { offerIds: readonly string[] }) =>
  db
    .selectFrom('offers')
    .innerJoin('products', (join) =>
      join
        .onRef('products.workspaceId', '=', 'offers.workspaceId')
        .on('products.workspaceId', '=', scope.workspaceId)
        .onRef('products.testMode', '=', 'offers.testMode')
        .onRef('products.id', '=', 'offers.productId'),
    )
    .leftJoin('variants', (join) =>
      join
        .onRef('variants.workspaceId', '=', 'offers.workspaceId')
        .on('variants.workspaceId', '=', scope.workspaceId)
        .onRef('variants.testMode', '=', 'offers.testMode')
        .onRef('variants.id', '=', 'offers.variantId'),
    )
    .selectAll('offers')
    .select([
      'products.type as productType',
      'products.withdrawal',
      'products.name as productName',
      'products.internalId as productInternalId',
      'products.status as productStatus',
      'products.archivedAt as productArchivedAt',
      'products.projectId',
      'products.cover as productCover',
      'products.description as productDescription',
      'products.features as productFeatures',
      'variants.name as variantName',
      'variants.internalId as variantInternalId',
      'variants.features as variantFeatures',
    ])
    .where(inScope(scope, 'offers'))
    .where('offers.id', '=', sql<string>`any(${offerIds}::uuid[])`),
);

/** The offers of a cart, whatever their state; the flow decides what can be sold. */
export async function listCartOffers(db: Db, scope: Scope, offerIds: readonly string[]) {
  return cartOffers(db, { ...scope, offerIds });
}

export type CartOffer = Awaited<ReturnType<typeof listCartOffers>>[number];

/** How many of the offers given have a key left to sell. */
export async function countStockedOffers(db: Db, scope: Scope, offerIds: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom('offers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inScope(scope))
    .where('id', '=', sql<string>`any(${offerIds}::uuid[])`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('offerKeys')
          .select('offerKeys.id')
          .where(inScope(scope, 'offerKeys'))
          .whereRef('offerKeys.offerId', '=', 'offers.id')
          .where('offerKeys.status', '=', 'available'),
      ),
    )
    .executeTakeFirstOrThrow();
  return row.count;
}

const activeCustomFields = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('customFields')
    .selectAll()
    .where(inScope(scope))
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id'),
);

/** Definitions of the fields that a buyer fills in. */
export async function listActiveCustomFields(db: Db, scope: Scope): Promise<Array<Row<'customFields'>>> {
  return activeCustomFields(db, scope);
}

/** How many redemptions of each discount a buyer has, held or used, apart from those of one order. */
export async function countUserRedemptions(
  db: Db,
  scope: Scope,
  { emailNormal, exceptOrderId }: { emailNormal: string; exceptOrderId: string | null },
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('discountRedemptions as r')
    .innerJoin('users as u', (join) =>
      join
        .onRef('u.workspaceId', '=', 'r.workspaceId')
        .on('u.workspaceId', '=', scope.workspaceId)
        .onRef('u.testMode', '=', 'r.testMode')
        .onRef('u.id', '=', 'r.userId'),
    )
    .select(['r.discountId', (eb) => eb.fn.countAll<number>().as('count')])
    .where(inScope(scope, 'r'))
    .where('u.emailNormal', '=', emailNormal)
    .where('r.status', '<>', 'released')
    .$if(exceptOrderId !== null, (query) => query.where('r.orderId', '<>', exceptOrderId ?? ''))
    .groupBy('r.discountId')
    .execute();
  return new Map(rows.map((row) => [row.discountId, row.count]));
}

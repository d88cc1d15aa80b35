/** All SQL of offers. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import {
  type Archived,
  containing,
  isId,
  onlyArchived,
  onPage,
  type Page,
  type Sort,
} from '../../db/list.ts';
import type { OffersTable } from '../../db/schema/offers.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { isLowOnStock } from './low-stock.sql.ts';

export interface OfferFilter {
  productId?: string;
  productTypes?: string[];
  term?: string;
  ids?: string[];
  statuses?: string[];
  /** Whether as few keys are left as the merchant wants to hear of. */
  lowStock?: boolean;
  /** Of a store that has chosen none. */
  lowStockDefault: number;
  archived: Archived;
  /** Of products that are published alone: what is told of an offer names its product. */
  ofPublished?: boolean;
}

/** Offers beside their product and their file to download. */
function fromOffers(db: Db, scope: Scope) {
  return db
    .selectFrom('offers')
    .innerJoin('products', (join) =>
      join
        .onRef('products.workspaceId', '=', 'offers.workspaceId')
        .on('products.workspaceId', '=', scope.workspaceId)
        .onRef('products.testMode', '=', 'offers.testMode')
        .onRef('products.id', '=', 'offers.productId'),
    )
    .leftJoin('files', (join) =>
      join
        .onRef('files.workspaceId', '=', 'offers.workspaceId')
        .on('files.workspaceId', '=', scope.workspaceId)
        .onRef('files.testMode', '=', 'offers.testMode')
        .onRef('files.id', '=', 'offers.downloadFileId'),
    )
    .where(inScope(scope, 'offers'));
}

const BESIDE = [
  'products.type as productType',
  'products.name as productName',
  'products.internalId as productInternalId',
  'files.fileName',
  'files.sizeBytes as fileSizeBytes',
  'files.contentType as fileType',
] as const;

/** An offer that is known to exist. */
export async function getOffer(db: Db, scope: Scope, id: string) {
  return fromOffers(db, scope)
    .selectAll('offers')
    .select(BESIDE)
    .where('offers.id', '=', id)
    .executeTakeFirstOrThrow();
}

export type OfferRow = Awaited<ReturnType<typeof getOffer>>;

/** An offer with the number of its keys in each state. */
export async function findWholeOffer(db: Db, scope: Scope, id: string) {
  return fromOffers(db, scope)
    .selectAll('offers')
    .select([...BESIDE, 'products.status as productStatus', 'products.archivedAt as productArchivedAt'])
    .select(
      sql<{ available: number; reserved: number; sold: number }>`(
        select jsonb_build_object(
          'available', count(*) filter (where k.status = 'available'),
          'reserved', count(*) filter (where k.status = 'reserved'),
          'sold', count(*) filter (where k.status = 'sold'))
        from offer_keys k
        where ${inScope(scope, 'k')}
          and k.offer_id = offers.id)`.as('keys'),
    )
    .where('offers.id', '=', id)
    .executeTakeFirst();
}

export type WholeOfferRow = NonNullable<Awaited<ReturnType<typeof findWholeOffer>>>;

export async function hasOffer(db: Db, scope: Scope, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('offers')
    .select('id')
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** A weaker lock than `for update`: purchases that only point to the offer go on. */
export async function lockOffer(tx: Tx, scope: Scope, id: string): Promise<OfferRow | undefined> {
  return fromOffers(tx, scope)
    .selectAll('offers')
    .select(BESIDE)
    .where('offers.id', '=', id)
    .forNoKeyUpdate('offers')
    .executeTakeFirst();
}

/** Offers of one product, newest first. */
export async function listOffersOfProduct(db: Db, scope: Scope, productId: string): Promise<OfferRow[]> {
  return fromOffers(db, scope)
    .selectAll('offers')
    .select(BESIDE)
    .where('offers.productId', '=', productId)
    .where('offers.archivedAt', 'is', null)
    .orderBy('offers.createdAt', 'desc')
    .orderBy('offers.id', 'desc')
    .execute();
}

const NEWEST_OFFER_FIRST: Sort = { by: 'offers.createdAt', id: 'offers.id', direction: 'desc' };

export async function listOffers(db: Db, scope: Scope, filter: OfferFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(
      filtered(db, scope, filter).selectAll('offers').select(BESIDE),
      page,
      NEWEST_OFFER_FIRST,
    ).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

const SEARCHED = ['offers.name', 'products.name', 'offers.internalId', 'offers.gtin'] as const;

function filtered(db: Db, scope: Scope, filter: OfferFilter) {
  const { productId, productTypes, ids, term } = filter;
  let query = onlyArchived(fromOffers(db, scope), filter.archived, 'offers.archivedAt');
  if (productId) query = query.where('offers.productId', '=', productId);
  if (filter.ofPublished) query = query.where('products.status', '!=', 'DRAFT');
  if (productTypes) query = query.where('products.type', 'in', productTypes);
  if (ids) query = query.where('offers.id', 'in', ids);
  if (term) {
    query = query.where((eb) =>
      eb.or([
        ...SEARCHED.map((column) => eb(column, 'ilike', containing(term))),
        ...(isId(term) ? [eb('offers.id', '=', term)] : []),
      ]),
    );
  }
  if (filter.lowStock !== undefined) {
    const isLow = isLowOnStock(scope, filter.lowStockDefault);
    query = query.where(filter.lowStock ? isLow : sql<SqlBool>`not ${isLow}`);
  }
  const statuses = filter.statuses?.filter((status) => status === 'DRAFT' || status === 'ACTIVE');
  return statuses?.length ? query.where('offers.status', 'in', statuses) : query;
}

/** The ids among `ids` that no offer of the store has. */
export async function listMissingOffers(db: Db, scope: Scope, ids: string[]): Promise<string[]> {
  const known = new Set((await listOffersByIds(db, scope, ids)).map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

/** What decides whether offers go into one cart, in no particular order. */
export async function listOffersByIds(db: Db, scope: Scope, ids: string[]) {
  return db
    .selectFrom('offers')
    .select(['id', 'recurringInterval', 'archivedAt'])
    .where(inScope(scope))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export async function findVariantOfProduct(
  db: Db,
  scope: Scope,
  { productId, variantId }: { productId: string; variantId: string },
): Promise<Row<'variants'> | undefined> {
  return db
    .selectFrom('variants')
    .selectAll()
    .where(inScope(scope))
    .where('productId', '=', productId)
    .where('id', '=', variantId)
    .executeTakeFirst();
}

/** What a file of the store was uploaded for. */
export async function findFilePurpose(db: Db, scope: Scope, fileId: string) {
  const row = await db
    .selectFrom('files')
    .select('purpose')
    .where(inScope(scope))
    .where('id', '=', fileId)
    .executeTakeFirst();
  return row?.purpose;
}

interface Tagged {
  tags?: Array<{ id: string; name: string }>;
}
type NewOffer = Omit<Insertable<OffersTable>, 'workspaceId' | 'testMode' | 'tags'> & Tagged;
type OfferChanges = Omit<Updateable<OffersTable>, 'tags'> & Tagged & { id: string };

export async function insertOffer(tx: Tx, scope: Scope, { tags, ...offer }: NewOffer): Promise<void> {
  await tx
    .insertInto('offers')
    .values({ ...scopeColumns(scope), ...offer, tags: toJson(tags ?? []) })
    .execute();
}

export async function updateOffer(
  tx: Tx,
  scope: Scope,
  { id, tags, ...changes }: OfferChanges,
): Promise<void> {
  await tx
    .updateTable('offers')
    .set((eb) => ({ ...changes, tags: tags && toJson(tags), version: eb('version', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

/** Archives the unarchived offers of a product, which come back with it, or of one of its variants only. */
export async function archiveOffersOf(
  tx: Tx,
  scope: Scope,
  { productId, variantId, nowMs }: { productId: string; variantId?: string; nowMs: number },
): Promise<void> {
  const offers = tx
    .updateTable('offers')
    .set((eb) => ({
      archivedAt: nowMs,
      archivedWithProduct: variantId === undefined,
      updatedAt: nowMs,
      version: eb('version', '+', 1),
    }))
    .where(inScope(scope))
    .where('productId', '=', productId)
    .where('archivedAt', 'is', null);
  await (variantId ? offers.where('variantId', '=', variantId) : offers).execute();
}

/** Takes back the offers that were archived with their product. */
export async function unarchiveOffersOf(
  tx: Tx,
  scope: Scope,
  { productId, nowMs }: { productId: string; nowMs: number },
): Promise<void> {
  await tx
    .updateTable('offers')
    .set((eb) => ({
      archivedAt: null,
      archivedWithProduct: false,
      updatedAt: nowMs,
      version: eb('version', '+', 1),
    }))
    .where(inScope(scope))
    .where('productId', '=', productId)
    .where('archivedAt', 'is not', null)
    .where('archivedWithProduct', '=', true)
    .execute();
}

/** All SQL of products. */

import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import {
  type Archived,
  containing,
  isId,
  NEWEST_FIRST,
  onlyArchived,
  onPage,
  type Page,
} from '../../db/list.ts';
import type { ProductsTable } from '../../db/schema/products.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { STOCK_MAX } from '../../domain/stock.ts';
import { isLowOnStock } from '../offers/low-stock.sql.ts';

export interface ProductFilter {
  term?: string;
  ids?: string[];
  statuses?: string[];
  types?: string[];
  projectId?: string;
  /** Whether an offer of it has as few keys left as the merchant wants to hear of. */
  lowStock?: boolean;
  /** Of a store that has chosen none. */
  lowStockDefault: number;
  archived: Archived;
  direction: 'asc' | 'desc';
}

export async function findProduct(db: Db, scope: Scope, id: string): Promise<Row<'products'> | undefined> {
  return db.selectFrom('products').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

export async function lockProduct(tx: Tx, scope: Scope, id: string): Promise<Row<'products'> | undefined> {
  return tx
    .selectFrom('products')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function listProducts(db: Db, scope: Scope, filter: ProductFilter, page: Page) {
  const sort = { ...NEWEST_FIRST, direction: filter.direction };
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page, sort)
      .select(toBeside(scope).as('beside'))
      .execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export type ListedProductRow = Awaited<ReturnType<typeof listProducts>>['rows'][number];

/** What a list shows of a product's offers; of its keys no more are counted than tell that there are many. */
const toBeside = (scope: Scope) => sql<{
  offerCount: number;
  fromPrice: number | null;
  stock: number | null;
}>`(
  select jsonb_build_object(
    'offerCount', count(*),
    'fromPrice', min(o.price) filter (where o.status = 'ACTIVE'),
    'stock', case when bool_or(o.has_keys) then least(sum(stock.available), ${STOCK_MAX}::bigint) end)
  from offers o
  cross join lateral (
    select count(*) as available from (
      select from offer_keys k
      where o.has_keys and ${inScope(scope, 'k')} and k.offer_id = o.id
        and k.status = 'available'
      limit ${STOCK_MAX}::bigint) few) stock
  where ${inScope(scope, 'o')} and o.product_id = products.id
    and o.archived_at is null)`;

function filtered(db: Db, scope: Scope, filter: ProductFilter) {
  const { term, ids, types, projectId } = filter;
  let query = onlyArchived(db.selectFrom('products').where(inScope(scope)), filter.archived);
  if (ids) query = query.where('id', 'in', ids);
  if (types) query = query.where('type', 'in', types);
  if (projectId) query = query.where('projectId', '=', projectId);
  if (term) {
    query = query.where((eb) =>
      eb.or([
        ...(['name', 'slug', 'internalId'] as const).map((column) => eb(column, 'ilike', containing(term))),
        ...(isId(term) ? [eb('id', '=', term)] : []),
      ]),
    );
  }
  if (filter.lowStock !== undefined) {
    const isLow = sql<SqlBool>`exists (select from offers where ${inScope(scope, 'offers')}
      and offers.product_id = products.id and offers.archived_at is null
      and ${isLowOnStock(scope, filter.lowStockDefault)})`;
    query = query.where(filter.lowStock ? isLow : sql<SqlBool>`not ${isLow}`);
  }
  const statuses = filter.statuses?.filter(isStatus);
  return statuses?.length ? query.where('status', 'in', statuses) : query;
}

function isStatus(word: string): word is 'DRAFT' | 'ACTIVE' | 'HIDDEN' {
  return word === 'DRAFT' || word === 'ACTIVE' || word === 'HIDDEN';
}

/** The lists of a product that are one column each. */
interface Lists {
  gallery?: Array<{ value: string; blurHash?: string | null }>;
  features?: Array<{ value: string }>;
}
type NewProduct = Omit<Insertable<ProductsTable>, 'workspaceId' | 'testMode' | keyof Lists> & Lists;
type ProductChanges = Omit<Updateable<ProductsTable>, keyof Lists> & Lists & { id: string };

/** Undefined when another product of the store, archived ones included, has the slug. */
export async function insertProduct(
  tx: Tx,
  scope: Scope,
  { gallery, features, ...product }: NewProduct,
): Promise<Row<'products'> | undefined> {
  return tx
    .insertInto('products')
    .values({ ...product, ...toListColumns({ gallery, features }), ...scopeColumns(scope) })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'testMode', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** A race for one name is run again this often before the id makes the slug unique. */
const SLUG_ATTEMPTS_MAX = 10;

/** Inserts under `slug`, or under the first free `<slug>-<number>` behind those that are taken. */
export async function insertProductUnderFreeSlug(
  tx: Tx,
  scope: Scope,
  product: NewProduct,
): Promise<Row<'products'>> {
  for (let attempt = 0; attempt < SLUG_ATTEMPTS_MAX; attempt += 1) {
    const number = await findSlugNumber(tx, scope, product.slug);
    const slug = number === null ? product.slug : `${product.slug}-${number}`;
    const row = await insertProduct(tx, scope, { ...product, slug });
    if (row) return row;
  }
  const row = await insertProduct(tx, scope, { ...product, slug: `${product.slug}-${product.id}` });
  assert(row, 'no product has the id of a new one in its slug');
  return row;
}

/** The number to put behind a taken slug: one more than the largest in use; null when the slug is free. */
async function findSlugNumber(tx: Tx, scope: Scope, slug: string): Promise<number | null> {
  // Eight digits at most: what a merchant wrote behind a hyphen need not fit an integer.
  const tail = sql<string>`substring(slug from ${[...slug].length + 2}::integer)`;
  const row = await tx
    .selectFrom('products')
    .select([
      sql<boolean>`coalesce(bool_or(slug = ${slug}), false)`.as('isTaken'),
      sql<number>`coalesce(max(case when ${tail} ~ '^[1-9][0-9]{0,7}$' then ${tail}::integer end), 1)`.as(
        'largest',
      ),
    ])
    .where(inScope(scope))
    .where(sql<SqlBool>`(slug = ${slug} or starts_with(slug, ${`${slug}-`}))`)
    .executeTakeFirstOrThrow();
  return row.isTaken ? row.largest + 1 : null;
}

export async function updateProduct(
  tx: Tx,
  scope: Scope,
  { id, gallery, features, ...changes }: ProductChanges,
): Promise<Row<'products'>> {
  return tx
    .updateTable('products')
    .set((eb) => ({
      ...changes,
      ...toListColumns({ gallery, features }),
      version: eb('version', '+', 1),
    }))
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function toListColumns({ gallery, features }: Lists): { gallery?: string; features?: string } {
  const pictures = gallery?.map(({ value, blurHash }) => ({ value, blurHash: blurHash ?? null }));
  return { gallery: pictures && toJson(pictures), features: features && toJson(features) };
}

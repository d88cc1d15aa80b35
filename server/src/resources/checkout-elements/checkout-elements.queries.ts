/** All SQL of checkout elements and their carts. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

/** An element's offers in the order of its cart. */
const toCart = (scope: Scope) => sql<Array<{ id: string; internalId: string | null }>>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'internalId', o.internal_id) order by c.position), '[]')
  from checkout_element_offers c
  join offers o on ${inScope(scope, 'o')} and o.id = c.offer_id
  where ${inScope(scope, 'c')}
    and c.element_id = checkout_elements.id)`;

function selectElements(db: Db, scope: Scope) {
  return db
    .selectFrom('checkoutElements')
    .selectAll()
    .select(toCart(scope).as('offers'))
    .where(inScope(scope));
}

export async function findCheckoutElement(db: Db, scope: Scope, id: string) {
  return selectElements(db, scope).where('id', '=', id).executeTakeFirst();
}

export type CheckoutElementRow = NonNullable<Awaited<ReturnType<typeof findCheckoutElement>>>;

export async function lockCheckoutElement(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<CheckoutElementRow | undefined> {
  return selectElements(tx, scope).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function listCheckoutElements(
  db: Db,
  scope: Scope,
  { archived, term, page }: { archived: Archived; term: string | undefined; page: Page },
) {
  const named = sql<SqlBool>`name ilike ${containing(term ?? '')}`;
  const all = db.selectFrom('checkoutElements').where(inScope(scope));
  const elements = selectElements(db, scope);
  const [rows, { count }] = await Promise.all([
    onPage(onlyArchived(term ? elements.where(named) : elements, archived), page).execute(),
    onlyArchived(term ? all.where(named) : all, archived)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export interface NewCheckoutElement {
  id: string;
  name: string | null;
  subscriptionOffer: boolean;
  allowedOrigins: string[];
  createdAt: number;
}

export async function insertCheckoutElement(
  tx: Tx,
  scope: Scope,
  element: NewCheckoutElement,
): Promise<void> {
  await tx
    .insertInto('checkoutElements')
    .values({ ...scopeColumns(scope), ...element, archivedAt: null })
    .execute();
}

export async function updateCheckoutElement(
  tx: Tx,
  scope: Scope,
  {
    id,
    ...changes
  }: {
    id: string;
    name?: string | null;
    subscriptionOffer?: boolean;
    allowedOrigins?: string[];
    archivedAt?: number | null;
  },
): Promise<void> {
  await tx
    .updateTable('checkoutElements')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

/** Replaces an element's cart. */
export async function updateCart(
  tx: Tx,
  scope: Scope,
  { elementId, offerIds }: { elementId: string; offerIds: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom('checkoutElementOffers')
    .where(inScope(scope))
    .where('elementId', '=', elementId)
    .execute();
  await tx
    .insertInto('checkoutElementOffers')
    .values(offerIds.map((offerId, position) => ({ ...scopeColumns(scope), elementId, position, offerId })))
    .execute();
}

const paidOrderCount = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db
    .updateTable('checkoutElements')
    .set((eb) => ({ paidOrders: eb('paidOrders', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', id),
);

/** Counts one more order of it that was paid; the row stays locked until the transaction ends. */
export async function countPaidOrder(tx: Tx, scope: Scope, id: string): Promise<void> {
  await paidOrderCount(tx, { ...scopeColumns(scope), id });
}

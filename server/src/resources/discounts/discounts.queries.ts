/** All SQL of discounts. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { DiscountsTable } from '../../db/schema/discounts.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { toCodeNormal } from '../../domain/pricing/discount-code.ts';

export interface DiscountFilter {
  type?: 'code' | 'sale';
  statuses?: string[];
  term?: string;
  /** Whether `term` is looked for in codes too: who may not read them must not find them letter by letter. */
  withCodes: boolean;
  ids?: string[];
  archived: Archived;
}

export async function findDiscount(db: Db, scope: Scope, id: string): Promise<Row<'discounts'> | undefined> {
  return db.selectFrom('discounts').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

export async function lockDiscount(tx: Tx, scope: Scope, id: string): Promise<Row<'discounts'> | undefined> {
  return tx
    .selectFrom('discounts')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The unarchived discount with this code, compared without case. */
export async function findDiscountByCode(
  db: Db,
  scope: Scope,
  code: string,
): Promise<Row<'discounts'> | undefined> {
  return db
    .selectFrom('discounts')
    .selectAll()
    .where(inScope(scope))
    .where('codeNormal', '=', toCodeNormal(code))
    .where('archivedAt', 'is', null)
    .executeTakeFirst();
}

/** Sales that may apply by themselves; the domain decides which of them runs now. */
const activeSales = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('discounts')
    .selectAll()
    .where(inScope(scope))
    .where('type', '=', 'sale')
    .where('archivedAt', 'is', null)
    .where('status', '=', 'active'),
);

export async function listSales(db: Db, scope: Scope): Promise<Array<Row<'discounts'>>> {
  return activeSales(db, scope);
}

export async function listDiscounts(db: Db, scope: Scope, filter: DiscountFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

function filtered(db: Db, scope: Scope, filter: DiscountFilter) {
  let query = onlyArchived(db.selectFrom('discounts').where(inScope(scope)), filter.archived);
  const { type, ids, term, withCodes } = filter;
  if (type) query = query.where('type', '=', type);
  if (ids) query = query.where('id', 'in', ids);
  if (term) {
    query = query.where((eb) =>
      eb.or([
        eb('name', 'ilike', containing(term)),
        ...(withCodes ? [eb('discountCode', 'ilike', containing(term))] : []),
      ]),
    );
  }
  const statuses = filter.statuses?.filter((status) => status === 'active' || status === 'inactive');
  return statuses?.length ? query.where('status', 'in', statuses) : query;
}

type NewDiscount = Omit<Insertable<DiscountsTable>, 'workspaceId' | 'testMode'>;

export async function insertDiscount(tx: Tx, scope: Scope, discount: NewDiscount): Promise<Row<'discounts'>> {
  return tx
    .insertInto('discounts')
    .values({ ...scopeColumns(scope), ...discount })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateDiscount(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<DiscountsTable> & { id: string },
): Promise<Row<'discounts'>> {
  return tx
    .updateTable('discounts')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

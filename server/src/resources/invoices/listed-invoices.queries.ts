/** Invoices and credit notes as a list shows them. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface InvoiceFilter {
  kinds?: Array<'invoice' | 'credit_note'> | undefined;
  currencies?: string[] | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  userId?: string | undefined;
  orderId?: string | undefined;
  paymentId?: string | undefined;
  /** The whole number. */
  number?: string | undefined;
}

const SORT: Sort = { by: 'invoices.finalisedAt', id: 'invoices.id', direction: 'desc' };

function selectInvoices(db: Db, scope: Scope) {
  return db
    .selectFrom('invoices')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'invoices.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'invoices.testMode')
        .onRef('orders.id', '=', 'invoices.orderId'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'orders.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'orders.testMode')
        .onRef('users.id', '=', 'orders.userId'),
    )
    .select([
      'invoices.id',
      'invoices.kind',
      'invoices.number',
      'invoices.orderId',
      'invoices.paymentId',
      'invoices.refundId',
      'invoices.refersTo',
      'invoices.currency',
      'invoices.total',
      'invoices.tax',
      'invoices.token',
      'invoices.finalisedAt',
      'orders.number as orderNumber',
      'orders.country',
      'orders.userId',
      'users.email as userEmail',
    ])
    .where(inScope(scope, 'invoices'));
}

export async function listInvoices(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: InvoiceFilter; page: Page },
): Promise<ListedInvoiceRow[]> {
  const ids = onPage(filtered(db, scope, filter), page, SORT).select('invoices.id');
  return inPageOrder(selectInvoices(db, scope).where(isOnPage('invoices.id', ids)), page, SORT).execute();
}

export async function countInvoices(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: InvoiceFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

/** By its id or its number. */
export async function findListedInvoice(db: Db, scope: Scope, by: { id: string } | { number: string }) {
  const query = selectInvoices(db, scope);
  return (
    'id' in by ? query.where('invoices.id', '=', by.id) : query.where('invoices.number', '=', by.number)
  )
    .limit(1)
    .executeTakeFirst();
}

export type ListedInvoiceRow = NonNullable<Awaited<ReturnType<typeof findListedInvoice>>>;

function filtered(db: Db, scope: Scope, filter: InvoiceFilter) {
  const { kinds, currencies, createdFrom, createdTo, userId, orderId, paymentId, number } = filter;
  let query = db.selectFrom('invoices').where(inScope(scope, 'invoices'));
  if (kinds) query = query.where('invoices.kind', 'in', kinds);
  if (currencies) query = query.where('invoices.currency', 'in', currencies);
  if (createdFrom !== undefined) query = query.where('invoices.finalisedAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('invoices.finalisedAt', '<=', createdTo);
  if (orderId) query = query.where('invoices.orderId', '=', orderId);
  // Its documents are found by its order: those of both kinds have an index each that knows them apart.
  if (paymentId) {
    query = query.where('invoices.paymentId', '=', paymentId).where(sql<SqlBool>`invoices.order_id = (
      select p.order_id from payments p where ${inScope(scope, 'p')} and p.id = ${paymentId})`);
  }
  if (number) query = query.where('invoices.number', '=', number);
  if (userId) {
    query = query.where(sql<SqlBool>`invoices.order_id in (
      select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId})`);
  }
  return query;
}

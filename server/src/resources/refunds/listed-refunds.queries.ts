/** Refunds as a list shows them: with their order and who bought it. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { ordersOfTerm } from '../sales/orders-of-term.sql.ts';

export interface RefundFilter {
  statuses?: Array<Row<'refunds'>['status']> | undefined;
  reasons?: Array<Row<'refunds'>['reason']> | undefined;
  currencies?: string[] | undefined;
  orderId?: string | undefined;
  paymentId?: string | undefined;
  userId?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** Number of the order, part of the buyer's e-mail, or the processor's id. */
  term?: string | undefined;
}

const SORT: Sort = { by: 'refunds.createdAt', id: 'refunds.id', direction: 'desc' };

export async function listRefunds(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: RefundFilter; page: Page },
) {
  const ids = onPage(filtered(db, scope, filter), page, SORT).select('refunds.id');
  const shown = db
    .selectFrom('refunds')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'refunds.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'refunds.testMode')
        .onRef('orders.id', '=', 'refunds.orderId'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'orders.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'orders.testMode')
        .onRef('users.id', '=', 'orders.userId'),
    )
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.workspaceId', '=', 'refunds.workspaceId')
        .on('invoices.workspaceId', '=', scope.workspaceId)
        .onRef('invoices.testMode', '=', 'refunds.testMode')
        .onRef('invoices.refundId', '=', 'refunds.id'),
    )
    .selectAll('refunds')
    .select([
      'orders.number as orderNumber',
      'orders.userId',
      'users.email as userEmail',
      'invoices.token as creditNoteToken',
    ])
    .where(inScope(scope, 'refunds'))
    .where(isOnPage('refunds.id', ids));
  return inPageOrder(shown, page, SORT).execute();
}

export type ListedRefundRow = Awaited<ReturnType<typeof listRefunds>>[number];

export async function countRefunds(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: RefundFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, filter: RefundFilter) {
  const { statuses, reasons, currencies, orderId, paymentId, userId, createdFrom, createdTo, term } = filter;
  let query = db.selectFrom('refunds').where(inScope(scope, 'refunds'));
  if (statuses) query = query.where('refunds.status', 'in', statuses);
  if (reasons) query = query.where('refunds.reason', 'in', reasons);
  if (currencies) query = query.where('refunds.currency', 'in', currencies);
  if (orderId) query = query.where('refunds.orderId', '=', orderId);
  if (paymentId) query = query.where('refunds.paymentId', '=', paymentId);
  if (createdFrom !== undefined) query = query.where('refunds.createdAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('refunds.createdAt', '<=', createdTo);
  if (userId) {
    query = query.where(sql<SqlBool>`refunds.order_id in (
      select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId})`);
  }
  if (term) {
    query = query.where(
      sql<SqlBool>`(refunds.order_id = any(${ordersOfTerm(scope, term)}) or refunds.processor_id = ${term})`,
    );
  }
  return query;
}

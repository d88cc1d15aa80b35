/** Disputes as a list shows them: with their order and who bought it. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { ordersOfTerm } from '../sales/orders-of-term.sql.ts';

export interface DisputeFilter {
  stages?: Array<Row<'disputes'>['status']> | undefined;
  orderId?: string | undefined;
  paymentId?: string | undefined;
  userId?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** Number of the order, part of the buyer's e-mail, or the processor's id. */
  term?: string | undefined;
}

const SORT: Sort = { by: 'disputes.openedAt', id: 'disputes.id', direction: 'desc' };

export async function listDisputes(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: DisputeFilter; page: Page },
) {
  const ids = onPage(filtered(db, scope, filter), page, SORT).select('disputes.id');
  const shown = withSale(db, scope).where(isOnPage('disputes.id', ids));
  return inPageOrder(shown, page, SORT).execute();
}

export type ListedDisputeRow = Awaited<ReturnType<typeof listDisputes>>[number];

export async function findListedDispute(
  db: Db,
  scope: Scope,
  id: string,
): Promise<ListedDisputeRow | undefined> {
  return withSale(db, scope).where('disputes.id', '=', id).executeTakeFirst();
}

function withSale(db: Db, scope: Scope) {
  return db
    .selectFrom('disputes')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'disputes.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'disputes.testMode')
        .onRef('payments.id', '=', 'disputes.paymentId'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'payments.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'payments.testMode')
        .onRef('users.id', '=', 'payments.userId'),
    )
    .selectAll('disputes')
    .select([
      'payments.number as paymentNumber',
      'payments.orderNumber',
      'payments.userId',
      'users.email as userEmail',
    ])
    .where(inScope(scope, 'disputes'));
}

export async function countDisputes(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: DisputeFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, filter: DisputeFilter) {
  const { stages, orderId, paymentId, userId, createdFrom, createdTo, term } = filter;
  let query = db.selectFrom('disputes').where(inScope(scope, 'disputes'));
  if (stages) query = query.where('disputes.status', 'in', stages);
  if (orderId) query = query.where('disputes.orderId', '=', orderId);
  if (paymentId) query = query.where('disputes.paymentId', '=', paymentId);
  if (createdFrom !== undefined) query = query.where('disputes.openedAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('disputes.openedAt', '<=', createdTo);
  if (userId) {
    query = query.where(sql<SqlBool>`disputes.order_id in (
      select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId})`);
  }
  if (term) {
    query = query.where(
      sql<SqlBool>`(disputes.order_id = any(${ordersOfTerm(scope, term)}) or disputes.processor_id = ${term})`,
    );
  }
  return query;
}

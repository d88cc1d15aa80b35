/** All SQL of withdrawals. What was stated is written once; how it stands lies beside it. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { countRows, onPage, type Page, type Sort } from '../../db/list.ts';
import type { WithdrawalsTable } from '../../db/schema/consumer.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import {
  toReceivedMs,
  type WithdrawalReason,
  type WithdrawalStatus,
} from '../../domain/consumer/withdrawal.ts';
import { listSpellings } from '../../domain/email.ts';

export type WithdrawalRow = Row<'withdrawals'>;
export type NewWithdrawal = Omit<Insertable<WithdrawalsTable>, 'workspaceId' | 'testMode'>;

export async function insertWithdrawal(tx: Tx, scope: Scope, row: NewWithdrawal): Promise<WithdrawalRow> {
  return tx
    .insertInto('withdrawals')
    .values({ ...scopeColumns(scope), ...row })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findWithdrawal(db: Db, scope: Scope, id: string): Promise<WithdrawalRow | undefined> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockWithdrawal(tx: Tx, scope: Scope, id: string): Promise<WithdrawalRow | undefined> {
  return tx
    .selectFrom('withdrawals')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type Changes = Pick<
  Updateable<WithdrawalsTable>,
  | 'acknowledgedAt'
  | 'orderId'
  | 'userId'
  | 'status'
  | 'reason'
  | 'refundIds'
  | 'note'
  | 'effectAt'
  | 'warnedDays'
  | 'decidedAt'
> & { id: string };

export async function updateWithdrawal(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Changes,
): Promise<WithdrawalRow> {
  return tx
    .updateTable('withdrawals')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Of two who ask for the same confirmation each finds it by its secret. */
export async function findWithdrawalByToken(
  db: Db,
  scope: Scope,
  token: string,
): Promise<WithdrawalRow | undefined> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where(inScope(scope))
    .where('token', '=', token)
    .executeTakeFirst();
}

/** A withdrawal is over when all that it gives back has gone. */
export async function closeRefundedWithdrawals(tx: Tx, scope: Scope, refundId: string): Promise<void> {
  await sql`
    update withdrawals w set status = 'refunded', effect_at = null
    where ${inScope(scope, 'w')} and w.status = 'received' and ${refundId}::uuid = any(w.refund_ids)
      and w.order_id = (select r.order_id from refunds r where ${inScope(scope, 'r')} and r.id = ${refundId}::uuid)
      and not exists (select from refunds r where ${inScope(scope, 'r')} and r.id = any(w.refund_ids)
        and r.id <> ${refundId}::uuid and r.status <> 'succeeded')`.execute(tx);
}

/** What waited for the end of an order's dispute; answers who is to be looked at now. */
export async function listWaitingWithdrawals(db: Db, scope: Scope, orderId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('status', '=', 'received')
    .where('effectAt', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

export interface WithdrawalFilter {
  statuses?: WithdrawalStatus[] | undefined;
  reasons?: WithdrawalReason[] | undefined;
  orderId?: string | undefined;
  userId?: string | undefined;
  /** Whose deadline is then or later, and then or earlier. */
  dueFrom?: number | undefined;
  dueTo?: number | undefined;
  term?: string | undefined;
}

const SORT: Sort = { by: 'receivedAt', id: 'id', direction: 'desc' };

export async function listWithdrawals(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: WithdrawalFilter; page: Page },
): Promise<WithdrawalRow[]> {
  return onPage(filtered(db, scope, filter), page, SORT)
    .selectAll()
    .execute();
}

export async function countWithdrawals(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: WithdrawalFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, filter: WithdrawalFilter) {
  const { statuses, reasons, orderId, userId, dueFrom, dueTo, term } = filter;
  let query = db.selectFrom('withdrawals').where(inScope(scope, 'withdrawals'));
  if (statuses) query = query.where('status', 'in', statuses);
  if (reasons) query = query.where('reason', 'in', reasons);
  if (orderId) query = query.where('orderId', '=', orderId);
  if (userId) query = query.where('userId', '=', userId);
  if (dueFrom !== undefined) query = query.where('receivedAt', '>=', toReceivedMs(dueFrom));
  if (dueTo !== undefined) query = query.where('receivedAt', '<=', toReceivedMs(dueTo));
  if (term) {
    query = query.where((eb) =>
      eb.or([
        eb('number', '=', term.toUpperCase()),
        eb('orderNumber', '=', term),
        eb(sql`lower(email)`, 'in', listSpellings(term)),
      ]),
    );
  }
  return query;
}

/** All SQL of cancellation notices. What was stated is written once; how it stands lies beside it. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { countRows, onPage, type Page, type Sort } from '../../db/list.ts';
import type { CancellationNoticesTable } from '../../db/schema/consumer.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { toReceivedMs } from '../../domain/consumer/withdrawal.ts';
import { listSpellings } from '../../domain/email.ts';

export type NoticeStatus = Row<'cancellationNotices'>['status'];
export type NewNotice = Omit<Insertable<CancellationNoticesTable>, 'workspaceId' | 'testMode'>;
/** A notice with the number that buyers know its subscription by. */
export type NoticeRow = Row<'cancellationNotices'> & { subscriptionNumber: string | null };

export async function insertNotice(tx: Tx, scope: Scope, row: NewNotice): Promise<void> {
  await tx
    .insertInto('cancellationNotices')
    .values({ ...scopeColumns(scope), ...row })
    .execute();
}

function selectNotices(db: Db, scope: Scope) {
  return db
    .selectFrom('cancellationNotices')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'cancellationNotices.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'cancellationNotices.testMode')
        .onRef('subscriptions.id', '=', 'cancellationNotices.subscriptionId'),
    )
    .selectAll('cancellationNotices')
    .select('subscriptions.number as subscriptionNumber')
    .where(inScope(scope, 'cancellationNotices'));
}

export async function findNotice(db: Db, scope: Scope, id: string): Promise<NoticeRow | undefined> {
  return selectNotices(db, scope).where('cancellationNotices.id', '=', id).executeTakeFirst();
}

export async function findNoticeByToken(db: Db, scope: Scope, token: string): Promise<NoticeRow | undefined> {
  return selectNotices(db, scope).where('cancellationNotices.token', '=', token).executeTakeFirst();
}

export async function lockNotice(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'cancellationNotices'> | undefined> {
  return tx
    .selectFrom('cancellationNotices')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type Changes = Pick<
  Updateable<CancellationNoticesTable>,
  'acknowledgedAt' | 'subscriptionId' | 'userId' | 'status' | 'note' | 'effectAt' | 'warnedDays' | 'decidedAt'
> & { id: string };

export async function updateNotice(tx: Tx, scope: Scope, { id, ...changes }: Changes): Promise<void> {
  await tx
    .updateTable('cancellationNotices')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

export interface NoticeFilter {
  statuses?: NoticeStatus[] | undefined;
  types?: Array<Row<'cancellationNotices'>['type']> | undefined;
  userId?: string | undefined;
  /** Whose deadline is then or later, and then or earlier. */
  dueFrom?: number | undefined;
  dueTo?: number | undefined;
  term?: string | undefined;
}

const SORT: Sort = {
  by: 'cancellationNotices.receivedAt',
  id: 'cancellationNotices.id',
  direction: 'desc',
};

export async function listNotices(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: NoticeFilter; page: Page },
): Promise<NoticeRow[]> {
  return onPage(filtered(selectNotices(db, scope), filter), page, SORT).execute();
}

export async function countNotices(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: NoticeFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(selectNotices(db, scope), filter), db, limit);
}

function filtered(
  query: ReturnType<typeof selectNotices>,
  { statuses, types, userId, dueFrom, dueTo, term }: NoticeFilter,
): ReturnType<typeof selectNotices> {
  let chosen = query;
  if (statuses) chosen = chosen.where('cancellationNotices.status', 'in', statuses);
  if (types) chosen = chosen.where('cancellationNotices.type', 'in', types);
  if (userId) chosen = chosen.where('cancellationNotices.userId', '=', userId);
  if (dueFrom !== undefined)
    chosen = chosen.where('cancellationNotices.receivedAt', '>=', toReceivedMs(dueFrom));
  if (dueTo !== undefined) chosen = chosen.where('cancellationNotices.receivedAt', '<=', toReceivedMs(dueTo));
  if (term) {
    chosen = chosen.where((eb) =>
      eb.or([
        eb('cancellationNotices.number', '=', term.toUpperCase()),
        eb('cancellationNotices.contractNumber', '=', term),
        eb(sql`lower(cancellation_notices.email)`, 'in', listSpellings(term)),
      ]),
    );
  }
  return chosen;
}

/** Where a buyer's contract is found: by the number that stands on everything they got of it. */
export async function findContract(
  db: Db,
  scope: Scope,
  number: string,
): Promise<{ id: string; userId: string; email: string | null; orderId: string } | undefined> {
  return db
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'subscriptions.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'subscriptions.testMode')
        .onRef('users.id', '=', 'subscriptions.userId'),
    )
    .select(['subscriptions.id', 'subscriptions.userId', 'users.email', 'subscriptions.orderId'])
    .where(inScope(scope, 'subscriptions'))
    .where('subscriptions.number', '=', number)
    .executeTakeFirst();
}

/** Entries of the ledger as a list shows them: a page holds whole entries, each with its lines. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { countRows, onPage, type Page, type Sort } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { Account } from '../../domain/ledger/entries.ts';
import { ordersOfTerm, toNumber } from '../sales/orders-of-term.sql.ts';

export interface EntryFilter {
  accounts?: Account[] | undefined;
  kinds?: Array<Row<'ledgerEntries'>['kind']> | undefined;
  currencies?: string[] | undefined;
  paymentId?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** Number of the payment or its order, or part of the buyer's e-mail. */
  term?: string | undefined;
}

const SORT: Sort = { by: 'createdAt', id: 'entryId', direction: 'desc' };

/** One row an entry. */
export async function listEntries(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: EntryFilter; page: Page },
): Promise<Array<{ entryId: string; createdAt: number }>> {
  return onPage(entries(db, scope, filter), page, SORT).execute();
}

export async function countEntries(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: EntryFilter; limit: number | null },
): Promise<number> {
  return countRows(entries(db, scope, filter), db, limit);
}

/** The lines of the entries, of which those that the filter lets through. They are found by their moments first, as listed. */
export async function listEntryLines(
  db: Db,
  scope: Scope,
  {
    filter,
    entries: listed,
  }: { filter: EntryFilter; entries: Array<{ entryId: string; createdAt: number }> },
) {
  const moments = [...new Set(listed.map(({ createdAt }) => createdAt))];
  const entryIds = listed.map(({ entryId }) => entryId);
  return filtered(db, scope, filter)
    .leftJoin('refunds as r', (join) =>
      join
        .onRef('r.workspaceId', '=', 'ledgerEntries.workspaceId')
        .on('r.workspaceId', '=', scope.workspaceId)
        .onRef('r.testMode', '=', 'ledgerEntries.testMode')
        .onRef('r.id', '=', 'ledgerEntries.sourceId'),
    )
    .leftJoin('payments as p', (join) =>
      join
        .onRef('p.workspaceId', '=', 'ledgerEntries.workspaceId')
        .on('p.workspaceId', '=', scope.workspaceId)
        .onRef('p.testMode', '=', 'ledgerEntries.testMode')
        .onRef('p.id', '=', 'ledgerEntries.paymentId'),
    )
    .selectAll('ledgerEntries')
    .select(['r.id as refundId', 'p.number as paymentNumber'])
    .where(sql<SqlBool>`ledger_entries.created_at = any(${moments}::bigint[])`)
    .where(sql<SqlBool>`ledger_entries.entry_id = any(${entryIds}::uuid[])`)
    .orderBy('ledgerEntries.account')
    .execute();
}

export type EntryLineRow = Awaited<ReturnType<typeof listEntryLines>>[number];

function entries(db: Db, scope: Scope, filter: EntryFilter) {
  return filtered(db, scope, filter)
    .select(['ledgerEntries.entryId', 'ledgerEntries.createdAt'])
    .groupBy(['ledgerEntries.createdAt', 'ledgerEntries.entryId']);
}

function filtered(db: Db, scope: Scope, filter: EntryFilter) {
  const { accounts, kinds, currencies, paymentId, createdFrom, createdTo, term } = filter;
  let query = db.selectFrom('ledgerEntries').where(inScope(scope, 'ledgerEntries'));
  if (accounts) query = query.where('ledgerEntries.account', 'in', accounts);
  if (kinds) query = query.where('ledgerEntries.kind', 'in', kinds);
  if (currencies) query = query.where('ledgerEntries.currency', 'in', currencies);
  if (paymentId) query = query.where('ledgerEntries.paymentId', '=', paymentId);
  if (createdFrom !== undefined) query = query.where('ledgerEntries.createdAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('ledgerEntries.createdAt', '<=', createdTo);
  if (term) {
    query = query.where(sql<SqlBool>`ledger_entries.payment_id = any(array(
      select p.id from payments p where ${inScope(scope, 'p')} and (
        p.number = ${toNumber(term)} or p.order_id = any(${ordersOfTerm(scope, term)}))))`);
  }
  return query;
}

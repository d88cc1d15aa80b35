/** All SQL of the reports on processors' books. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import type { ProcessorReportsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewReport = Omit<Insertable<ProcessorReportsTable>, 'workspaceId' | 'testMode'>;

export async function insertReport(tx: Tx, scope: Scope, report: NewReport): Promise<void> {
  await tx
    .insertInto('processorReports')
    .values({ ...scopeColumns(scope), ...report })
    .execute();
}

export async function findReport(
  db: Db,
  scope: Scope,
  id: string,
): Promise<Row<'processorReports'> | undefined> {
  return db
    .selectFrom('processorReports')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function acknowledgeReport(
  tx: Tx,
  scope: Scope,
  { id, note, at }: { id: string; note: string; at: number },
): Promise<void> {
  await tx
    .updateTable('processorReports')
    .set({ acknowledgedAt: at, acknowledgedNote: note })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('acknowledgedAt', 'is', null)
    .execute();
}

/** The newest of those acknowledged that looked at any of the time since `fromAt`. */
export async function listAcknowledgedReports(
  db: Db,
  scope: Scope,
  { connectionId, fromAt, limit }: { connectionId: string; fromAt: number; limit: number },
): Promise<Array<Row<'processorReports'>>> {
  return db
    .selectFrom('processorReports')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('acknowledgedAt', 'is not', null)
    .where('toAt', '>', fromAt)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The newest of each of these connections. */
export async function listLastReports(
  db: Db,
  scope: Scope,
  connectionIds: readonly string[],
): Promise<Map<string, Row<'processorReports'>>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('processorReports')
    .selectAll()
    .distinctOn('connectionId')
    .where(inScope(scope))
    .where('connectionId', 'in', [...connectionIds])
    .orderBy('connectionId')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.connectionId, row]));
}

const NEWEST: Sort = { by: 'createdAt', id: 'id', direction: 'desc' };

export async function listReports(
  db: Db,
  scope: Scope,
  { connectionId, page }: { connectionId: string; page: Page },
): Promise<Array<Row<'processorReports'>>> {
  const ids = onPage(ofConnection(db, scope, connectionId), page, NEWEST).select('id');
  const shown = db
    .selectFrom('processorReports')
    .selectAll()
    .where(inScope(scope))
    .where(isOnPage('id', ids));
  return inPageOrder(shown, page, NEWEST).execute();
}

export async function countReports(
  db: Db,
  scope: Scope,
  { connectionId, limit }: { connectionId: string; limit: number | null },
): Promise<number> {
  return countRows(ofConnection(db, scope, connectionId), db, limit);
}

function ofConnection(db: Db, scope: Scope, connectionId: string) {
  return db.selectFrom('processorReports').where(inScope(scope)).where('connectionId', '=', connectionId);
}

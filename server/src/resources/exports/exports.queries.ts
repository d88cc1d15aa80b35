/** All SQL of exports: files of lists, and how far they are. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { ListingOver, OverRows } from '../../db/over-rows.ts';
import type { ExportsTable } from '../../db/schema/views.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import type { ClaimedWork } from '../due-work/due-work.sql.ts';

export type ExportRow = Row<'exports'>;
type NewExport = Omit<Insertable<ExportsTable>, 'workspaceId' | 'testMode'>;

const IS_KEPT = sql<SqlBool>`expires_real_ms > real_now_ms()`;

export async function insertExport(tx: Tx, scope: Scope, row: NewExport): Promise<ExportRow> {
  return tx
    .insertInto('exports')
    .values({ ...scopeColumns(scope), ...row })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** None that is over: its file is gone, or goes soon. */
export async function findExport(db: Db, scope: Scope, id: string): Promise<ExportRow | undefined> {
  return db
    .selectFrom('exports')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .where(IS_KEPT)
    .executeTakeFirst();
}

export async function lockExport(tx: Tx, scope: Scope, id: string): Promise<ExportRow | undefined> {
  return tx
    .selectFrom('exports')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .where(IS_KEPT)
    .forUpdate()
    .executeTakeFirst();
}

/** Newest first, of these resources. */
export async function listExports(
  db: Db,
  scope: Scope,
  { resources, page }: { resources: string[]; page: Page },
): Promise<{ rows: ExportRow[]; count: number }> {
  const kept = db
    .selectFrom('exports')
    .where(inScope(scope))
    .where(IS_KEPT)
    .where(sql<SqlBool>`resource = any(${resources}::text[])`);
  const [rows, { count }] = await Promise.all([
    onPage(kept.selectAll(), page).execute(),
    kept.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** How many are under way; two that begin at once are counted one after the other. */
export async function lockRunningCount(tx: Tx, scope: Scope): Promise<number> {
  await tx.selectFrom('stores').select('testMode').where(inScope(scope)).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('exports')
    .where(inScope(scope))
    .where('outcome', 'is', null)
    .where(IS_KEPT)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Lets go of all but the newest that have ended. */
export async function expireOldest(tx: Tx, scope: Scope, kept: number): Promise<void> {
  await sql`
    update exports e set expires_real_ms = 0
    where ${inScope(scope, 'e')} and e.outcome is not null and e.expires_real_ms > 0 and e.id not in (
      select n.id from exports n where ${inScope(scope, 'n')} and n.outcome is not null
      order by n.created_at desc, n.id desc limit ${kept}::int)`.execute(tx);
}

export interface Progress {
  rows: number;
  rowsExpected: number | null;
  bytes: number;
  cursor: string | null;
}

/** Notes how far the file is; false when nobody wants it any more, or another writes it. */
export async function noteProgress(
  db: Db,
  { scope, refId, fence }: Pick<ClaimedWork, 'scope' | 'refId' | 'fence'>,
  { rows, rowsExpected, bytes, cursor }: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ rows, rowsExpected, bytes, cursor })
    .where(inScope(scope))
    .where('id', '=', refId)
    .where('outcome', 'is', null)
    .where(IS_KEPT)
    .where(
      sql<SqlBool>`exists (select from due_work w where ${inScope(scope, 'w')} and w.kind = 'write_export'
        and w.ref_id = exports.id and w.fence = ${fence}::bigint)`,
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface Ending extends Partial<Progress> {
  id: string;
  outcome: NonNullable<ExportRow['outcome']>;
  reason?: string;
  endedAt: number;
}

export async function endExport(
  tx: Tx,
  scope: Scope,
  { id, ...ending }: Ending,
): Promise<ExportRow | undefined> {
  return tx
    .updateTable('exports')
    .set(ending)
    .where(inScope(scope))
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Keys of all custom fields that the store ever had: old orders answer old questions. */
export async function listFieldKeys(db: Db, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('customFields')
    .select((eb) => ['key', eb.fn.min('createdAt').as('since')])
    .where(inScope(scope))
    .groupBy('key')
    .orderBy('since')
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Exports of these workspaces whose bytes nobody may have any more. */
export async function listSpentExports(
  db: Db,
  { workspaceIds, limit }: ListingOver,
): Promise<Array<Pick<ExportRow, 'workspaceId' | 'testMode' | 'id'>>> {
  return db
    .selectFrom('exports')
    .select(['workspaceId', 'testMode', 'id'])
    .where('workspaceId', '=', sql<string>`any(${workspaceIds}::uuid[])`)
    .where('hasFile', '=', true)
    .where((eb) => eb.or([eb('outcome', 'in', ['failed', 'canceled']), sql<SqlBool>`not ${IS_KEPT}`]))
    .limit(limit)
    .execute();
}

/** Its bytes are gone; so is the row of one that is over. */
export async function forgetFile(db: Db, scope: Scope, id: string): Promise<void> {
  await db
    .updateTable('exports')
    .set({ hasFile: false })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

/** Exports that are over, and whose bytes are gone. */
export const OLD_EXPORTS: OverRows = {
  table: 'exports',
  key: { id: 'uuid' },
  isOver: sql`not r.has_file and r.expires_real_ms <= (select real_now_ms())`,
  since: sql`r.expires_real_ms`,
};

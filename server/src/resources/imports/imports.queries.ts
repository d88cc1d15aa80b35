/** SQL of imports as a whole: their rows, from being received to being committed. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { OverRows } from '../../db/over-rows.ts';
import type { ImportsTable } from '../../db/schema/imports.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type ImportRow = Row<'imports'>;
type NewImport = Omit<Insertable<ImportsTable>, 'workspaceId' | 'testMode'>;

export async function insertImport(db: Db, scope: Scope, row: NewImport): Promise<void> {
  await db
    .insertInto('imports')
    .values({ ...scopeColumns(scope), ...row })
    .execute();
}

/** None that is still being received: nobody was told of it. */
export async function findImport(db: Db, scope: Scope, id: string): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .where('status', '<>', 'receiving')
    .executeTakeFirst();
}

const LISTED = [
  'id',
  'source',
  'status',
  'reason',
  'lineCount',
  'maker',
  'createdAt',
  'committedAt',
] as const;
export type ListedImportRow = Pick<ImportRow, (typeof LISTED)[number]> & { waiting: number };

/** Newest first, without their plans; none that is still being received. */
export async function listImports(
  db: Db,
  scope: Scope,
  page: Page,
): Promise<{ rows: ListedImportRow[]; count: number }> {
  const known = db.selectFrom('imports').where(inScope(scope)).where('status', '<>', 'receiving');
  const listed = known.select(LISTED).select(
    sql<number>`(select count(*)::int from subscriptions s where ${inScope(scope, 's')}
        and s.brought_by = imports.id and s.waiting)`.as('waiting'),
  );
  const [rows, { count }] = await Promise.all([
    onPage(listed, page).execute(),
    known.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function lockImport(tx: Tx, scope: Scope, id: string): Promise<ImportRow | undefined> {
  return tx
    .selectFrom('imports')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateImport(
  db: Db,
  scope: Scope,
  { id, ...changes }: Updateable<ImportsTable> & { id: string },
): Promise<ImportRow> {
  return db
    .updateTable('imports')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Takes it away with its lines, where it came to nothing. */
export async function deleteReceiving(db: Db, scope: Scope, id: string): Promise<void> {
  await db
    .deleteFrom('imports')
    .where(inScope(scope))
    .where('id', '=', id)
    .where('status', '=', 'receiving')
    .execute();
}

/** How many are worked on; two that begin at once are counted one after the other. */
export async function lockRunningImports(tx: Tx, scope: Scope): Promise<number> {
  await tx.selectFrom('stores').select('testMode').where(inScope(scope)).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('imports')
    .where(inScope(scope))
    .where('status', 'in', ['planning', 'committing'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** What nobody has committed by then was only looked at. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Never committed, or never received whole, days ago: nobody else lets go of the people in their lines. */
export const OLD_IMPORTS: OverRows = {
  table: 'imports',
  key: { id: 'uuid' },
  isOver: sql`r.status in ('receiving', 'planned', 'failed')
    and r.created_real_ms < (select real_now_ms()) - ${KEPT_MS}::bigint`,
  since: sql`r.created_real_ms`,
};

/** Takes away what was looked at and tells of somebody who is erased: it would make them anew. */
export async function dropPlannedOf(tx: Tx, scope: Scope, emails: readonly string[]): Promise<void> {
  await sql`
    delete from imports i where ${inScope(scope, 'i')} and i.status in ('planned', 'failed') and exists (
      select from import_rows r where ${inScope(scope, 'r')} and r.import_id = i.id and r.kind = 'customer'
        and lower(r.body ->> 'email') = any(${[...emails]}::text[]))`.execute(tx);
}

export async function countWaiting(db: Db, scope: Scope, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('subscriptions')
    .where(inScope(scope))
    .where('broughtBy', '=', importId)
    .where('waiting', '=', true)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

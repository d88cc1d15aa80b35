/** All SQL of views: how somebody likes to look at a list. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { ViewsTable } from '../../db/schema/views.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export interface ViewFilter {
  /** Their own, and those that are shared. */
  owner: string;
  /** The lists whose views these are. */
  resources: readonly string[];
}

export async function listViews(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: ViewFilter; page: Page },
): Promise<{ rows: Array<Row<'views'>>; count: number }> {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

function filtered(db: Db, scope: Scope, { owner, resources }: ViewFilter) {
  return db
    .selectFrom('views')
    .where(inScope(scope))
    .where((eb) => eb.or([eb('owner', '=', owner), eb('shared', '=', sql<boolean>`true`)]))
    .where(sql<SqlBool>`resource = any(${resources}::text[])`);
}

export async function countOwnViews(tx: Tx, scope: Scope, owner: string): Promise<number> {
  const { count } = await tx
    .selectFrom('views')
    .where(inScope(scope))
    .where('owner', '=', owner)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Whether another view of the list bears the name, among the owner's own and those that are shared: as they stand
 * together in a menu. Nobody names a view of this list before the transaction ends: no row stands for a name.
 */
export async function isNameTaken(
  tx: Tx,
  scope: Scope,
  view: Pick<Row<'views'>, 'id' | 'owner' | 'resource' | 'name'>,
): Promise<boolean> {
  const lock = `views ${scope.workspaceId} ${scope.testMode} ${view.resource}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const other = await filtered(tx, scope, { owner: view.owner, resources: [view.resource] })
    .select('id')
    .where(sql<string>`trim(name)`, '=', view.name.trim())
    .where('id', '!=', view.id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function lockView(tx: Tx, scope: Scope, id: string): Promise<Row<'views'> | undefined> {
  return tx
    .selectFrom('views')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type NewView = Omit<Insertable<ViewsTable>, 'workspaceId' | 'testMode'>;

export async function insertView(tx: Tx, scope: Scope, view: NewView): Promise<Row<'views'>> {
  return tx
    .insertInto('views')
    .values({ ...scopeColumns(scope), ...view })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateView(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<ViewsTable> & { id: string },
): Promise<Row<'views'>> {
  return tx
    .updateTable('views')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteView(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx.deleteFrom('views').where(inScope(scope)).where('id', '=', id).execute();
}

/** What people typed into all views of the store. */
export async function listViewTexts(
  tx: Tx,
  scope: Scope,
): Promise<Array<Pick<Row<'views'>, 'id' | 'name' | 'query'>>> {
  return tx.selectFrom('views').select(['id', 'name', 'query']).where(inScope(scope)).execute();
}

export async function blankView(
  tx: Tx,
  scope: Scope,
  { id, ...texts }: Pick<Row<'views'>, 'id' | 'name' | 'query'>,
): Promise<void> {
  await tx.updateTable('views').set(texts).where(inScope(scope)).where('id', '=', id).execute();
}

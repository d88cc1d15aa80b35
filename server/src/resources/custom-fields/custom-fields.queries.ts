/** All SQL of custom fields. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { CustomFieldsTable } from '../../db/schema/checkouts.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export interface CustomFieldFilter {
  projectId?: string;
  /** Part of its key or label. */
  term?: string;
  archived: Archived;
}

/** The store's unarchived definitions, oldest first: the order in which a buyer is asked. */
export async function listDefinitions(db: Db, scope: Scope): Promise<Array<Row<'customFields'>>> {
  return db
    .selectFrom('customFields')
    .selectAll()
    .where(inScope(scope))
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** How many unarchived definitions there are; two that come at once are counted one after the other. */
export async function lockCustomFieldCount(tx: Tx, scope: Scope): Promise<number> {
  await tx.selectFrom('stores').select('testMode').where(inScope(scope)).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('customFields')
    .where(inScope(scope))
    .where('archivedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function listCustomFields(db: Db, scope: Scope, filter: CustomFieldFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

function filtered(db: Db, scope: Scope, { projectId, term, archived }: CustomFieldFilter) {
  let query = onlyArchived(db.selectFrom('customFields').where(inScope(scope)), archived);
  if (term) {
    query = query.where((eb) =>
      eb.or([eb('key', 'ilike', containing(term)), eb('label', 'ilike', containing(term))]),
    );
  }
  return projectId ? query.where('projectId', '=', projectId) : query;
}

export async function lockCustomField(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'customFields'> | undefined> {
  return tx
    .selectFrom('customFields')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type NewCustomField = Omit<Insertable<CustomFieldsTable>, 'workspaceId' | 'testMode'>;

export async function insertCustomField(
  tx: Tx,
  scope: Scope,
  customField: NewCustomField,
): Promise<Row<'customFields'>> {
  return tx
    .insertInto('customFields')
    .values({ ...scopeColumns(scope), ...customField })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateCustomField(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<CustomFieldsTable> & { id: string },
): Promise<Row<'customFields'>> {
  return (
    tx
      .updateTable('customFields')
      // With the id in it, an update that changes nothing is one, too. An archiving is no edit.
      .set((eb) => ({
        ...changes,
        id,
        ...('archivedAt' in changes ? {} : { version: eb('version', '+', 1) }),
      }))
      .where(inScope(scope))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

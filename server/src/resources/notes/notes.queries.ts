/** All SQL of notes that people keep on orders, payments, subscriptions and users. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { NotesTable } from '../../db/schema/views.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewNote = Omit<Insertable<NotesTable>, 'workspaceId' | 'testMode'>;

export async function insertNote(tx: Tx, scope: Scope, note: NewNote): Promise<Row<'notes'>> {
  return tx
    .insertInto('notes')
    .values({ ...scopeColumns(scope), ...note })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findNote(db: Db, scope: Scope, id: string): Promise<Row<'notes'> | undefined> {
  return db.selectFrom('notes').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

export async function deleteNote(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx.deleteFrom('notes').where(inScope(scope)).where('id', '=', id).execute();
}

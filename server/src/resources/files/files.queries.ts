/** All SQL of files; their bytes lie on disk. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { containing, countRows, onPage, type Page } from '../../db/list.ts';
import type { FilesTable } from '../../db/schema/products.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export async function findFile(db: Db, scope: Scope, id: string): Promise<Row<'files'> | undefined> {
  return db.selectFrom('files').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

type NewFile = Omit<Insertable<FilesTable>, 'workspaceId' | 'testMode'>;

export async function insertFile(tx: Tx, scope: Scope, file: NewFile): Promise<Row<'files'>> {
  return tx
    .insertInto('files')
    .values({ ...file, ...scopeColumns(scope) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const PICTURE_URL = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The hash to store beside a cover: the given one, that of an uploaded picture, or null for a picture from
 * elsewhere. Undefined when neither cover nor hash is given, so that both stay as they are.
 */
export async function findCoverHash(
  db: Db,
  scope: Scope,
  { cover, coverBlurHash }: { cover?: string | null; coverBlurHash?: string | null },
): Promise<string | null | undefined> {
  if (coverBlurHash !== undefined || cover === undefined) return coverBlurHash;
  const id = PICTURE_URL.exec(cover ?? '')?.[1];
  return id ? ((await findFile(db, scope, id))?.blurHash ?? null) : null;
}

export interface FileFilter {
  purposes?: Array<Row<'files'>['purpose']> | undefined;
  /** Part of the name. */
  term?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

export async function listFiles(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: FileFilter; page: Page },
): Promise<Array<Row<'files'>>> {
  return onPage(filtered(db, scope, filter).selectAll(), page).execute();
}

export async function countFiles(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: FileFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, { purposes, term, createdFrom, createdTo }: FileFilter) {
  let query = db.selectFrom('files').where(inScope(scope));
  if (purposes) query = query.where('purpose', 'in', purposes);
  if (term) query = query.where('fileName', 'ilike', containing(term));
  if (createdFrom !== undefined) query = query.where('createdAt', '>=', createdFrom);
  return createdTo === undefined ? query : query.where('createdAt', '<=', createdTo);
}

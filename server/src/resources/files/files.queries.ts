/** All SQL of files; their bytes lie on disk. */
import { type Insertable, type SqlBool, sql } from 'kysely';
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

/** Real days that an upload waits for something to point to it. */
const UNUSED_DAYS = 30;
const OVERDUE = sql<SqlBool>`files.used_at is null and files.written_real_ms < real_now_ms() - ${UNUSED_DAYS} * 86400000::bigint`;

/** Uploads of these workspaces that nothing ever pointed to. */
export async function listUnusedFiles(
  db: Db,
  { workspaceIds, limit }: { workspaceIds: readonly string[]; limit: number },
): Promise<Array<{ id: string } & Scope>> {
  return db
    .selectFrom('files')
    .select(['workspaceId', 'testMode', 'id'])
    .where(sql<SqlBool>`files.workspace_id = any(${[...workspaceIds]}::uuid[])`)
    .where(OVERDUE)
    .limit(limit)
    .execute();
}

/** Null = something points to it by now. */
export async function deleteUnusedFile(db: Db, scope: Scope, id: string): Promise<Row<'files'> | null> {
  const deleted = db.deleteFrom('files').where(inScope(scope)).where('id', '=', id).where(OVERDUE);
  return (await deleted.returningAll().executeTakeFirst()) ?? null;
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

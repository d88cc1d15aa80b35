/** All SQL of the copies that buyers ask for. Times are real. */
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type OwnExportRow = Row<'portalExports'>;

/** Takes the place of the one before. */
export async function replaceOwnExport(
  tx: Tx,
  scope: Scope,
  copy: Pick<OwnExportRow, 'userId' | 'id' | 'createdAt' | 'endsAt'>,
): Promise<OwnExportRow> {
  const fresh = { ...copy, content: null, failed: false };
  return tx
    .insertInto('portalExports')
    .values({ ...scopeColumns(scope), ...fresh })
    .onConflict((clash) => clash.columns(['workspaceId', 'testMode', 'userId']).doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findOwnExport(
  db: Db,
  scope: Scope,
  by: { userId: string } | { id: string },
): Promise<OwnExportRow | undefined> {
  const found = db.selectFrom('portalExports').selectAll().where(inScope(scope));
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['userId', by.userId] as const);
  return found.where(column, '=', value).executeTakeFirst();
}

export async function endOwnExport(
  tx: Tx,
  scope: Scope,
  { id, content }: { id: string; content: Buffer | null },
): Promise<void> {
  await tx
    .updateTable('portalExports')
    .set({ content, failed: content === null })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

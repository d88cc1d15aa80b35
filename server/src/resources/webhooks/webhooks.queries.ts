/** All SQL of webhooks. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { type Archived, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { Row, WebhooksTable } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export interface WebhookFilter {
  statuses?: string[];
  ids?: string[];
  archived: Archived;
}

export async function findWebhook(db: Db, scope: Scope, id: string): Promise<Row<'webhooks'> | undefined> {
  return db.selectFrom('webhooks').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

export async function lockWebhook(tx: Tx, scope: Scope, id: string): Promise<Row<'webhooks'> | undefined> {
  return (
    tx
      .selectFrom('webhooks')
      .selectAll()
      .where(inScope(scope))
      .where('id', '=', id)
      // Not forUpdate: new deliveries point here and must not wait.
      .forNoKeyUpdate()
      .executeTakeFirst()
  );
}

/** Counts unarchived webhooks; until the end of the transaction no other may count. */
export async function lockWebhookCount(tx: Tx, scope: Scope): Promise<number> {
  await tx.selectFrom('stores').select('testMode').where(inScope(scope)).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('webhooks')
    .where(inScope(scope))
    .where('deletedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function listWebhooks(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: WebhookFilter; page: Page },
): Promise<{ rows: Array<Row<'webhooks'>>; count: number }> {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

function filtered(db: Db, scope: Scope, { statuses, ids, archived }: WebhookFilter) {
  let query = onlyArchived(db.selectFrom('webhooks').where(inScope(scope)), archived, 'deletedAt');
  if (ids) query = query.where('id', 'in', ids);
  const known = statuses?.filter((status) => status === 'active' || status === 'inactive');
  return known?.length ? query.where('status', 'in', known) : query;
}

type NewWebhook = Omit<Insertable<WebhooksTable>, 'workspaceId' | 'testMode'>;

export async function insertWebhook(tx: Tx, scope: Scope, webhook: NewWebhook): Promise<Row<'webhooks'>> {
  return tx
    .insertInto('webhooks')
    .values({ ...scopeColumns(scope), ...webhook })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateWebhook(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<WebhooksTable> & { id: string },
): Promise<Row<'webhooks'>> {
  return tx
    .updateTable('webhooks')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes how an attempt of this moment ended. Attempts end in any order: the latest moment stays. */
export async function updateLastAttempt(
  tx: Tx,
  scope: Scope,
  { id, isSuccess, atMs }: { id: string; isSuccess: boolean; atMs: number },
): Promise<void> {
  const column = isSuccess ? 'lastSuccessAt' : 'lastFailureAt';
  await tx
    .updateTable('webhooks')
    .set({ [column]: sql`greatest(${sql.ref(column)}, ${atMs}::bigint)` })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

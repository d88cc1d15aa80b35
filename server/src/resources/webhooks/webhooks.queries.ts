/** All SQL of webhooks. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { WebhooksTable } from '../../db/schema/events.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import { type HealthRow, WEBHOOK_HEALTH, type WebhookKey } from './webhooks.sql.ts';
import { lockWebhookHealthApart } from './webhooks-apart.queries.ts';

export interface WebhookFilter {
  statuses?: string[];
  health?: Array<Row<'webhooks'>['health']>;
  ids?: string[];
  /** Part of its address or description. */
  term?: string;
  /** Whether `term` is looked for in the URLs' queries too: who may not read them must not find them letter by letter. */
  withQueries: boolean;
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

function filtered(db: Db, scope: Scope, filter: WebhookFilter) {
  const { statuses, health, ids, term, archived, withQueries } = filter;
  let query = onlyArchived(db.selectFrom('webhooks').where(inScope(scope)), archived, 'deletedAt');
  if (ids) query = query.where('id', 'in', ids);
  if (health) query = query.where('health', 'in', health);
  if (term) {
    const pattern = containing(term);
    const url = withQueries ? sql<string>`url` : sql<string>`regexp_replace(url, '[?#].*$', '')`;
    query = query.where((eb) => eb.or([eb(url, 'ilike', pattern), eb('description', 'ilike', pattern)]));
  }
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
  return (
    tx
      .updateTable('webhooks')
      // With the id in it, an update that changes nothing is one, too.
      .set((eb) => ({ ...changes, id, version: eb('version', '+', 1) }))
      .where(inScope(scope))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

/** Archives it. What was read of it before, of an earlier version, may still go out. */
export async function archiveWebhookRow(
  tx: Tx,
  scope: Scope,
  { id, deletedAt }: { id: string; deletedAt: number },
): Promise<Row<'webhooks'>> {
  return tx
    .updateTable('webhooks')
    .set((eb) => ({
      deletedAt,
      version: eb('version', '+', 1),
    }))
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locks webhooks of any stores, in one order, so that two who lock several never wait for each other. */
export async function lockWebhookHealth(tx: Tx, keys: readonly WebhookKey[]): Promise<HealthRow[]> {
  if (isSpread(tx)) return lockWebhookHealthApart(tx, keys);
  const ids = [...new Set(keys.map(({ scope }) => scope.workspaceId))];
  const { rows } = await sql<HealthRow>`
    select ${WEBHOOK_HEALTH}
    from webhooks w
    join unnest(${keys.map(({ scope }) => scope.workspaceId)}::uuid[],
        ${keys.map(({ scope }) => scope.testMode)}::boolean[], ${keys.map(({ id }) => id)}::uuid[])
      as k (workspace_id, test_mode, id)
      on w.workspace_id = k.workspace_id and w.test_mode = k.test_mode and w.id = k.id
    where w.workspace_id = any(${ids}::uuid[])
    order by w.workspace_id, w.test_mode, w.id for no key update of w`.execute(tx);
  return rows;
}

/** Writes the health of locked webhooks. */
export async function updateWebhookHealth(tx: Tx, rows: readonly HealthRow[]): Promise<void> {
  const ids = [...new Set(rows.map(({ workspaceId }) => workspaceId))];
  await sql`
    update webhooks w set status = g.status, health = g.health, streak_started_at = g."streakStartedAt",
      streak_failures = g."streakFailures", streak_looked_at = g."streakLookedAt",
      last_success_at = g."lastSuccessAt", last_failure_at = g."lastFailureAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as g ("workspaceId" uuid, "testMode" boolean, id uuid,
      status text, health text, "streakStartedAt" bigint, "streakFailures" integer, "streakLookedAt" bigint,
      "lastSuccessAt" bigint, "lastFailureAt" bigint)
    where w.workspace_id = g."workspaceId" and w.test_mode = g."testMode" and w.id = g.id
      and w.workspace_id = any(${ids}::uuid[])`.execute(tx);
}

/**
 * Takes it out of the archive. What waited when it was archived is dropped now: none of it is sent any more, as whoever
 * archived it was told.
 */
export async function unarchiveWebhookRow(tx: Tx, scope: Scope, id: string): Promise<Row<'webhooks'>> {
  const dropped = await tx
    .updateTable('webhookDeliveries')
    .set({ status: 'dropped', reason: 'webhook_archived' })
    .where(inScope(scope))
    .where('webhookId', '=', id)
    .where('status', '=', 'waiting')
    .returning('id')
    .execute();
  await tx
    .deleteFrom('dueWork')
    .where(inScope(scope))
    .where('kind', '=', 'deliver_webhook')
    .where('refId', '=', (eb) => eb.fn.any(eb.val(dropped.map((delivery) => delivery.id))))
    .execute();
  return tx
    .updateTable('webhooks')
    .set((eb) => ({ deletedAt: null, version: eb('version', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All SQL of deliveries and their attempts. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { Row, WebhookAttemptsTable, WebhookDeliveriesTable } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

/** A delivery with all that an attempt of it needs. */
export type WholeDelivery = Pick<
  Row<'webhookDeliveries'>,
  'id' | 'webhookId' | 'eventId' | 'status' | 'attemptCount'
> &
  Pick<Row<'webhooks'>, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil' | 'deletedAt'> & {
    webhookStatus: Row<'webhooks'>['status'];
    eventType: string;
    body: string;
  };

/** Undefined when delivery, webhook or event is gone: the first falls with either of the others. */
export async function findWholeDelivery(
  db: Db,
  scope: Scope,
  id: string,
): Promise<WholeDelivery | undefined> {
  return db
    .selectFrom('webhookDeliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join
        .onRef('w.workspaceId', '=', 'd.workspaceId')
        .onRef('w.testMode', '=', 'd.testMode')
        .onRef('w.id', '=', 'd.webhookId'),
    )
    .innerJoin('events as e', (join) =>
      join
        .onRef('e.workspaceId', '=', 'd.workspaceId')
        .onRef('e.testMode', '=', 'd.testMode')
        .onRef('e.id', '=', 'd.eventId'),
    )
    .select(['d.id', 'd.webhookId', 'd.eventId', 'd.status', 'd.attemptCount'])
    .select(['w.url', 'w.secret', 'w.previousSecret', 'w.previousSecretUntil', 'w.deletedAt'])
    .select(['w.status as webhookStatus', 'e.type as eventType', 'e.body'])
    .where(inScope(scope, 'd'))
    .where('d.id', '=', id)
    .executeTakeFirst();
}

export async function updateDelivery(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<WebhookDeliveriesTable> & { id: string },
): Promise<void> {
  await tx.updateTable('webhookDeliveries').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

export async function insertAttempt(
  tx: Tx,
  scope: Scope,
  attempt: Omit<Insertable<WebhookAttemptsTable>, 'workspaceId' | 'testMode'>,
): Promise<void> {
  await tx
    .insertInto('webhookAttempts')
    .values({ ...scopeColumns(scope), ...attempt })
    .execute();
}

export interface AttemptFilter {
  webhookId: string;
  eventType?: string;
  /** Whether the receiver answered 2xx. */
  success?: boolean;
}

/** An attempt with the body that was sent. */
export type AttemptRow = Row<'webhookAttempts'> & { body: string };

export async function listAttempts(
  db: Db,
  scope: Scope,
  { filter, page, withCount }: { filter: AttemptFilter; page: Page; withCount: boolean },
): Promise<{ rows: AttemptRow[]; count: number | null }> {
  const sort = { by: 'a.createdAt', id: 'a.id', direction: 'desc' } as const;
  const [rows, counted] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll('a').select('e.body'), page, sort).execute(),
    withCount
      ? filtered(db, scope, filter)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      : null,
  ]);
  return { rows, count: counted?.count ?? null };
}

function filtered(db: Db, scope: Scope, { webhookId, eventType, success }: AttemptFilter) {
  let query = db
    .selectFrom('webhookAttempts as a')
    .innerJoin('events as e', (join) =>
      join
        .onRef('e.workspaceId', '=', 'a.workspaceId')
        .onRef('e.testMode', '=', 'a.testMode')
        .onRef('e.id', '=', 'a.eventId'),
    )
    .where(inScope(scope, 'a'))
    .where('a.webhookId', '=', webhookId);
  if (eventType) query = query.where('a.eventType', '=', eventType);
  if (success === undefined) return query;
  return query.where(sql<SqlBool>`coalesce(a.status_code between 200 and 299, false) = ${success}`);
}

/** Deliveries as they are listed, each with its attempts. */
import type { Db } from '../../db/database.ts';
import { countRows, onPage, type Page, type Sort } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { type AttemptRow, withSent } from './attempts.sql.ts';

export interface DeliveryFilter {
  webhookId?: string | undefined;
  eventId?: string | undefined;
  statuses?: Array<Row<'webhookDeliveries'>['status']> | undefined;
}

const SORT: Sort = { by: 'd.createdAt', id: 'd.id', direction: 'desc' };

export type DeliveryRow = Row<'webhookDeliveries'> & { eventType: string | null };

export async function listDeliveries(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: DeliveryFilter; page: Page },
): Promise<DeliveryRow[]> {
  const whole = filtered(db, scope, filter)
    .leftJoin('events as e', (join) =>
      join
        .onRef('e.workspaceId', '=', 'd.workspaceId')
        .on('e.workspaceId', '=', scope.workspaceId)
        .onRef('e.testMode', '=', 'd.testMode')
        .onRef('e.id', '=', 'd.eventId'),
    )
    .selectAll('d')
    .select('e.type as eventType');
  return onPage(whole, page, SORT).execute();
}

export async function countDeliveriesOf(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: DeliveryFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

/** By delivery, in the order in which they were tried: ten of each at most. */
export async function listAttemptsOf(
  db: Db,
  scope: Scope,
  deliveryIds: string[],
): Promise<Map<string, AttemptRow[]>> {
  const attempts = new Map<string, AttemptRow[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return attempts;
  const rows = await withSent(scope, db.selectFrom('webhookAttempts as a'))
    .where(inScope(scope, 'a'))
    .where('a.deliveryId', 'in', deliveryIds)
    .orderBy('a.sequence')
    .execute();
  for (const row of rows) attempts.get(row.deliveryId)?.push(row);
  return attempts;
}

function filtered(db: Db, scope: Scope, { webhookId, eventId, statuses }: DeliveryFilter) {
  let query = db.selectFrom('webhookDeliveries as d').where(inScope(scope, 'd'));
  if (webhookId) query = query.where('d.webhookId', '=', webhookId);
  if (eventId) query = query.where('d.eventId', '=', eventId);
  return statuses ? query.where('d.status', 'in', statuses) : query;
}

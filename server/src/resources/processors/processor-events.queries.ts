/** All SQL of what processors have told. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { countRows, inPageOrder, isOnPage, onPage, type Page, type Sort } from '../../db/list.ts';
import type { OverRows } from '../../db/over-rows.ts';
import type { ProcessorEventsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewEvent = Omit<Insertable<ProcessorEventsTable>, 'workspaceId' | 'testMode'>;

const insertion = keepQuery((db, { rows, ...scope }: Scope & { rows: readonly NewEvent[] }) =>
  db
    .insertInto('processorEvents')
    .values(rows.map((event) => ({ ...scopeColumns(scope), ...event })))
    .onConflict((on) => on.columns(['workspaceId', 'connectionId', 'eventId']).doNothing())
    .returning('id'),
);

/** Answers the ids of those that are new: what was told before is kept already. */
export async function insertProcessorEvents(
  db: Db,
  scope: Scope,
  events: readonly NewEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await insertion(db, { ...scopeColumns(scope), rows: events });
  return rows.map(({ id }) => id);
}

export async function findProcessorEvent(
  db: Db,
  scope: Scope,
  id: string,
): Promise<Row<'processorEvents'> | undefined> {
  return db
    .selectFrom('processorEvents')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function updateProcessorEvent(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<ProcessorEventsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('processorEvents').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

/** A charge as what a processor tells of it needs it. */
export interface ToldCharge {
  id: string;
  paymentId: string;
  orderId: string;
  paymentType: string;
  status: Row<'charges'>['status'];
  hold: string | null;
  /** When we asked for it last (real Unix ms). */
  sentAt: number | null;
}

const toldCharge = keepQuery(
  (db, { connectionId, processorId, ...scope }: Scope & { connectionId: string; processorId: string }) =>
    db
      .selectFrom('charges')
      .innerJoin('payments', (join) =>
        join
          .onRef('payments.workspaceId', '=', 'charges.workspaceId')
          .on('payments.workspaceId', '=', scope.workspaceId)
          .onRef('payments.testMode', '=', 'charges.testMode')
          .onRef('payments.id', '=', 'charges.paymentId'),
      )
      .select([
        'charges.id',
        'charges.paymentId',
        'payments.orderId',
        'payments.type as paymentType',
        'charges.status',
        'charges.hold',
        'charges.sentAt',
      ])
      .where(inScope(scope, 'charges'))
      .where('charges.processorId', '=', processorId)
      .where('charges.connectionId', '=', connectionId),
);

/** The charge that an object of a connection belongs to. */
export async function findToldCharge(
  db: Db,
  scope: Scope,
  object: { connectionId: string; processorId: string },
): Promise<ToldCharge | undefined> {
  const [row] = await toldCharge(db, { ...scopeColumns(scope), ...object });
  return row;
}

/** A refund of the connection by the processor's name of it, or by ours. */
export async function findToldRefund(
  db: Db,
  scope: Scope,
  { connectionId, processorId, ownId }: { connectionId: string; processorId: string; ownId: string | null },
): Promise<Pick<Row<'refunds'>, 'id' | 'status'> | undefined> {
  return db
    .selectFrom('refunds')
    .select(['id', 'status'])
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where((eb) => eb.or([eb('processorId', '=', processorId), ...(ownId ? [eb('id', '=', ownId)] : [])]))
    .executeTakeFirst();
}

/** A method that was kept there, by the name that its processor has for it, or by all that it is charged by. */
export async function findToldMethod(
  db: Db,
  scope: Scope,
  { connectionId, objectId }: { connectionId: string; objectId: string },
): Promise<Row<'paymentMethods'> | undefined> {
  return db
    .selectFrom('paymentMethods')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where((eb) =>
      eb.or([eb(sql<string>`split_part(reference, '/', 2)`, '=', objectId), eb('reference', '=', objectId)]),
    )
    .executeTakeFirst();
}

/** What was told last of a method, by either of its names; the reverse of `findToldMethod`. */
export async function findToldOfMethod(
  db: Db,
  scope: Scope,
  { connectionId, reference }: { connectionId: string; reference: string },
): Promise<Pick<Row<'processorEvents'>, 'id'> | undefined> {
  const names = [reference, reference.split('/')[1] ?? reference];
  return db
    .selectFrom('processorEvents')
    .select('id')
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('objectKind', '=', sql.lit('method'))
    .where('objectId', 'in', names)
    .orderBy('receivedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface ProcessorEventFilter {
  connectionId: string;
  statuses?: Array<Row<'processorEvents'>['status']> | undefined;
}

const NEWEST: Sort = { by: 'receivedAt', id: 'id', direction: 'desc' };

export async function listProcessorEvents(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: ProcessorEventFilter; page: Page },
): Promise<Array<Row<'processorEvents'>>> {
  const ids = onPage(filtered(db, scope, filter), page, NEWEST).select('id');
  const shown = db.selectFrom('processorEvents').selectAll().where(inScope(scope)).where(isOnPage('id', ids));
  return inPageOrder(shown, page, NEWEST).execute();
}

export async function countProcessorEvents(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: ProcessorEventFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, { connectionId, statuses }: ProcessorEventFilter) {
  const query = db
    .selectFrom('processorEvents')
    .where(inScope(scope))
    .where('connectionId', '=', connectionId);
  return statuses ? query.where('status', 'in', statuses) : query;
}

/** As long as a processor lists what it has told; longer than any tells it again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What was told long ago and is done; what is parked stays. */
export const OLD_EVENTS: OverRows = {
  table: 'processor_events',
  key: { id: 'uuid' },
  isOver: sql`r.status in ('done', 'ignored') and r.received_at <= (select real_now_ms()) - ${KEPT_MS}::bigint`,
  since: sql`r.received_at`,
};

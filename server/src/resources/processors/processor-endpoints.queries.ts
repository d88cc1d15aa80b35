/** All SQL of the places where processors tell of connections. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { ProcessorEndpointsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, isOfThese, type OfStores, type Scope, scopeColumns } from '../../db/scope.ts';
import { isOfSeen } from '../workspaces/restoring.sql.ts';

type NewEndpoint = Omit<Insertable<ProcessorEndpointsTable>, 'workspaceId' | 'testMode'>;

export async function insertEndpoint(db: Db, scope: Scope, endpoint: NewEndpoint): Promise<void> {
  await db
    .insertInto('processorEndpoints')
    .values({ ...scopeColumns(scope), ...endpoint })
    .execute();
}

export async function updateEndpoint(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<ProcessorEndpointsTable> & { id: string },
): Promise<void> {
  await tx
    .updateTable('processorEndpoints')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

const byToken = keepQuery((db, asked: { workspaceId: string; tokenHash: string }) =>
  db
    .selectFrom('processorEndpoints')
    .innerJoin('processors', (join) =>
      join
        .onRef('processors.workspaceId', '=', 'processorEndpoints.workspaceId')
        .on('processors.workspaceId', '=', asked.workspaceId)
        .onRef('processors.testMode', '=', 'processorEndpoints.testMode')
        .onRef('processors.id', '=', 'processorEndpoints.connectionId'),
    )
    .selectAll('processors')
    .select([
      'processorEndpoints.id as endpointId',
      'processorEndpoints.secret as endpointSecret',
      'processorEndpoints.endsAt as endpointEndsAt',
    ])
    .where('processorEndpoints.workspaceId', '=', asked.workspaceId)
    .where('processorEndpoints.tokenHash', '=', asked.tokenHash)
    .where(isOfSeen('processorEndpoints')),
);

/** A connection, and the endpoint of it that was asked for. */
export type EndpointOfProcessor = Row<'processors'> & {
  endpointId: string;
  endpointSecret: string | null;
  endpointEndsAt: number | null;
};

/** Whichever store of the workspace it belongs to, ended or not. */
export async function findEndpointByToken(
  db: Db,
  asked: { workspaceId: string; tokenHash: string },
): Promise<EndpointOfProcessor | undefined> {
  const [row] = await byToken(db, asked);
  return row;
}

const ofConnection = keepQuery((db, { connectionId, ...scope }: Scope & { connectionId: string }) =>
  db
    .selectFrom('processorEndpoints')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc'),
);

/** The newest first. */
export async function listEndpoints(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<Array<Row<'processorEndpoints'>>> {
  return ofConnection(db, { ...scopeColumns(scope), connectionId });
}

/** Those that are heard end at `endsAt`, but for one. */
export async function endEndpoints(
  tx: Tx,
  scope: Scope,
  { connectionId, exceptId, endsAt }: { connectionId: string; exceptId: string; endsAt: number },
): Promise<void> {
  await tx
    .updateTable('processorEndpoints')
    .set({ endsAt })
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('id', '<>', exceptId)
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', endsAt)]))
    .execute();
}

/** Of these stores. */
export async function listEndedEndpoints(
  db: Db,
  { limit, ...stores }: OfStores & { limit: number },
): Promise<Array<Row<'processorEndpoints'>>> {
  const { rows } = await sql<Row<'processorEndpoints'>>`
    select e.* from processor_endpoints e
    where ${isOfThese('e', stores)} and e.ends_at <= (select real_now_ms())
    order by e.ends_at limit ${limit}::int`.execute(db);
  return rows;
}

export async function deleteEndpoint(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('processorEndpoints').where(inScope(scope)).where('id', '=', id).execute();
}

export async function deleteEndpointsOf(tx: Tx, scope: Scope, connectionId: string): Promise<void> {
  await tx
    .deleteFrom('processorEndpoints')
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .execute();
}

export interface Telling {
  /** An endpoint of it is heard. */
  isTold: boolean;
  /** Real ms; null = nothing was ever told. */
  lastEventAt: number | null;
}

/** How connections of a store tell, by their ids. */
export async function listTellings(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Telling>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Telling & { id: string }>`
    select p.id,
      exists (
        select from processor_endpoints e
        where ${inScope(scope, 'e')} and e.connection_id = p.id and e.processor_id is not null
          and (e.ends_at is null or e.ends_at > (select real_now_ms()))) as is_told,
      (select t.received_at from processor_events t
        where ${inScope(scope, 't')} and t.connection_id = p.id and not t.was_read
        order by t.received_at desc, t.id desc limit 1) as last_event_at
    from processors p where ${inScope(scope, 'p')} and p.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...telling }) => [id, telling]));
}

/** All SQL of the places where processors tell of connections. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { ProcessorEndpointsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewEndpoint = Omit<Insertable<ProcessorEndpointsTable>, 'workspaceId' | 'testMode'>;

export async function insertEndpoint(tx: Tx, scope: Scope, endpoint: NewEndpoint): Promise<void> {
  await tx
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
    .selectAll()
    .where('workspaceId', '=', asked.workspaceId)
    .where('tokenHash', '=', asked.tokenHash),
);

/** Whichever store of the workspace it belongs to, ended or not. */
export async function findEndpointByToken(
  db: Db,
  asked: { workspaceId: string; tokenHash: string },
): Promise<Row<'processorEndpoints'> | undefined> {
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

/** All SQL of the movements that processors tell of. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { ProcessorMovementsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewMovement = Omit<Insertable<ProcessorMovementsTable>, 'workspaceId' | 'testMode'>;

/** Answers whether it is new: a movement is told again and again, and counts once. */
export async function insertMovement(tx: Tx, scope: Scope, movement: NewMovement): Promise<boolean> {
  const row = await tx
    .insertInto('processorMovements')
    .values({ ...scopeColumns(scope), ...movement })
    .onConflict((on) => on.columns(['workspaceId', 'testMode', 'connectionId', 'movementId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Answers whether it was waiting still. */
export async function settleMovement(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<ProcessorMovementsTable> & { id: string },
): Promise<boolean> {
  const row = await tx
    .updateTable('processorMovements')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Of these those that are known already. */
export async function listKnownMovements(
  db: Db,
  scope: Scope,
  { connectionId, movementIds }: { connectionId: string; movementIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('processorMovements')
    .select('movementId')
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where(sql<boolean>`movement_id = any(${[...movementIds]}::text[])`)
    .execute();
  return new Set(rows.map(({ movementId }) => movementId));
}

/** Of rows of ours that had not moved by then. */
export async function listWaitingMovements(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<Array<Row<'processorMovements'>>> {
  return db
    .selectFrom('processorMovements')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'waiting')
    .orderBy('happenedAt')
    .orderBy('id')
    .execute();
}

/** A charge takes money once: whether a movement stands for it. */
export async function hasChargeMovement(tx: Tx, scope: Scope, chargeId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('processorMovements')
    .select('id')
    .where(inScope(scope))
    .where('chargeId', '=', chargeId)
    .where('kind', '=', 'charge')
    .where('status', '<>', 'waiting')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

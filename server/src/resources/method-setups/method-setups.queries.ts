/** All SQL of methods that are taken for 0. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { MethodSetupsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type MethodSetup = Row<'methodSetups'>;

export async function insertMethodSetup(
  tx: Tx,
  scope: Scope,
  setup: Omit<Insertable<MethodSetupsTable>, 'workspaceId' | 'testMode'>,
): Promise<void> {
  await tx
    .insertInto('methodSetups')
    .values({ ...scopeColumns(scope), ...setup })
    .execute();
}

export async function findMethodSetup(db: Db, scope: Scope, id: string): Promise<MethodSetup | undefined> {
  return db
    .selectFrom('methodSetups')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockMethodSetup(tx: Tx, scope: Scope, id: string): Promise<MethodSetup | undefined> {
  return tx
    .selectFrom('methodSetups')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Whom it is taken for: a subscription by the link of its card page, or a buyer in their portal. */
export type SetupOwner = { subscriptionId: string } | { buyerId: string };

/** The last that was begun for its owner. */
export async function findLastSetup(
  db: Db,
  scope: Scope,
  owner: SetupOwner,
): Promise<MethodSetup | undefined> {
  return db
    .selectFrom('methodSetups')
    .selectAll()
    .where(inScope(scope))
    .where((eb) =>
      'buyerId' in owner
        ? eb.and([eb('userId', '=', owner.buyerId), eb('purpose', '=', 'portal')])
        : eb('subscriptionId', '=', owner.subscriptionId),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** By the object that a processor tells of. */
export async function findToldSetup(
  db: Db,
  scope: Scope,
  { connectionId, processorId }: { connectionId: string; processorId: string },
): Promise<Pick<MethodSetup, 'id' | 'status'> | undefined> {
  return db
    .selectFrom('methodSetups')
    .select(['id', 'status'])
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('processorId', '=', processorId)
    .executeTakeFirst();
}

export async function updateMethodSetup(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<MethodSetupsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('methodSetups').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

/** False where it is settled, called off, or another object by now: this one is to be cancelled. */
export async function nameSetupObject(
  db: Db,
  scope: Scope,
  { id, processorId }: { id: string; processorId: string },
): Promise<boolean> {
  const row = await db
    .updateTable('methodSetups')
    .set({ processorId })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where((eb) => eb.or([eb('processorId', 'is', null), eb('processorId', '=', processorId)]))
    .where('calledOffAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** From here on no object is named in it. False where one is: the processor is to be asked. */
export async function callOffSetup(
  db: Db,
  scope: Scope,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('methodSetups')
    .set({ calledOffAt: nowMs })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('processorId', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

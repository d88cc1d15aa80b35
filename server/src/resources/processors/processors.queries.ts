/** All SQL of connections: the accounts of processors that a store has. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { ProcessorsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, isOfThese, type OfStores, type Scope, scopeColumns } from '../../db/scope.ts';

type NewProcessor = Omit<Insertable<ProcessorsTable>, 'workspaceId' | 'testMode'>;

export async function insertProcessor(tx: Tx, scope: Scope, processor: NewProcessor): Promise<void> {
  await tx
    .insertInto('processors')
    .values({ ...scopeColumns(scope), ...processor })
    .execute();
}

const byId = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('processors').selectAll().where(inScope(scope)).where('id', '=', id),
);

export async function findProcessor(
  db: Db,
  scope: Scope,
  id: string,
): Promise<Row<'processors'> | undefined> {
  const [row] = await byId(db, { ...scopeColumns(scope), id });
  return row;
}

export async function lockProcessor(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'processors'> | undefined> {
  return tx
    .selectFrom('processors')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** An account is connected once in a store, retired or not. */
export async function findProcessorOfAccount(
  db: Db,
  scope: Scope,
  { kind, accountId }: { kind: string; accountId: string },
): Promise<Row<'processors'> | undefined> {
  return db
    .selectFrom('processors')
    .selectAll()
    .where(inScope(scope))
    .where('kind', '=', kind)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** The bank account that is to get transfers again: by its IBAN, or the last that had none. */
export async function lockRetiredTransfer(
  tx: Tx,
  scope: Scope,
  iban: string | null,
): Promise<Row<'processors'> | undefined> {
  return tx
    .selectFrom('processors')
    .selectAll()
    .where(inScope(scope))
    .where('kind', '=', sql.lit('manual'))
    .where('status', '=', sql.lit('retired'))
    .where(sql`details->>'iban'`, 'is not distinct from', iban)
    .orderBy('retiredAt', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether the store ever had one, retired or not. */
export async function hasProcessorOfKind(db: Db, scope: Scope, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('processors')
    .select('id')
    .where(inScope(scope))
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const all = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('processors')
    .selectAll()
    .where(inScope(scope))
    .orderBy('priority')
    .orderBy('createdAt')
    .orderBy('id'),
);

/** In the order in which they are asked. */
export async function listProcessors(db: Db, scope: Scope): Promise<Array<Row<'processors'>>> {
  return all(db, scopeColumns(scope));
}

export async function updateProcessor(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<ProcessorsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('processors').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

/** Subscriptions that have not ended and are charged over it. */
export async function countRenewing(tx: Tx, scope: Scope, connectionId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('subscriptions')
    .innerJoin('paymentMethods', (join) =>
      join
        .onRef('paymentMethods.workspaceId', '=', 'subscriptions.workspaceId')
        .on('paymentMethods.workspaceId', '=', scope.workspaceId)
        .onRef('paymentMethods.testMode', '=', 'subscriptions.testMode')
        .onRef('paymentMethods.id', '=', 'subscriptions.paymentMethodId'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inScope(scope, 'subscriptions'))
    .where('paymentMethods.connectionId', '=', connectionId)
    .where('subscriptions.status', 'not in', ['canceled', 'incomplete_expired'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Those of these stores that are not well and were not asked for so long; they count as asked from here on. */
export async function claimUnwell(
  db: Db,
  { everyMs, ...stores }: OfStores & { everyMs: number },
): Promise<Array<Row<'processors'>>> {
  return db
    .updateTable('processors')
    .set({ checkedAt: sql<number>`real_now_ms()` })
    .where(isOfThese('processors', stores))
    .where('health', 'in', ['broken', 'degraded'])
    .where(sql<boolean>`(checked_at is null or checked_at <= real_now_ms() - ${everyMs}::bigint)`)
    .returningAll()
    .execute();
}

/**
 * Those of these stores whose books have not been compared for so long; they count as begun from here on, and come again
 * after `againMs` where that came to nothing.
 */
export async function claimUnreconciled(
  db: Db,
  { everyMs, againMs, ...stores }: OfStores & { everyMs: number; againMs: number },
): Promise<Array<Row<'processors'>>> {
  return db
    .updateTable('processors')
    .set({ reconciledAt: sql<number>`real_now_ms() - ${everyMs}::bigint + ${againMs}::bigint` })
    .where(isOfThese('processors', stores))
    .where('credentials', 'like', 'v1.%')
    .where('health', '<>', 'broken')
    .where(sql<boolean>`coalesce(reconciled_at, created_at) <= real_now_ms() - ${everyMs}::bigint`)
    .returningAll()
    .execute();
}

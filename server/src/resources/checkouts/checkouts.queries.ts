/** All SQL of checkout sessions. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { CheckoutSessionsTable } from '../../db/schema/checkouts.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';

type NewSession = Omit<Insertable<CheckoutSessionsTable>, 'workspaceId' | 'testMode'>;

const insertion = keepQuery((db, row: Scope & NewSession) => db.insertInto('checkoutSessions').values(row));

export async function insertSession(db: Db, scope: Scope, session: NewSession): Promise<void> {
  await insertion(db, { ...scopeColumns(scope), ...session });
}

export async function findSessionById(
  db: Db,
  scope: Scope,
  id: string,
): Promise<Row<'checkoutSessions'> | undefined> {
  return db
    .selectFrom('checkoutSessions')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Two first calls of one page make one row: answers whether this one made it. */
export async function insertSessionOnce(db: Db, scope: Scope, session: NewSession): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('checkoutSessions')
    .values({ ...scopeColumns(scope), ...session })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The session that an order was made in; none for one that the API made. */
export async function findSessionOfOrder(
  db: Db,
  scope: Scope,
  orderId: string,
): Promise<Row<'checkoutSessions'> | undefined> {
  return db
    .selectFrom('checkoutSessions')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'checkoutSessions.workspaceId')
        .on('checkoutSessions.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'checkoutSessions.testMode')
        .onRef('orders.sessionId', '=', 'checkoutSessions.id'),
    )
    .selectAll('checkoutSessions')
    .where(inScope(scope, 'orders'))
    .where('orders.id', '=', orderId)
    .executeTakeFirst();
}

/**
 * Two tabs of one session submit one after the other, and so do all sessions of one opener (`orders.opened_by`), whose
 * open orders are counted.
 */
export async function lockSession(
  tx: Tx,
  scope: Scope,
  { id, openedBy }: { id: string; openedBy: string | null },
): Promise<Row<'checkoutSessions'> | undefined> {
  const session = tx
    .selectFrom('checkoutSessions')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate();
  if (openedBy === null) return session.executeTakeFirst();
  const row = await session.select(toOpenersLock(openedBy).as('locked')).executeTakeFirst();
  if (!row) return undefined;
  const { locked: _nothing, ...found } = row;
  return found;
}

/** A lock that no row stands for: the first order of an opener has nothing else to wait for. */
const toOpenersLock = (openedBy: string) =>
  sql<unknown>`pg_advisory_xact_lock(hashtextextended(${openedBy}, 0))`;

/** The same for an order that no session has made. */
export async function lockOpener(tx: Tx, openedBy: string): Promise<void> {
  await sql`select ${toOpenersLock(openedBy)}`.execute(tx);
}

type SessionChanges = Updateable<CheckoutSessionsTable> & { id: string };

const update = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & SessionChanges) =>
  db
    .updateTable('checkoutSessions')
    .set(changes)
    .where(inScope({ workspaceId, testMode }))
    .where('id', '=', id),
);

export async function updateSession(db: Db, scope: Scope, changes: SessionChanges): Promise<void> {
  await update(db, { ...changes, ...scopeColumns(scope) });
}

/** What the buyer sees of the last failed try. */
export async function updateSessionError(
  tx: Tx,
  scope: Scope,
  { id, error, ...open }: { id: string; error: { code: string; message: string }; expiresAt?: number | null },
): Promise<void> {
  const { expiresAt } = open;
  await updateSession(tx, scope, { id, lastError: toJson(error), ...(expiresAt ? { expiresAt } : {}) });
}

const errorClearing = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db
    .updateTable('checkoutSessions')
    .set({ lastError: null })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('lastError', 'is not', null),
);

/**
 * After a try that did not fail. A session without an error is not locked: another press of the button may hold it
 * and wait for the order.
 */
export async function clearSessionError(tx: Tx, scope: Scope, id: string): Promise<void> {
  await errorClearing(tx, { ...scopeColumns(scope), id });
}

/** The offers of an element in the order of its cart, and whether it is archived. */
export async function findElementCart(db: Db, scope: Scope, elementId: string) {
  const rows = await db
    .selectFrom('checkoutElements as e')
    .innerJoin('checkoutElementOffers as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'e.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'e.testMode')
        .onRef('o.elementId', '=', 'e.id'),
    )
    .select(['e.archivedAt', 'o.offerId'])
    .where(inScope(scope, 'e'))
    .where('e.id', '=', elementId)
    .orderBy('o.position')
    .execute();
  const first = rows[0];
  return first
    ? { isArchived: first.archivedAt !== null, offerIds: rows.map((row) => row.offerId) }
    : undefined;
}

/** The sites that an element's checkout is narrowed to; empty: none of its own. */
export async function listAllowedOrigins(db: Db, scope: Scope, elementId: string): Promise<string[]> {
  const element = await db
    .selectFrom('checkoutElements')
    .select('allowedOrigins')
    .where(inScope(scope))
    .where('id', '=', elementId)
    .executeTakeFirst();
  return element?.allowedOrigins ?? [];
}

/** The files that came with an order's items, and the pictures of what was bought, as the offers have them now. */
export async function listReceiptOffers(db: Db, scope: Scope, orderId: string) {
  return db
    .selectFrom('orderItems as i')
    .innerJoin('offers as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'i.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'i.testMode')
        .onRef('o.id', '=', 'i.offerId'),
    )
    .innerJoin('products as p', (join) =>
      join
        .onRef('p.workspaceId', '=', 'o.workspaceId')
        .on('p.workspaceId', '=', scope.workspaceId)
        .onRef('p.testMode', '=', 'o.testMode')
        .onRef('p.id', '=', 'o.productId'),
    )
    .leftJoin('files as f', (join) =>
      join
        .onRef('f.workspaceId', '=', 'o.workspaceId')
        .on('f.workspaceId', '=', scope.workspaceId)
        .onRef('f.testMode', '=', 'o.testMode')
        .onRef('f.id', '=', 'o.downloadFileId'),
    )
    .select((eb) => [
      'i.id as itemId',
      eb.fn.coalesce('o.cover', 'p.cover').as('cover'),
      'f.id as fileId',
      'f.fileName',
      'f.sizeBytes',
    ])
    .where(inScope(scope, 'i'))
    .where('i.orderId', '=', orderId)
    .execute();
}

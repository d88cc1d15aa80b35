/** All SQL of codes that let a buyer in. Times are real. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type PortalCodeRow = Row<'portalCodes'>;
export type NewCode = Omit<PortalCodeRow, 'workspaceId' | 'testMode' | 'tries' | 'userId'>;

/** Takes the place of what was asked for before at this mailbox. */
export async function replaceCode(tx: Tx, scope: Scope, code: NewCode): Promise<void> {
  await tx
    .insertInto('portalCodes')
    .values({ ...scopeColumns(scope), ...code })
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode', 'mailboxHash']).doUpdateSet({ ...code, userId: null, tries: 0 }),
    )
    .execute();
}

export async function findCode(db: Db, scope: Scope, id: string): Promise<PortalCodeRow | undefined> {
  return db
    .selectFrom('portalCodes')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What the browser asked for last. */
export async function findCodeOfBrowser(
  db: Db,
  scope: Scope,
  browserHash: string,
): Promise<PortalCodeRow | undefined> {
  return db
    .selectFrom('portalCodes')
    .selectAll()
    .where(inScope(scope))
    .where('browserHash', '=', browserHash)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findCodeOfMailbox(
  db: Db,
  scope: Scope,
  mailboxHash: string,
): Promise<PortalCodeRow | undefined> {
  return db
    .selectFrom('portalCodes')
    .selectAll()
    .where(inScope(scope))
    .where('mailboxHash', '=', mailboxHash)
    .executeTakeFirst();
}

/** A try, counted before it is looked at: false once there were as many as may be, or its time is over. */
export async function takeTry(
  db: Db,
  scope: Scope,
  { id, max, nowMs }: { id: string; max: number; nowMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('portalCodes')
    .set({ tries: sql<number>`tries + 1` })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('tries', '<', max)
    .where('endsAt', '>', nowMs)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Used up: of two at once one gets it. */
export async function takeCode(tx: Tx, scope: Scope, id: string): Promise<PortalCodeRow | undefined> {
  return tx
    .deleteFrom('portalCodes')
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Its mail is on its way: what was typed is let go, and the mailbox is known now also where a purchase named it. */
export async function bindCode(
  tx: Tx,
  scope: Scope,
  { id, userId, mailboxHash }: { id: string; userId: string | null; mailboxHash: string },
): Promise<void> {
  await tx
    .deleteFrom('portalCodes')
    .where(inScope(scope))
    .where('mailboxHash', '=', mailboxHash)
    .where('id', '!=', id)
    .execute();
  await tx
    .updateTable('portalCodes')
    .set({ asked: null, userId, mailboxHash })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

/** Whose purchase it is, by an order's number or a key that was sold. */
export async function findBuyerOfPurchase(
  db: Db,
  scope: Scope,
  { orderNumber, key }: { orderNumber: string | null; key: string },
): Promise<string | undefined> {
  if (orderNumber !== null) {
    const order = await db
      .selectFrom('orders')
      .select('userId')
      .where(inScope(scope))
      .where('number', '=', orderNumber)
      .executeTakeFirst();
    if (order) return order.userId;
  }
  const sold = await db
    .selectFrom('offerKeys as k')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'k.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'k.testMode')
        .onRef('o.id', '=', 'k.orderId'),
    )
    .select('o.userId')
    .where(inScope(scope, 'k'))
    // As the index has it.
    .where(sql<string>`md5(k.key_text)`, '=', sql<string>`md5(${key})`)
    .where('k.orderId', 'is not', null)
    .where('k.keyText', '=', key)
    .where('k.status', '=', 'sold')
    .executeTakeFirst();
  return sold?.userId;
}

/** All SQL of changes of a buyer's e-mail. Times are real. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type EmailChangeRow = Row<'portalEmailChanges'>;
type NewChange = Pick<
  EmailChangeRow,
  'id' | 'userId' | 'oldEmail' | 'newEmail' | 'language' | 'createdAt' | 'codeEndsAt' | 'endsAt'
>;

export async function insertEmailChange(tx: Tx, scope: Scope, change: NewChange): Promise<void> {
  await tx
    .insertInto('portalEmailChanges')
    .values({ ...scopeColumns(scope), ...change })
    .execute();
}

export async function findEmailChange(db: Db, scope: Scope, id: string): Promise<EmailChangeRow | undefined> {
  return db
    .selectFrom('portalEmailChanges')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What a user asked for last: its code alone is good. */
export async function findLastEmailChange(
  db: Db,
  scope: Scope,
  userId: string,
): Promise<EmailChangeRow | undefined> {
  return db
    .selectFrom('portalEmailChanges')
    .selectAll()
    .where(inScope(scope))
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A try, counted before it is looked at: false once there were as many as may be, or its time is over. */
export async function takeEmailTry(
  db: Db,
  scope: Scope,
  { id, max, nowMs }: { id: string; max: number; nowMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('portalEmailChanges')
    .set({ tries: sql<number>`tries + 1` })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('tries', '<', max)
    .where('codeEndsAt', '>', nowMs)
    .where('changedAt', 'is', null)
    .where('stoppedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Used up: of two at once one gets it. */
export async function closeEmailChange(
  tx: Tx,
  scope: Scope,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('portalEmailChanges')
    .set({ changedAt: nowMs })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('changedAt', 'is', null)
    .where('stoppedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stops a change and all that were asked for after it: whoever asked was not the one whose mailbox it is. */
export async function stopEmailChanges(
  tx: Tx,
  scope: Scope,
  { userId, createdAt, nowMs }: { userId: string; createdAt: number; nowMs: number },
): Promise<EmailChangeRow[]> {
  return tx
    .updateTable('portalEmailChanges')
    .set({ stoppedAt: nowMs })
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('createdAt', '>=', createdAt)
    .where('stoppedAt', 'is', null)
    .returningAll()
    .execute();
}

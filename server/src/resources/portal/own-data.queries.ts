/** What of a buyer lies in rows that no object of the API shows as a whole: for the copy that they ask for. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { listSpellings } from '../../domain/email.ts';
import { toTexts } from '../../domain/mails/kept-letter.ts';

interface Whose {
  userId: string;
  email: string | null;
}

export async function listOrderIdsOf(db: Db, scope: Scope, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where(inScope(scope))
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}

export async function listSubscriptionIdsOf(db: Db, scope: Scope, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}

const ordersOf = (scope: Scope, userId: string) =>
  sql`(select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId})`;

/** What was typed at checkouts, and from where. */
export async function listFormsOf(db: Db, scope: Scope, { userId, email }: Whose) {
  const { rows } = await sql<{ form: object; ipAddress: string | null; createdAt: number }>`
    select c.form, c.ip_address, c.created_at from checkout_sessions c
    where ${inScope(scope, 'c')} and (c.order_id in ${ordersOf(scope, userId)}
      or c.order_id is null and lower(c.form ->> 'email') = any(${listSpellings(email ?? '')}::text[]))
    order by c.created_at`.execute(db);
  return rows;
}

/** Of mails that let somebody in there is no text: see `secretKinds`. */
export async function listMailsOf(
  db: Db,
  scope: Scope,
  { email, secretKinds }: Whose & { secretKinds: readonly string[] },
) {
  if (email === null) return [];
  const mails = await db
    .selectFrom('mails')
    .select(['kind', 'status', 'subject', 'createdAt', 'sentAt', 'letter', 'html', 'plain'])
    .where(inScope(scope))
    .where(sql<string>`lower(recipient)`, 'in', listSpellings(email))
    .orderBy('createdAt')
    .execute();
  return mails.map(({ letter, html, plain, ...mail }) => ({
    ...mail,
    text: secretKinds.includes(mail.kind) ? null : toTexts({ letter, html, plain }).plain,
  }));
}

export async function listNotesOf(db: Db, scope: Scope, userId: string) {
  const { rows } = await sql<{ object: string; text: string; createdAt: number }>`
    select n.object, n.text, n.created_at from notes n
    where ${inScope(scope, 'n')} and (n.object_id = ${userId}::uuid or n.object_id in ${ordersOf(scope, userId)})
    order by n.created_at`.execute(db);
  return rows;
}

/** What the user has done in the portal, and what was done to the user. */
export async function listActsOf(db: Db, scope: Scope, userId: string) {
  const { rows } = await sql<{
    operation: string;
    byBuyer: boolean;
    objectId: string | null;
    createdAt: number;
  }>`
    select a.operation, a.actor = ${`user:${userId}`} as by_buyer, a.object_id, a.created_at from audit_log a
    where ${inScope(scope, 'a')} and (a.object_id = ${userId} or a.actor = ${`user:${userId}`})
    order by a.created_at`.execute(db);
  return rows;
}

export async function listWithdrawalsOf(db: Db, scope: Scope, { userId, email }: Whose) {
  return db
    .selectFrom('withdrawals')
    .select(['number', 'orderNumber', 'part', 'name', 'email', 'language', 'source', 'receivedAt'])
    .select(['acknowledgedAt', 'status', 'reason', 'sha256'])
    .where(inScope(scope))
    .where(({ or, eb }) =>
      or([eb('userId', '=', userId), eb(sql`lower(email)`, 'in', listSpellings(email ?? ''))]),
    )
    .orderBy('receivedAt')
    .execute();
}

export async function listNoticesOf(db: Db, scope: Scope, { userId, email }: Whose) {
  return db
    .selectFrom('cancellationNotices')
    .select(['number', 'type', 'statedReason', 'contractNumber', 'endDate', 'name', 'email', 'source'])
    .select(['receivedAt', 'acknowledgedAt', 'status', 'sha256'])
    .where(inScope(scope))
    .where(({ or, eb }) =>
      or([eb('userId', '=', userId), eb(sql`lower(email)`, 'in', listSpellings(email ?? ''))]),
    )
    .orderBy('receivedAt')
    .execute();
}

/** All SQL of proofs: browsers that may charge the stored card of a subscription. Times are real. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { OverRows } from '../../db/over-rows.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type NewPayerProof = Omit<Row<'payerProofs'>, 'workspaceId' | 'testMode'>;

/** Whose subscription it is, and where they are written to; null where there is no mailbox or no stored method. */
export interface Payer {
  userId: string;
  email: string;
  language: string | null;
}

export async function findPayer(db: Db, scope: Scope, subscriptionId: string): Promise<Payer | null> {
  const row = await db
    .selectFrom('subscriptions as s')
    .innerJoin('users as u', (join) =>
      join
        .onRef('u.workspaceId', '=', 's.workspaceId')
        .on('u.workspaceId', '=', scope.workspaceId)
        .onRef('u.testMode', '=', 's.testMode')
        .onRef('u.id', '=', 's.userId'),
    )
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 's.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 's.testMode')
        .onRef('o.id', '=', 's.orderId'),
    )
    .leftJoin('checkoutSessions as c', (join) =>
      join
        .onRef('c.workspaceId', '=', 'o.workspaceId')
        .on('c.workspaceId', '=', scope.workspaceId)
        .onRef('c.testMode', '=', 'o.testMode')
        .onRef('c.id', '=', 'o.sessionId'),
    )
    .select(['u.id as userId', 'u.email'])
    .select((eb) => eb.fn.coalesce('u.language', 'c.language', 'o.language').as('language'))
    .where(inScope(scope, 's'))
    .where('s.id', '=', subscriptionId)
    .where('s.paymentMethodId', 'is not', null)
    .executeTakeFirst();
  return row?.email ? { ...row, email: row.email } : null;
}

/** Writes what a link has proved, unless it was opened before. */
export async function insertPayerProof(tx: Tx, scope: Scope, proof: NewPayerProof): Promise<boolean> {
  const row = await tx
    .insertInto('payerProofs')
    .values({ ...scopeColumns(scope), ...proof })
    .onConflict((conflict) => conflict.doNothing())
    .returning('linkHash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function isLinkUsed(
  db: Db,
  scope: Scope,
  { subscriptionId, linkHash }: { subscriptionId: string; linkHash: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('payerProofs')
    .select('linkHash')
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('linkHash', '=', linkHash)
    .executeTakeFirst();
  return row !== undefined;
}

export interface AskedProof {
  subscriptionId: string;
  userId: string;
  mailboxHash: string;
  browserHash: string;
  nowMs: number;
}

/** Whether the browser has proved, lately, to be this user at this mailbox. */
export async function hasPayerProof(db: Db, scope: Scope, asked: AskedProof): Promise<boolean> {
  const row = await db
    .selectFrom('payerProofs')
    .select('linkHash')
    .where(inScope(scope))
    .where('subscriptionId', '=', asked.subscriptionId)
    .where('userId', '=', asked.userId)
    .where('mailboxHash', '=', asked.mailboxHash)
    .where('browserHash', '=', asked.browserHash)
    .where('endsAt', '>', asked.nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Proofs whose links open nothing any more. */
export const OLD_PROOFS: OverRows = {
  table: 'payer_proofs',
  key: { subscription_id: 'uuid', link_hash: 'text' },
  isOver: sql`r.kept_until <= (select real_now_ms())`,
  since: sql`r.kept_until`,
};

/**
 * What the links of browsers lead to, which hold no key. Tokens name their workspace, so that one node of a spread store
 * is asked; those of before do not, nor do ids of offers, elements and files: their store is found by them alone.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { readWorkspace } from '../../domain/link-token.ts';

/** Of the workspace that the token names; one of before, which names none, is looked for among those. */
function isOfNamed(token: string, column = 'token') {
  const workspaceId = readWorkspace(token);
  return workspaceId === null
    ? sql<SqlBool>`position('.' in ${sql.ref(column)}) = 0`
    : sql<SqlBool>`workspace_id = ${workspaceId}`;
}

/** The session of a link; its token alone finds the store. */
export async function findSession(db: Db, token: string): Promise<Row<'checkoutSessions'> | undefined> {
  return db
    .selectFrom('checkoutSessions')
    .selectAll()
    .where('token', '=', token)
    .where(isOfNamed(token))
    .executeTakeFirst();
}

/** The document behind the secret of its link; the secret alone finds the store. */
export async function findDocumentByToken(db: Db, token: string): Promise<Row<'invoices'> | undefined> {
  return db
    .selectFrom('invoices')
    .selectAll()
    .where('token', '=', token)
    .where(isOfNamed(token))
    .executeTakeFirst();
}

/** The payment of a subscription behind the secret of its page; the secret alone finds the store. */
export async function findDebtByToken(db: Db, payToken: string) {
  return db
    .selectFrom('payments')
    .select(['workspaceId', 'testMode', 'id', 'orderId', 'type', 'subscriptionId'])
    .where('payToken', '=', payToken)
    .where(isOfNamed(payToken, 'pay_token'))
    .executeTakeFirst();
}

/** A file by the id in a link. */
export async function findLinkedFile(db: Db, id: string): Promise<Row<'files'> | undefined> {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The store of a file by the id in a link. */
export async function findFileScope(db: Db, id: string): Promise<Scope | undefined> {
  return db.selectFrom('files').select(['workspaceId', 'testMode']).where('id', '=', id).executeTakeFirst();
}

/** The store that a checkout link belongs to: an offer's or an element's; within one workspace where that is known. */
export async function findOfferScope(
  db: Db,
  id: string,
  workspaceId: string | null = null,
): Promise<Scope | undefined> {
  return db
    .selectFrom('offers')
    .select(['workspaceId', 'testMode'])
    .where('id', '=', id)
    .where(isOfKnown(workspaceId))
    .executeTakeFirst();
}

export async function findElementScope(
  db: Db,
  id: string,
  workspaceId: string | null = null,
): Promise<Scope | undefined> {
  return db
    .selectFrom('checkoutElements')
    .select(['workspaceId', 'testMode'])
    .where('id', '=', id)
    .where(isOfKnown(workspaceId))
    .executeTakeFirst();
}

const isOfKnown = (workspaceId: string | null) =>
  workspaceId === null ? sql<SqlBool>`true` : sql<SqlBool>`workspace_id = ${workspaceId}`;

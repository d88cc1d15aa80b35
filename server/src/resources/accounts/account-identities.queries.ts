/** Who an account is at an identity provider. */
import type { Db, Tx } from '../../db/database.ts';

export interface Identity {
  issuer: string;
  subject: string;
}

/** The account's id. */
export async function findIdentity(db: Db, { issuer, subject }: Identity): Promise<string | null> {
  const row = await db
    .selectFrom('accountIdentities')
    .select('accountId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

/** Whether an account is somebody at that provider already. */
export async function hasIdentity(
  db: Db,
  { issuer, accountId }: { issuer: string; accountId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('accountIdentities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteIdentities(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('accountIdentities').where('accountId', '=', accountId).execute();
}

export async function bindIdentity(
  tx: Tx,
  identity: Identity & { accountId: string; createdAt: number },
): Promise<void> {
  await tx
    .insertInto('accountIdentities')
    .values(identity)
    .onConflict((oc) => oc.columns(['issuer', 'subject']).doNothing())
    .execute();
}

/** What proves an account beside its password: a secret of codes, recovery codes, passkeys. */
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';

export async function findTotp(db: Db, accountId: string): Promise<Row<'accountTotp'> | undefined> {
  return db.selectFrom('accountTotp').selectAll().where('accountId', '=', accountId).executeTakeFirst();
}

/** A secret that waits for its first code; false where there is one that counts already. */
export async function beginTotp(
  tx: Tx,
  { accountId, secret, createdAt }: { accountId: string; secret: string; createdAt: number },
): Promise<boolean> {
  const begun = await tx
    .insertInto('accountTotp')
    .values({ accountId, secret, createdAt, confirmedAt: null })
    .onConflict((oc) =>
      oc.column('accountId').doUpdateSet({ secret, createdAt }).where('accountTotp.confirmedAt', 'is', null),
    )
    .returning('accountId')
    .executeTakeFirst();
  return begun !== undefined;
}

/** A step counts once: false where it, or a later one, was used. */
export async function takeTotpStep(
  db: Db,
  { accountId, step, confirmedAt }: { accountId: string; step: number; confirmedAt?: number },
): Promise<boolean> {
  const taken = await db
    .updateTable('accountTotp')
    .set({ lastStep: step, ...(confirmedAt === undefined ? {} : { confirmedAt }) })
    .where('accountId', '=', accountId)
    .where('lastStep', '<', step)
    .returning('accountId')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteTotp(tx: Tx, accountId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('accountTotp')
    .where('accountId', '=', accountId)
    .returning('confirmedAt')
    .executeTakeFirst();
  return gone !== undefined;
}

/** New ones; those before are worth nothing. */
export async function replaceRecoveryCodes(
  tx: Tx,
  { accountId, hashes }: { accountId: string; hashes: readonly string[] },
): Promise<void> {
  await tx.deleteFrom('accountRecoveryCodes').where('accountId', '=', accountId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('accountRecoveryCodes')
    .values(hashes.map((codeHash) => ({ accountId, codeHash })))
    .execute();
}

/** Uses one up; false for one that is none, or was used. */
export async function takeRecoveryCode(
  db: Db,
  { accountId, codeHash, usedAt }: { accountId: string; codeHash: string; usedAt: number },
): Promise<boolean> {
  const taken = await db
    .updateTable('accountRecoveryCodes')
    .set({ usedAt })
    .where('accountId', '=', accountId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returning('codeHash')
    .executeTakeFirst();
  return taken !== undefined;
}

export type PasskeyRow = Row<'accountPasskeys'>;

export async function listPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('accountPasskeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('accountPasskeys')
    .selectAll()
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
}

export async function insertPasskey(tx: Tx, passkey: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> {
  const made = await tx
    .insertInto('accountPasskeys')
    .values(passkey)
    .onConflict((oc) => oc.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

export async function updatePasskeyUse(
  db: Db,
  { id, counter, lastUsedAt }: { id: string; counter: number; lastUsedAt: number },
): Promise<void> {
  await db.updateTable('accountPasskeys').set({ counter, lastUsedAt }).where('id', '=', id).execute();
}

export async function deletePasskey(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('accountPasskeys')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** All that an account has, but its password and its identities elsewhere. */
export async function deleteFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('accountTotp').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('accountRecoveryCodes').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('accountPasskeys').where('accountId', '=', accountId).execute();
}

/** Key pairs of a workspace and mode. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { ApiKeysTable, Row } from '../../db/schema.ts';

export interface KeyPair {
  keyId: string;
  workspaceId: string;
  testMode: boolean;
  workspaceState: Row<'workspaces'>['state'];
  secretHash: string;
  scopes: string[] | null;
  readRequiresSecret: boolean;
  amounts: 'minor' | 'major';
  expiresAt: number | null;
  revokedAt: number | null;
}

/** The one query without a scope: it is what finds the scope. */
export async function findKeyPair(db: Db, publicKey: string): Promise<KeyPair | undefined> {
  return db
    .selectFrom('apiKeys')
    .innerJoin('workspaces', 'workspaces.id', 'apiKeys.workspaceId')
    .select([
      'apiKeys.id as keyId',
      'apiKeys.workspaceId',
      'apiKeys.testMode',
      'workspaces.state as workspaceState',
      'apiKeys.secretHash',
      'apiKeys.scopes',
      'apiKeys.readRequiresSecret',
      'apiKeys.amounts',
      'apiKeys.expiresAt',
      'apiKeys.revokedAt',
    ])
    .where('apiKeys.publicKey', '=', publicKey)
    .executeTakeFirst();
}

export async function insertKeyPair(
  tx: Tx,
  pair: Omit<Insertable<ApiKeysTable>, 'lastUsedAt'>,
): Promise<void> {
  await tx.insertInto('apiKeys').values(pair).execute();
}

/** The pair of a public key, for the operator's commands. */
export async function lockKeyPair(tx: Tx, publicKey: string): Promise<Row<'apiKeys'> | undefined> {
  return tx
    .selectFrom('apiKeys')
    .selectAll()
    .where('publicKey', '=', publicKey)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateKeyPair(
  tx: Tx,
  {
    workspaceId,
    id,
    ...changes
  }: { workspaceId: string; id: string; expiresAt?: number; revokedAt?: number },
): Promise<void> {
  await tx
    .updateTable('apiKeys')
    .set(changes)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Every pair with its workspace, oldest first, for the operator. */
export async function listKeyPairs(db: Db) {
  return db
    .selectFrom('apiKeys')
    .innerJoin('workspaces', 'workspaces.id', 'apiKeys.workspaceId')
    .selectAll('apiKeys')
    .select('workspaces.name as workspaceName')
    .orderBy('apiKeys.createdAt')
    .orderBy('apiKeys.id')
    .execute();
}

/** Notes that pairs were used; `usedAt` in real ms by key id. */
export async function updateLastUsed(
  db: Db,
  uses: Array<{ workspaceId: string; keyId: string; usedAt: number }>,
) {
  for (const use of uses) {
    await db
      .updateTable('apiKeys')
      .set({ lastUsedAt: use.usedAt })
      .where('workspaceId', '=', use.workspaceId)
      .where('id', '=', use.keyId)
      .execute();
  }
}

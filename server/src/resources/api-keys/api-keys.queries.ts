/** Key pairs of a workspace and mode. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { containing, endingWith, onPage, type Page } from '../../db/list.ts';
import type { ApiKeysTable } from '../../db/schema/api-keys.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isSeen } from '../workspaces/restoring.sql.ts';

export interface KeyPair {
  keyId: string;
  workspaceId: string;
  testMode: boolean;
  workspaceState: Row<'workspaces'>['state'];
  secretHash: string;
  scopes: string[] | null;
  ipAllowList: string[] | null;
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
      'apiKeys.ipAllowList',
      'apiKeys.readRequiresSecret',
      'apiKeys.amounts',
      'apiKeys.expiresAt',
      'apiKeys.revokedAt',
    ])
    .where('apiKeys.publicKey', '=', publicKey)
    .where(isSeen('workspaces'))
    .executeTakeFirst();
}

export async function insertKeyPair(tx: Tx, pair: Insertable<ApiKeysTable>): Promise<void> {
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

/** The pair of an id, of the store that is asked alone. */
export async function lockKeyPairOfStore(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'apiKeys'> | undefined> {
  return tx
    .selectFrom('apiKeys')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateKeyPair(
  tx: Tx,
  { workspaceId, id, ...changes }: { workspaceId: string; id: string } & Updateable<ApiKeysTable>,
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
    .where(isSeen('workspaces'))
    .orderBy('apiKeys.createdAt')
    .orderBy('apiKeys.id')
    .execute();
}

/** A pair and its last use. */
export type UsedKeyPair = Row<'apiKeys'> & { lastUsedAt: number | null; lastUsedAddress: string | null };

function used(db: Db, scope: Scope) {
  const { workspaceId } = scope;
  return db
    .selectFrom('apiKeys')
    .leftJoin('apiKeyUses', (join) =>
      join.onRef('apiKeyUses.keyId', '=', 'apiKeys.id').on('apiKeyUses.workspaceId', '=', workspaceId),
    )
    .where(inScope(scope, 'apiKeys'))
    .selectAll('apiKeys')
    .select(['apiKeyUses.lastUsedAt', 'apiKeyUses.address as lastUsedAddress']);
}

export async function findUsedKeyPair(db: Db, scope: Scope, id: string): Promise<UsedKeyPair | undefined> {
  return used(db, scope).where('apiKeys.id', '=', id).executeTakeFirst();
}

export interface KeyPairFilter {
  /** With pairs that are revoked or over. */
  withEnded: boolean;
  /** Part of the name, or the last of the public key. */
  term?: string | undefined;
  /** Real time. */
  nowMs: number;
}

function filtered(db: Db, scope: Scope, { withEnded, term, nowMs }: KeyPairFilter) {
  let query = used(db, scope);
  if (!withEnded) query = query.where(living(nowMs));
  if (term) {
    query = query.where((eb) =>
      eb.or([
        eb('apiKeys.name', 'ilike', containing(term)),
        eb('apiKeys.publicKey', 'like', endingWith(term)),
      ]),
    );
  }
  return query;
}

/** Newest first. */
export async function listUsedKeyPairs(
  db: Db,
  scope: Scope,
  { page, filter }: { page: Page; filter: KeyPairFilter },
): Promise<UsedKeyPair[]> {
  const sort = { by: 'apiKeys.createdAt', id: 'apiKeys.id', direction: 'desc' } as const;
  return onPage(filtered(db, scope, filter), page, sort).execute();
}

/** What works at `nowMs`. */
const living = (nowMs: number) =>
  sql<SqlBool>`api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > ${nowMs})`;

/** How many pairs of a store there are. */
export async function countKeyPairs(db: Db, scope: Scope, filter: KeyPairFilter): Promise<number> {
  const { count } = await filtered(db, scope, filter)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface KeyUse {
  workspaceId: string;
  keyId: string;
  /** Real time. */
  usedAt: number;
  address: string | null;
}

/** Notes that pairs were used. Of two processes the later use stays. */
export async function updateLastUsed(db: Db, uses: KeyUse[]): Promise<void> {
  for (const { usedAt: lastUsedAt, ...use } of uses) {
    await db
      .insertInto('apiKeyUses')
      .values({ ...use, lastUsedAt })
      .onConflict((oc) =>
        oc
          .columns(['workspaceId', 'keyId'])
          .doUpdateSet((eb) => ({
            lastUsedAt: eb.ref('excluded.lastUsedAt'),
            address: eb.ref('excluded.address'),
          }))
          .whereRef('apiKeyUses.lastUsedAt', '<', 'excluded.lastUsedAt'),
      )
      .execute();
  }
}

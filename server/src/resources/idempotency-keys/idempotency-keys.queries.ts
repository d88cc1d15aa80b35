/** What an Idempotency-Key stands for: the request it came with, the row it made, the answer it got. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export interface IdempotencyKey {
  fingerprint: string;
  resourceId: string | null;
  response: string | null;
  /** Whether the request that began it may still be running (real time of the database). */
  isLeased: boolean;
}

const RETENTION_MS = 24 * 3_600_000;

export async function findIdempotencyKey(
  db: Db,
  scope: Scope,
  key: string,
): Promise<IdempotencyKey | undefined> {
  return db
    .selectFrom('idempotencyKeys')
    .select([
      'fingerprint',
      'resourceId',
      'response',
      sql<boolean>`lease_until > real_now_ms()`.as('isLeased'),
    ])
    .where(inScope(scope))
    .where('key', '=', key)
    .where('createdAt', '>', sql<number>`real_now_ms() - ${RETENTION_MS}`)
    .executeTakeFirst();
}

/**
 * Begins a key; false when another request has begun it meanwhile. Waits for a transaction that holds the
 * same key. A key older than its 24 h is taken over.
 */
export async function insertIdempotencyKey(
  tx: Tx,
  scope: Scope,
  begun: {
    key: string;
    fingerprint: string;
    resourceId: string | null;
    response: string | null;
    leaseMs: number;
  },
): Promise<boolean> {
  const row = {
    fingerprint: begun.fingerprint,
    resourceId: begun.resourceId,
    response: begun.response,
    leaseUntil: sql<number>`real_now_ms() + ${begun.leaseMs}`,
    createdAt: sql<number>`real_now_ms()`,
  };
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({ ...scopeColumns(scope), key: begun.key, ...row })
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'key'])
        .doUpdateSet(row)
        .where('idempotencyKeys.createdAt', '<=', sql<number>`real_now_ms() - ${RETENTION_MS}`),
    )
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Takes over a key whose request died; false when another replay was quicker. */
export async function leaseIdempotencyKey(
  db: Db,
  scope: Scope,
  key: string,
  leaseMs: number,
): Promise<boolean> {
  const row = await db
    .updateTable('idempotencyKeys')
    .set({ leaseUntil: sql<number>`real_now_ms() + ${leaseMs}` })
    .where(inScope(scope))
    .where('key', '=', key)
    .where('response', 'is', null)
    .where('leaseUntil', '<=', sql<number>`real_now_ms()`)
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateIdempotencyResponse(
  db: Db,
  scope: Scope,
  key: string,
  response: string,
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ response, leaseUntil: 0 })
    .where(inScope(scope))
    .where('key', '=', key)
    .execute();
}

/** After a crash of the request the next replay may go on at once. */
export async function releaseIdempotencyKey(db: Db, scope: Scope, key: string): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ leaseUntil: 0 })
    .where(inScope(scope))
    .where('key', '=', key)
    .execute();
}

export async function deleteIdempotencyKey(db: Db, scope: Scope, key: string): Promise<void> {
  await db.deleteFrom('idempotencyKeys').where(inScope(scope)).where('key', '=', key).execute();
}

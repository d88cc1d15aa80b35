/** What an Idempotency-Key stands for: the request it came with, the row it made, the answer it got. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { isLeased } from '../../db/lease.ts';
import type { OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import type { NamedObject } from '../../domain/errors.ts';
import { type AskedKey, KEY_LEASE_MS, KEY_RETENTION_MS } from './key-times.sql.ts';

export interface IdempotencyKey {
  fingerprint: string;
  resourceId: string | null;
  response: string | null;
  /** What was made, where the answer is not kept. */
  made: NamedObject[] | null;
  /** Whether the request that began it may still be running (real time of the database). */
  isLeased: boolean;
}

/**
 * Its 24 h are over, and nobody is at work under it: the request that went on from its row in the last of its minutes
 * keeps it to its end. Now is asked for once, or the index would be read to its end.
 */
const isOver = (now: RawBuilder<unknown>, row = 'idempotency_keys') => sql<SqlBool>`(
  ${sql.ref(`${row}.created_at`)} <= ${now} - ${KEY_RETENTION_MS}::bigint
  and not ${isLeased(sql.ref(`${row}.lease_until`), KEY_LEASE_MS, now)})`;
const NOW = sql`(select real_now_ms())`;
const IS_OVER = isOver(NOW);

export async function findIdempotencyKey(
  db: Db,
  scope: Scope,
  { asker, key }: AskedKey,
): Promise<IdempotencyKey | undefined> {
  return db
    .selectFrom('idempotencyKeys')
    .select([
      'fingerprint',
      'resourceId',
      'response',
      'made',
      sql<boolean>`${isLeased(sql`lease_until`, KEY_LEASE_MS)}`.as('isLeased'),
    ])
    .where(inScope(scope))
    .where('asker', '=', asker)
    .where('key', '=', key)
    .where(sql<SqlBool>`not ${IS_OVER}`)
    .executeTakeFirst();
}

/**
 * Begins a key, and answers until when it is leased; null when another request has begun it meanwhile. Waits for a
 * transaction that holds the same key. One whose time is over is taken over.
 */
export async function insertIdempotencyKey(
  tx: Tx,
  scope: Scope,
  { asker, key, ...begun }: AskedKey & { fingerprint: string; resourceId: string | null },
): Promise<number | null> {
  const row = {
    fingerprint: begun.fingerprint,
    resourceId: begun.resourceId,
    response: null,
    made: null,
    leaseUntil: sql<number>`real_now_ms() + ${KEY_LEASE_MS}`,
    createdAt: sql<number>`real_now_ms()`,
  };
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({ ...scopeColumns(scope), asker, key, ...row })
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'asker', 'key'])
        .doUpdateSet((eb) => ({
          ...row,
          leaseUntil: eb.ref('excluded.leaseUntil'),
          createdAt: eb.ref('excluded.createdAt'),
        }))
        .where(isOver(sql`excluded.created_at`)),
    )
    .returning('leaseUntil')
    .executeTakeFirst();
  return inserted?.leaseUntil ?? null;
}

/** Takes over a key whose request died, and answers until when; null when another replay was quicker. */
export async function leaseIdempotencyKey(
  db: Db,
  scope: Scope,
  { asker, key }: AskedKey,
): Promise<number | null> {
  const row = await db
    .updateTable('idempotencyKeys')
    .set({ leaseUntil: sql<number>`real_now_ms() + ${KEY_LEASE_MS}` })
    .where(inScope(scope))
    .where('asker', '=', asker)
    .where('key', '=', key)
    .where('response', 'is', null)
    .where('made', 'is', null)
    .where(sql<SqlBool>`not ${isLeased(sql`lease_until`, KEY_LEASE_MS, sql`real_now_ms()`)}`)
    .returning('leaseUntil')
    .executeTakeFirst();
  return row?.leaseUntil ?? null;
}

export async function updateIdempotencyResponse(
  db: Db,
  scope: Scope,
  { asker, key, response, made }: AskedKey & { response: string | null; made: NamedObject[] | null },
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ response, made: made && toJson(made), leaseUntil: 0 })
    .where(inScope(scope))
    .where('asker', '=', asker)
    .where('key', '=', key)
    .execute();
}

/** After a crash of the request the next replay may go on at once. One that has taken it over since keeps it. */
export async function releaseIdempotencyKey(
  db: Db,
  scope: Scope,
  { asker, key, leaseUntil }: AskedKey & { leaseUntil: number },
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set({ leaseUntil: 0 })
    .where(inScope(scope))
    .where('asker', '=', asker)
    .where('key', '=', key)
    .where('leaseUntil', '=', leaseUntil)
    .execute();
}

export async function deleteIdempotencyKey(db: Db, scope: Scope, { asker, key }: AskedKey): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where(inScope(scope))
    .where('asker', '=', asker)
    .where('key', '=', key)
    .execute();
}

/** Keys whose time is over. */
export const OLD_KEYS: OverRows = {
  table: 'idempotency_keys',
  key: { asker: 'text', key: 'text' },
  isOver: isOver(NOW, 'r'),
  since: sql`r.created_at`,
};

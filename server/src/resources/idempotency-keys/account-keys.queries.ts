/** Idempotency keys of what belongs to no store: ways in, accounts, the installation, the doors of portals. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isLeased } from '../../db/lease.ts';
import { type AskedKey, KEY_LEASE_MS, KEY_RETENTION_MS } from './key-times.sql.ts';

export interface AccountKey {
  fingerprint: string;
  isEnded: boolean;
  /** Null while nothing was answered, and of an answer that is not kept. */
  response: string | null;
}

const isRunning = (now: RawBuilder<unknown>) =>
  isLeased(sql`account_idempotency_keys.lease_until`, KEY_LEASE_MS, now);
const isOver = (
  now: RawBuilder<unknown>,
) => sql<SqlBool>`(account_idempotency_keys.created_at <= ${now} - ${KEY_RETENTION_MS}::bigint
  and not ${isRunning(now)})`;
const IS_OVER = isOver(sql`real_now_ms()`);
/** When the key that is put in the place of another begins. */
const BEGUN = sql`excluded.created_at`;
const HAS_DIED = sql<SqlBool>`(account_idempotency_keys.ended_at is null and not ${isRunning(BEGUN)})`;

/** Begins a key, or takes over that of the same request which died; false when it is somebody's or ended. */
export async function beginAccountKey(
  db: Db,
  { asker, key, fingerprint }: AskedKey & { fingerprint: string },
): Promise<boolean> {
  const row = {
    fingerprint,
    response: null,
    endedAt: null,
    leaseUntil: sql<number>`real_now_ms() + ${KEY_LEASE_MS}`,
    createdAt: sql<number>`real_now_ms()`,
  };
  const begun = await db
    .insertInto('accountIdempotencyKeys')
    .values({ asker, key, ...row })
    .onConflict((oc) =>
      oc
        .columns(['asker', 'key'])
        .doUpdateSet((eb) => ({
          ...row,
          leaseUntil: eb.ref('excluded.leaseUntil'),
          createdAt: eb.ref('excluded.createdAt'),
        }))
        .where(
          sql<SqlBool>`${isOver(BEGUN)} or (account_idempotency_keys.fingerprint = ${fingerprint} and ${HAS_DIED})`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return begun !== undefined;
}

export async function findAccountKey(db: Db, { asker, key }: AskedKey): Promise<AccountKey | undefined> {
  return db
    .selectFrom('accountIdempotencyKeys')
    .select(['fingerprint', 'response', sql<boolean>`ended_at is not null`.as('isEnded')])
    .where('asker', '=', asker)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Keeps the answer; null = that there was one. */
export async function endAccountKey(
  db: Db,
  { asker, key }: AskedKey,
  response: string | null,
): Promise<void> {
  await db
    .updateTable('accountIdempotencyKeys')
    .set({ response, endedAt: sql<number>`real_now_ms()`, leaseUntil: 0 })
    .where('asker', '=', asker)
    .where('key', '=', key)
    .execute();
}

/** As if it had never been begun. */
export async function freeAccountKey(db: Db, { asker, key }: AskedKey): Promise<void> {
  await db.deleteFrom('accountIdempotencyKeys').where('asker', '=', asker).where('key', '=', key).execute();
}

/** Deletes up to `limit` keys whose time is over, oldest first; answers how many. */
export async function deleteOldAccountKeys(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as (
      select asker, key from account_idempotency_keys
      where ${IS_OVER} order by created_at limit ${limit}::int for update skip locked
    )
    delete from account_idempotency_keys k using ended e
    where k.asker = e.asker and k.key = e.key`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

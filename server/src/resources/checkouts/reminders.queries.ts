/** Mails about purchases that were not finished: whom they went to, and who wants none. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

interface Reminded {
  addressHash: string;
  nowMs: number;
}

/** Notes that an address is reminded now; false where it wants none, or was reminded within `apartMs`. */
export async function noteReminded(
  tx: Tx,
  scope: Scope,
  { addressHash, nowMs, apartMs }: Reminded & { apartMs: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('remindedAddresses')
    .values({ ...scopeColumns(scope), addressHash, remindedAt: nowMs })
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'addressHash'])
        .doUpdateSet({ remindedAt: nowMs })
        .where('remindedAddresses.stoppedAt', 'is', null)
        .where('remindedAddresses.remindedAt', '<=', nowMs - apartMs),
    )
    .returning('addressHash')
    .executeTakeFirst();
  return row !== undefined;
}

/** From now on nothing goes to the address. */
export async function stopReminders(db: Db, scope: Scope, { addressHash, nowMs }: Reminded): Promise<void> {
  await db
    .insertInto('remindedAddresses')
    .values({ ...scopeColumns(scope), addressHash, remindedAt: nowMs, stoppedAt: nowMs })
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode', 'addressHash']).doUpdateSet((eb) => ({
        stoppedAt: eb.fn.coalesce('remindedAddresses.stoppedAt', 'excluded.stoppedAt'),
      })),
    )
    .execute();
}

export async function hasStoppedReminders(db: Db, scope: Scope, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('remindedAddresses')
    .select('stoppedAt')
    .where(inScope(scope))
    .where('addressHash', '=', addressHash)
    .executeTakeFirst();
  return row !== undefined && row.stoppedAt !== null;
}

/** Whether a buyer has paid for one of the offers since a moment. */
export async function hasBoughtSince(
  db: Db,
  scope: Scope,
  { emailNormal, offerIds, sinceMs }: { emailNormal: string; offerIds: readonly string[]; sinceMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'u.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'u.testMode')
        .onRef('o.userId', '=', 'u.id'),
    )
    .innerJoin('orderItems as i', (join) =>
      join
        .onRef('i.workspaceId', '=', 'o.workspaceId')
        .on('i.workspaceId', '=', scope.workspaceId)
        .onRef('i.testMode', '=', 'o.testMode')
        .onRef('i.orderId', '=', 'o.id'),
    )
    .select('o.id')
    .where(inScope(scope, 'u'))
    .where('u.emailNormal', '=', emailNormal)
    .where('o.paidAt', '>=', sinceMs)
    .where('i.offerId', '=', sql<string>`any(${offerIds}::uuid[])`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes up to `limit` addresses of all stores that may be reminded again; answers how many. */
export async function deleteOldReminders(
  db: Db,
  { apartMs, limit }: { apartMs: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from reminded_addresses a using (
      select o.workspace_id, o.test_mode, o.address_hash from reminded_addresses o
      where o.stopped_at is null and o.reminded_at <= (select real_now_ms()) - ${apartMs}::bigint
      order by o.reminded_at limit ${limit}::int for update skip locked) e
    where a.workspace_id = e.workspace_id and a.test_mode = e.test_mode and a.address_hash = e.address_hash`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

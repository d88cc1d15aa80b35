/** Mails about purchases that were not finished: whom they went to, and who wants none. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { REMINDERS_APART_MS } from '../../domain/checkout/reminder.ts';

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

/** Addresses that may be reminded again. */
export const OLD_REMINDERS: OverRows = {
  table: 'reminded_addresses',
  key: { address_hash: 'text' },
  isOver: sql`r.stopped_at is null and r.reminded_at <= (select real_now_ms()) - ${REMINDERS_APART_MS}::bigint`,
  since: sql`r.reminded_at`,
};

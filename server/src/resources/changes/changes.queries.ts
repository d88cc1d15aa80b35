/** What was written lately, by its real time: audit rows and events, whichever clock they bear. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface ChangeRow {
  source: 'audit' | 'event';
  id: string;
  operation: string;
  actor: string | null;
  objectId: string | null;
  orderId: string | null;
  paymentId: string | null;
  subscriptionNumber: string | null;
  /** The payment that its order came into being with. */
  isInitial: boolean;
  createdAt: number;
  writtenMs: number;
}

/** A moment of real time and the row that was told last. */
export interface ChangeCursor {
  ms: number;
  id: string;
}

const rows = (
  scope: Scope,
  condition: (alias: string) => ReturnType<typeof sql>,
  limit: number,
  newest: boolean,
) => {
  const direction = sql.raw(newest ? 'desc' : 'asc');
  return sql<ChangeRow>`
    select * from (
      (select 'audit' as source, a.id, a.operation, a.actor, a.object_id, null::uuid as order_id,
          null::uuid as payment_id, null::text as subscription_number, false as is_initial,
          a.created_at, a.written_real_ms as written_ms
        from audit_log a
        where ${inScope(scope, 'a')} and ${condition('a')}
        order by a.written_real_ms ${direction}, a.id ${direction} limit ${limit})
      union all
      (select 'event', e.id, e.type, null, null, e.order_id, e.payment_id,
          (select s.number from subscriptions s where ${inScope(scope, 's')} and s.id = e.subscription_id),
          coalesce((select p.type in ('one_time', 'subscription_initial', 'claim_free') from payments p
            where ${inScope(scope, 'p')} and p.id = e.payment_id), false),
          e.created_at, e.written_real_ms
        from events e
        where ${inScope(scope, 'e')} and e.written_real_ms is not null and ${condition('e')}
        order by e.written_real_ms ${direction}, e.id ${direction} limit ${limit})
    ) both_of
    order by written_ms ${direction}, id ${direction} limit ${limit}`;
};

/** Later than the cursor, oldest first. */
export async function listChanges(
  db: Db,
  scope: Scope,
  { cursor, limit }: { cursor: ChangeCursor; limit: number },
): Promise<ChangeRow[]> {
  const after = (alias: string) =>
    sql`(${sql.ref(`${alias}.writtenRealMs`)}, ${sql.ref(`${alias}.id`)}) > (${cursor.ms}, ${cursor.id}::uuid)`;
  return (await rows(scope, after, limit, false).execute(db)).rows;
}

/** Up to the cursor and no older than `fromMs`, newest first: what may have been committed after the cursor was given. */
export async function listLateChanges(
  db: Db,
  scope: Scope,
  { cursor, fromMs, limit }: { cursor: ChangeCursor; fromMs: number; limit: number },
): Promise<ChangeRow[]> {
  const within = (alias: string) => sql`${sql.ref(`${alias}.writtenRealMs`)} >= ${fromMs}
    and (${sql.ref(`${alias}.writtenRealMs`)}, ${sql.ref(`${alias}.id`)}) <= (${cursor.ms}, ${cursor.id}::uuid)`;
  return (await rows(scope, within, limit, true).execute(db)).rows;
}

/** The store's own real time, by which rows are stamped, and when the store was last emptied. */
export async function getChangeClock(
  db: Db,
  scope: Scope,
): Promise<{ nowMs: number; emptiedMs: number | null }> {
  return db
    .selectFrom('stores')
    .select([sql<number>`real_now_ms()`.as('nowMs'), 'emptiedRealMs as emptiedMs'])
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
}

/** What of an order decides on a withdrawal from it. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { Withdrawable, WithdrawalRight } from '../../domain/consumer/right.ts';
import type { JudgedItem } from '../../domain/consumer/withdrawal.ts';
import { toWholeName } from '../../domain/item-note.ts';

export interface WithdrawnOrder {
  id: string;
  number: string;
  userId: string;
  /** Null = erased. */
  email: string | null;
  currency: string;
  right: WithdrawalRight | null;
  paidAt: number | null;
  subscriptionId: string | null;
  items: Array<JudgedItem & { name: string; totalMinor: bigint }>;
  hasWaived: boolean;
  /** The buyer agreed to an early start, and pays for what was used. */
  paysForUse: boolean;
}

interface ItemJson {
  id: string;
  name: string;
  product: unknown;
  variant: unknown;
  kind: Withdrawable;
  quantity: number;
  isBegun: boolean;
  total: string;
}

export async function findWithdrawnOrder(
  db: Db,
  scope: Scope,
  by: { id: string } | { number: string },
): Promise<WithdrawnOrder | undefined> {
  const { rows } = await sql<Omit<WithdrawnOrder, 'items'> & { itemRows: ItemJson[] }>`
    select o.id, o.number, o.user_id, u.email, o.currency, o.withdrawal_right as "right", o.paid_at, o.subscription_id,
      (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'product', i.product, 'variant', i.variant, 'total', i.total::text, 'quantity', i.quantity,
          'isBegun', i.delivery_began_at is not null,
          'kind', coalesce(i.withdrawal, case when i.product ->> 'type' in ('Subscription', 'OneTimePayment')
            then 'service' else 'content' end)) order by i.position), '[]')
        from order_items i where ${inScope(scope, 'i')} and i.order_id = o.id) as item_rows,
      exists (select from consents c where ${inScope(scope, 'c')} and c.order_id = o.id
        and c.given_at = o.consented_at and c.kind = 'content' and c.confirmed_at is not null) as has_waived,
      exists (select from consents c where ${inScope(scope, 'c')} and c.order_id = o.id
        and c.given_at = o.consented_at and c.kind = 'service') as pays_for_use
    from orders o
    join users u on ${inScope(scope, 'u')} and u.id = o.user_id
    where ${inScope(scope, 'o')} and ${'id' in by ? sql`o.id = ${by.id}::uuid` : sql`o.number = ${by.number}`}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { itemRows, ...order } = row;
  const items = itemRows.map(({ total, name, product, variant, ...item }) => ({
    ...item,
    name: toWholeName({ name, product, variant }),
    totalMinor: BigInt(total),
  }));
  return { ...order, items };
}

/** What was paid for an order's items since it was made and has not gone back, newest first. */
export async function listPaidForOrder(
  db: Db,
  scope: Scope,
  orderId: string,
): Promise<
  Array<{
    paymentId: string;
    leftMinor: bigint;
    paidBackMinor: bigint;
    /** What the end of its subscription has given back of it, for the rest of the period. */
    unusedBackMinor: bigint;
    /** Null = no interval began with it that a change or a renewal has begun. */
    intervalMinor: bigint | null;
    periodStart: number | null;
    periodEnd: number | null;
    isDisputed: boolean;
  }>
> {
  const { rows } = await sql<{
    paymentId: string;
    leftMinor: bigint;
    paidBackMinor: bigint;
    /** What the end of its subscription has given back of it, for the rest of the period. */
    unusedBackMinor: bigint;
    /** Null = no interval began with it that a change or a renewal has begun. */
    intervalMinor: bigint | null;
    periodStart: number | null;
    periodEnd: number | null;
    isDisputed: boolean;
  }>`
    select p.id as payment_id, p.value - coalesce((
        select sum(r.amount) from refunds r where ${inScope(scope, 'r')} and r.payment_id = p.id
          and r.status in ('pending', 'succeeded')), 0)::minor_units as left_minor,
      coalesce((select sum(b.amount) from refunds b where ${inScope(scope, 'b')} and b.payment_id = p.id
          and b.pays_back and b.status in ('pending', 'succeeded')), 0)::minor_units as paid_back_minor,
      -- Asked for by who ended it, and written at that moment; a withdrawal's bears its number.
      coalesce((select sum(u.amount) from refunds u
        join subscriptions s on ${inScope(scope, 's')} and s.order_id = p.order_id and s.ended_at = u.created_at
        where ${inScope(scope, 'u')} and u.payment_id = p.id and u.reason = 'requested_by_customer'
          and u.note is null and not u.pays_back and u.status in ('pending', 'succeeded')), 0)::minor_units
        as unused_back_minor,
      (select sum(l.total) from payment_lines l where ${inScope(scope, 'l')} and l.payment_id = p.id
          and l.kind = 'interval')::minor_units as interval_minor,
      coalesce(p.period_start, case when p.type = 'subscription_update' then p.paid_at end) as period_start,
      -- A change of plan is paid for the rest of the interval in which it was made.
      coalesce(p.period_end, case when p.type = 'subscription_update' then (
        select min(q.period_end) from payments q where ${inScope(scope, 'q')} and q.order_id = p.order_id
          and q.period_start <= p.paid_at and q.period_end > p.paid_at) end) as period_end,
      exists (select from disputes d where ${inScope(scope, 'd')} and d.payment_id = p.id and d.status = 'open')
        as is_disputed
    from payments p
    where ${inScope(scope, 'p')} and p.order_id = ${orderId}::uuid and p.type <> 'subscription_extra'
      and p.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
    order by p.created_at desc, p.id desc`.execute(db);
  return rows;
}

/** Of each payment of a subscription what was paid for some items of its order: their lines, by what they sold. */
export async function sumSharesOfItems(
  tx: Tx,
  scope: Scope,
  { orderId, itemIds }: { orderId: string; itemIds: string[] },
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ id: string; share: bigint }>`
    select p.id, coalesce(case when p.type = 'subscription_initial' then (
        select sum(i.total) from order_items i
        where ${inScope(scope, 'i')} and i.order_id = p.order_id and i.id = any(${itemIds}::uuid[]))
      else (
        select sum(l.total) from payment_lines l
        where ${inScope(scope, 'l')} and l.payment_id = p.id and exists (select from order_items i
          where ${inScope(scope, 'i')} and i.order_id = p.order_id and i.id = any(${itemIds}::uuid[])
            and case when i.offer_id is null then l.offer_id is null and l.name = i.name
              else l.offer_id = i.offer_id end)) end, 0)::minor_units as share
    from payments p
    where ${inScope(scope, 'p')} and p.order_id = ${orderId}::uuid`.execute(tx);
  return new Map(rows.map(({ id, share }) => [id, share]));
}

/**
 * Items of an order whose money an earlier withdrawal gave back, or is giving back: whoever states the same again, since
 * an answer was lost or in another tab, is not paid twice for it.
 */
export async function listGivenBack(
  tx: Tx,
  scope: Scope,
  { orderId, withdrawalId }: { orderId: string; withdrawalId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from order_items i
    where ${inScope(scope, 'i')} and i.order_id = ${orderId}::uuid and i.fulfilment = 'revoked'
      and exists (select from withdrawals w
        where ${inScope(scope, 'w')} and w.order_id = i.order_id and w.id <> ${withdrawalId}::uuid
          and (w.items is null or w.items @> to_jsonb(i.id::text))
          and (w.status = 'refunded' or exists (select from refunds r
            where ${inScope(scope, 'r')} and r.id = any(w.refund_ids) and r.status <> 'failed')))`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

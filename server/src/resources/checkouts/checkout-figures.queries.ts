/**
 * What became of checkouts, by the UTC day on which their pages were first looked at. A session that is there counts by
 * what it is now; of those that are over and were deleted the counts of their day stay.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { CheckoutCounts } from '../../domain/figures/checkout-counts.ts';
import { DAY_MS } from '../../domain/figures/utc-days.ts';

export interface CheckoutWindow {
  /** Days since 1970-01-01: from the first, before the second. */
  fromDay: number;
  toDay: number;
  /** Elements; none = all. */
  elementIds: readonly string[];
  /** Offers that a checkout sold without an element; none = all. */
  offerIds: readonly string[];
}

/** The counts of each day and frame in which something was looked at, oldest first. */
export async function listCheckoutCounts(
  db: Db,
  scope: Scope,
  { fromDay, toDay, ...cart }: CheckoutWindow,
): Promise<CheckoutCounts[]> {
  const { rows } = await sql<CheckoutCounts>`
    select day::float8 as day, frame, sum(viewed)::float8 as viewed, sum(started)::float8 as started,
      sum(submitted)::float8 as submitted, sum(declined)::float8 as declined, sum(paid)::float8 as paid,
      sum(value)::bigint as value
    from (
      select s.viewed_at / ${DAY_MS}::bigint as day, coalesce(s.frame, 'page') as frame, 1 as viewed,
        (s.started or s.order_id is not null)::int as started, (s.order_id is not null)::int as submitted,
        (exists (select from payments p
          join charges c on ${inScope(scope, 'c')} and c.payment_id = p.id and c.status = 'failed'
          where ${inScope(scope, 'p')} and p.order_id = s.order_id and p.number = o.number))::int as declined,
        (o.paid_at is not null)::int as paid,
        case when o.paid_at is not null then o.value else 0 end as value
      from checkout_sessions s
      left join orders o on ${inScope(scope, 'o')} and o.id = s.order_id
      where ${inScope(scope, 's')} and s.viewed_at >= ${fromDay * DAY_MS}::bigint
        and s.viewed_at < ${toDay * DAY_MS}::bigint and ${ofCart('s', cart)}
      union all
      select d.day, d.frame, d.viewed, d.started, d.submitted, d.declined, d.paid, d.value from checkout_days d
      where ${inScope(scope, 'd')} and d.day >= ${fromDay}::bigint and d.day < ${toDay}::bigint
        and ${ofCart('d', cart)}
    ) counted group by day, frame order by day, frame`.execute(db);
  return rows.map((row) => ({ ...row, value: BigInt(row.value) }));
}

function ofCart(
  alias: 's' | 'd',
  { elementIds, offerIds }: Pick<CheckoutWindow, 'elementIds' | 'offerIds'>,
): RawBuilder<unknown> {
  const row = sql.raw(alias);
  const asked = [
    ...(elementIds.length > 0 ? [sql`${row}.element_id = any(${elementIds}::uuid[])`] : []),
    ...(offerIds.length > 0 ? [sql`${row}.offer_ids && ${offerIds}::uuid[]`] : []),
  ];
  return asked.length === 0 ? sql`true` : sql`(${sql.join(asked, sql` or `)})`;
}

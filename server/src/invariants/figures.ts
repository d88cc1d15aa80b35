/** Invariant 40: figures that are kept beside the rows that they are sums of. */
import { computeMrr, type Recurring, type RecurringItem } from '../domain/figures/mrr.ts';
import { type Invariant, type OffendingRow, sameStore } from './invariant.ts';

/** An item as the query below writes it: amounts are texts. */
type TextItem = Omit<RecurringItem, 'unitPrice'> & { unitPrice: string };

/** The rules of pricing are the code's alone: what is asked of the rows is what goes into them. */
function isSumOfMovements(row: OffendingRow): boolean {
  // The columns of the query that this belongs to, under the names that the driver gives them.
  const { items, moved, ...state } = row as unknown as Omit<Recurring, 'items'> & {
    items: TextItem[];
    moved: bigint | string;
  };
  const recurring = items.map((item) => ({ ...item, unitPrice: BigInt(item.unitPrice) }));
  return computeMrr({ ...state, items: recurring }) === BigInt(moved);
}

export const FIGURES: readonly Invariant[] = [
  {
    number: 40,
    name: 'what a subscription brings in a month is the sum of its movements',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status, s.waiting, s.recurring_interval, s.recurring_interval_count,
        s.discount, coalesce(m.moved, 0) as moved, coalesce(i.items, '[]') as items
      from subscriptions s
      left join lateral (select sum(delta) as moved from mrr_movements m
        where ${sameStore('m', 's')} and m.subscription_id = s.id) m on true
      left join lateral (select jsonb_agg(jsonb_build_object('offerId', i.offer_id, 'unitPrice', i.unit_price::text,
          'quantity', i.quantity, 'inclusive', i.inclusive, 'taxReason', i.tax_reason, 'taxRates', i.tax_rates)
          order by i.position) as items
        from subscription_items i where ${sameStore('i', 's')} and i.subscription_id = s.id) i on true
      where s.status in ('active', 'past_due') or m.moved <> 0`,
    isFine: isSumOfMovements,
  },
  {
    number: 40,
    name: 'a movement says what all movements of its subscription come to by then',
    sql: `
      select m.* from (
        select workspace_id, test_mode, subscription_id, position, kind, delta, after, at, currency,
          sum(delta) over w as moved, row_number() over w as place, lag(at) over w as before_at,
          lag(currency) over w as before_currency
        from mrr_movements
        window w as (partition by workspace_id, test_mode, subscription_id order by position)
      ) m
      join subscriptions s on ${sameStore('s', 'm')} and s.id = m.subscription_id
      where m.after <> m.moved or m.position <> m.place or m.before_at > m.at or m.currency <> s.currency`,
  },
];

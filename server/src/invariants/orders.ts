/** Invariants 17 to 22: orders, discounts, keys, invoices. */
import { CAPTURED_SQL, IN_STEP_SQL, INITIAL_SQL, type Invariant, sameStore } from './invariant.ts';

export const ORDERS: readonly Invariant[] = [
  {
    number: 17,
    name: 'an order has one initial payment',
    sql: `
      select o.workspace_id, o.test_mode, o.id, o.number, count(p.id) as payments
      from orders o
      left join payments p on ${sameStore('p', 'o')} and p.order_id = o.id and p.type in ${INITIAL_SQL}
      group by o.workspace_id, o.test_mode, o.id, o.number having count(p.id) <> 1`,
  },
  {
    number: 17,
    name: 'an order follows its initial payment',
    sql: `
      select o.workspace_id, o.test_mode, o.id, o.number, o.status, p.status as payment_status, o.value,
        p.value as payment_value, o.refunded_value, p.refunded_value as payment_refunded_value
      from orders o
      join payments p on ${sameStore('p', 'o')} and p.order_id = o.id and p.type in ${INITIAL_SQL}
      where ${IN_STEP_SQL} and (
        (o.status, o.value, o.tax, o.fee, o.refunded_value, o.paid_at)
          is distinct from (p.status, p.value, p.tax, p.fee, p.refunded_value, p.paid_at)
        -- A paid order that was cancelled keeps its money, and of one that had expired nothing is left to cancel.
        and (o.status <> 'CANCELLED' or (p.status not in ${CAPTURED_SQL} and p.status <> 'EXPIRED')
          or (o.value, o.tax, o.fee, o.refunded_value, o.paid_at)
            is distinct from (p.value, p.tax, p.fee, p.refunded_value, p.paid_at)))`,
  },
  {
    number: 18,
    name: 'a discount counts its redemptions, used and held',
    sql: `
      select d.workspace_id, d.test_mode, d.id, d.used_count, d.held_count,
        count(r.id) filter (where r.status = 'used') as used, count(r.id) filter (where r.status = 'held') as held
      from discounts d left join discount_redemptions r on ${sameStore('r', 'd')} and r.discount_id = d.id
      group by d.workspace_id, d.test_mode, d.id, d.used_count, d.held_count
      having count(r.id) filter (where r.status = 'used') <> d.used_count
        or count(r.id) filter (where r.status = 'held') <> d.held_count`,
  },
  {
    number: 18,
    // The merchant may lower a limit or move a window afterwards: what was redeemed before stays.
    name: 'no discount is redeemed beyond its limit or outside its window',
    sql: `
      select d.workspace_id, d.test_mode, d.id, d.used_count, d.held_count, d.purchase_limit, d.valid_from,
        d.valid_until, r.created_at
      from discounts d
      join discount_redemptions r on ${sameStore('r', 'd')} and r.discount_id = d.id
        and r.status <> 'released' and r.created_at > d.updated_at
      where d.used_count + d.held_count > d.purchase_limit
        or r.created_at < d.valid_from or r.created_at >= d.valid_until`,
  },
  {
    number: 18,
    name: 'an offer counts what open orders hold of it',
    sql: `
      select f.workspace_id, f.test_mode, f.id, f.held_count, coalesce(sum(held.quantity), 0) as held
      from offers f
      left join (
        select i.* from order_items i join orders o on ${sameStore('o', 'i')} and o.id = i.order_id
        where i.limit_held and o.holds = 'held'
      ) held on ${sameStore('held', 'f')} and held.offer_id = f.id
      group by f.workspace_id, f.test_mode, f.id, f.held_count
      having coalesce(sum(held.quantity), 0) <> f.held_count`,
  },
  {
    number: 18,
    name: 'an offer counts what was sold of it, renewals apart',
    sql: `
      select f.workspace_id, f.test_mode, f.id, f.sold_count, coalesce(sum(sold.quantity), 0) as sold
      from offers f
      left join (
        select i.* from order_items i join orders o on ${sameStore('o', 'i')} and o.id = i.order_id
        where o.paid_at is not null and o.imported is null
      ) sold on ${sameStore('sold', 'f')} and sold.offer_id = f.id
      group by f.workspace_id, f.test_mode, f.id, f.sold_count
      having coalesce(sum(sold.quantity), 0) <> f.sold_count`,
  },
  {
    number: 19,
    name: 'a key belongs to an order item of its offer exactly when it is reserved, sold or revoked',
    sql: `
      select k.workspace_id, k.test_mode, k.id, k.status, k.order_id, k.order_item_id
      from offer_keys k
      left join order_items i on ${sameStore('i', 'k')} and i.id = k.order_item_id
        and i.order_id = k.order_id and i.offer_id = k.offer_id
      where (k.status = 'available') <> (k.order_item_id is null)
        or (k.status in ('reserved', 'sold') and i.id is null)`,
  },
  {
    number: 19,
    name: 'a delivered item with keys has as many as were bought',
    sql: `
      select i.workspace_id, i.test_mode, i.id, i.order_id, i.quantity, count(k.id) as keys
      from order_items i join offer_keys k on ${sameStore('k', 'i')} and k.order_item_id = i.id
      where i.fulfilment = 'delivered'
      group by i.workspace_id, i.test_mode, i.id, i.order_id, i.quantity
      having count(k.id) filter (where k.status = 'sold') <> i.quantity`,
  },
  {
    number: 19,
    name: 'keys are sold with an order that was paid, and reserved for one that is open',
    sql: `
      select k.workspace_id, k.test_mode, k.id, k.status, o.status as order_status, o.holds
      from offer_keys k join orders o on ${sameStore('o', 'k')} and o.id = k.order_id
      where (k.status = 'sold' and o.paid_at is null) or (k.status = 'reserved' and o.holds <> 'held')`,
  },
  {
    number: 20,
    name: 'the numbers of a series of documents have no gap, and are in the order of their moments',
    sql: `
      select n.* from (
        select workspace_id, test_mode, series, number, position, finalised_at,
          coalesce(lag(position) over earlier, 0) as before, lag(finalised_at) over earlier as before_at
        from invoices
        window earlier as (partition by workspace_id, test_mode, series order by position)
      ) n where n.finalised_at < n.before_at or n.position <> n.before + 1 + coalesce((
        -- What a lost copy may have given out was left out on purpose.
        select sum(g.to_number - g.from_number + 1) from invoice_gaps g
        where ${sameStore('g', 'n')} and g.series = n.series and g.from_number > n.before and g.to_number < n.position
      ), 0)`,
  },
  {
    number: 20,
    name: 'a series stands at its last number',
    sql: `
      select s.workspace_id, s.test_mode, s.series, s.last_number, coalesce(max(v.position), 0) as documents
      from invoice_series s left join (
        select workspace_id, test_mode, series, position from invoices
        union all select workspace_id, test_mode, series, to_number from invoice_gaps
      ) v on ${sameStore('v', 's')} and v.series = s.series
      group by s.workspace_id, s.test_mode, s.series, s.last_number having s.last_number <> coalesce(max(v.position), 0)`,
  },
  {
    number: 21,
    name: 'a payment has an invoice exactly when money was taken for it',
    sql: `
      select p.workspace_id, p.test_mode, p.id, p.number, p.status, p.value, p.invoice_number, v.number as invoice
      from payments p
      left join invoices v on ${sameStore('v', 'p')} and v.payment_id = p.id and v.kind = 'invoice'
      where p.invoice_number is distinct from v.number
        or (p.invoice_number is not null) <> (p.status in ${CAPTURED_SQL} and p.value > 0)
        or v.total <> p.value or v.tax <> p.tax`,
  },
  {
    number: 21,
    name: 'each refund of an invoiced payment has a credit note of its amount',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.amount, r.credit_note_number, v.number, v.total
      from refunds r
      join payments p on ${sameStore('p', 'r')} and p.id = r.payment_id and p.invoice_number is not null
      left join invoices v on ${sameStore('v', 'r')} and v.refund_id = r.id
      where r.status = 'succeeded' and (v.total, v.tax, v.number)
        is distinct from (r.amount, r.tax, r.credit_note_number)`,
  },
  {
    number: 21,
    name: 'the credit notes of an invoice do not exceed it',
    sql: `
      select v.workspace_id, v.test_mode, v.id, v.number, v.total, n.total as credited
      from (
        select workspace_id, test_mode, refers_to, sum(total) as total, sum(tax) as tax from invoices
        where refers_to is not null group by workspace_id, test_mode, refers_to
      ) n join invoices v on ${sameStore('v', 'n')} and v.id = n.refers_to
      where n.total > v.total or n.tax > v.tax`,
  },
  {
    number: 22,
    name: 'a document is what it was when it was finalised',
    sql: `
      select workspace_id, test_mode, id, number from invoices
      where snapshot_sha256 <> encode(sha256(convert_to(snapshot, 'UTF8')), 'hex')`,
  },
  {
    number: 22,
    name: 'the guards of documents stand',
    sql: `
      select wanted.name from (values ('invoices_kept'), ('invoices_not_emptied')) as wanted (name)
      where not exists (select from pg_trigger t
        where t.tgrelid = 'public.invoices'::regclass and t.tgname = wanted.name and t.tgenabled in ('O', 'A'))`,
  },
];

/** Invariants 1 to 10: money. */
import { CURRENCIES } from '../domain/money/currency.ts';
import { MOVED_MONEY } from '../resources/ledger/ledger.queries.ts';
import { CAPTURED_SQL, IN_STEP_SQL, INITIAL_SQL, type Invariant, sameStore } from './invariant.ts';

const PAYMENT_IDS = 'p.workspace_id, p.test_mode, p.id, p.number, p.status';

/** The most that can go back of a payment: what was taken in its place, where that is less. */
const REFUNDABLE_SQL = `least(p.value, (select min(c.taken_amount) from charges c
  where ${sameStore('c', 'p')} and c.payment_id = p.id and c.status = 'succeeded' and c.reversed_at is null
    and c.taken_currency = p.currency))`;

export const MONEY: readonly Invariant[] = [
  {
    number: 1,
    name: 'the succeeded charges of a captured payment sum to its value',
    sql: `
      select ${PAYMENT_IDS}, p.value, coalesce(sum(c.amount), 0) as charged
      from payments p
      left join charges c on ${sameStore('c', 'p')} and c.payment_id = p.id
        and c.status = 'succeeded' and c.reversed_at is null
      where p.status in ${CAPTURED_SQL}
      group by ${PAYMENT_IDS}, p.value having coalesce(sum(c.amount), 0) <> p.value`,
  },
  {
    number: 2,
    name: 'a payment that is not captured has no succeeded charge that was not reversed',
    sql: `
      select ${PAYMENT_IDS}, c.id as charge_id, c.amount
      from payments p join charges c on ${sameStore('c', 'p')} and c.payment_id = p.id
      where p.status not in ${CAPTURED_SQL} and c.status = 'succeeded' and c.reversed_at is null`,
  },
  {
    number: 3,
    name: 'a payment is refunded in part or in full exactly when its status says so',
    sql: `
      select * from (
        select ${PAYMENT_IDS}, p.value, ${REFUNDABLE_SQL} as refundable, p.refunded_value from payments p) p
      where (p.status = 'REFUNDED') <> (p.refunded_value = p.refundable and p.refundable > 0)
        or (p.status = 'PARTIALLY_REFUNDED') <> (p.refunded_value > 0 and p.refunded_value < p.refundable)
        or (p.refunded_value > 0 and p.status not in ${CAPTURED_SQL})`,
  },
  {
    number: 3,
    name: 'what a payment says was refunded is the sum of its refunds',
    sql: `
      select ${PAYMENT_IDS}, p.refunded_value, coalesce(sum(r.amount), 0) as refunds
      from payments p
      left join refunds r on ${sameStore('r', 'p')} and r.payment_id = p.id and r.status = 'succeeded'
      group by ${PAYMENT_IDS}, p.refunded_value having coalesce(sum(r.amount), 0) <> p.refunded_value`,
  },
  {
    number: 3,
    name: 'refunds, those under way too, never exceed what was charged, nor their tax its tax',
    sql: `
      select * from (
        select ${PAYMENT_IDS}, p.currency, p.value, sum(r.amount) as refunds, p.tax, sum(r.tax) as refunded_tax
        from payments p
        join refunds r on ${sameStore('r', 'p')} and r.payment_id = p.id and r.status <> 'failed'
        group by ${PAYMENT_IDS}, p.value, p.tax, p.currency) p
      where p.refunds > ${REFUNDABLE_SQL} or p.refunded_tax > p.tax
        or (p.refunds = p.value and p.refunded_tax <> p.tax)`,
  },
  {
    number: 4,
    name: 'tax and fee of a payment lie between 0 and its value',
    sql: `
      select ${PAYMENT_IDS}, p.value, p.tax, p.fee from payments p
      where p.tax not between 0 and p.value or p.fee not between 0 and p.value`,
  },
  {
    number: 4,
    name: 'a line is price × quantity, less its discount, plus its tax when that is on top',
    sql: `
      select * from (
        select workspace_id, test_mode, id, order_id as of, unit_price, quantity, subtotal, discount, tax,
          inclusive, total from order_items
        union all
        select workspace_id, test_mode, id, subscription_id, unit_price, quantity, subtotal, discount, tax,
          inclusive, total from payment_lines
          -- A part of a credit has its part of the sum.
          where source_line_id is null
      ) l
      where l.subtotal <> l.unit_price * l.quantity
        or l.total <> l.subtotal - l.discount + case when l.inclusive then 0 else l.tax end
        or (l.total > 0 and l.tax not between 0 and l.total) or (l.total < 0 and l.tax not between l.total and 0)`,
  },
  {
    number: 4,
    name: 'the items of an order sum to its initial payment',
    sql: `
      select ${PAYMENT_IDS}, p.value, sum(i.total) as items, p.tax, sum(i.tax) as items_tax
      from payments p join order_items i on ${sameStore('i', 'p')} and i.order_id = p.order_id
      join orders o on ${sameStore('o', 'p')} and o.id = p.order_id and ${IN_STEP_SQL}
      where p.type in ${INITIAL_SQL}
      group by ${PAYMENT_IDS}, p.value, p.tax having sum(i.total) <> p.value or sum(i.tax) <> p.tax`,
  },
  {
    number: 4,
    name: 'the lines of a later payment sum to it',
    sql: `
      select ${PAYMENT_IDS}, p.value, sum(l.total) as lines, p.tax, sum(l.tax) as lines_tax
      from payments p join payment_lines l on ${sameStore('l', 'p')} and l.payment_id = p.id
      where p.type not in ${INITIAL_SQL}
      group by ${PAYMENT_IDS}, p.value, p.tax having sum(l.total) <> p.value or sum(l.tax) <> p.tax`,
  },
  {
    number: 5,
    name: 'a payment and all that belongs to it have one currency',
    sql: `
      select ${PAYMENT_IDS}, p.currency, other.what, other.currency as other_currency
      from payments p
      join (
        select 'line' as what, workspace_id, test_mode, payment_id, currency from payment_lines
        -- A try that failed before the merchant corrected the currency keeps its own.
        union all select 'charge', workspace_id, test_mode, payment_id, currency from charges
          where status <> 'failed' and reversed_at is null
        union all select 'refund', workspace_id, test_mode, payment_id, currency from refunds
        union all select 'dispute', workspace_id, test_mode, payment_id, currency from disputes
        union all select 'invoice', workspace_id, test_mode, payment_id, currency from invoices
        union all select 'order', i.workspace_id, i.test_mode, i.id, o.currency
          from payments i join orders o on ${sameStore('o', 'i')} and o.id = i.order_id and ${IN_STEP_SQL}
        union all select 'item', i.workspace_id, i.test_mode, i.id, m.currency
          from payments i join order_items m on ${sameStore('m', 'i')} and m.order_id = i.order_id
          where i.type in ${INITIAL_SQL}
      ) other on ${sameStore('other', 'p')} and other.payment_id = p.id
      where other.currency <> p.currency`,
  },
  {
    number: 5,
    name: 'the ledger has the currency of the payment that it is about',
    sql: `
      select p.workspace_id, p.test_mode, p.id, p.currency, l.entry_id, l.currency as ledger_currency
      from ledger_entries l join payments p on ${sameStore('p', 'l')} and p.id = l.payment_id
      where l.currency <> p.currency
        -- A processor's movement has the currency that its account is settled in.
        and l.kind not in ('movement', 'movement_out', 'movement_in') and not exists (
        -- What was taken has its own, where it was converted and where it went back.
        select from charges c where ${sameStore('c', 'l')} and c.id = l.source_id
          and l.kind in ('conversion_in', 'reversal_in', 'reversal_out', 'fee')
          and l.currency = coalesce(c.taken_currency, c.currency))`,
  },
  {
    number: 5,
    name: 'every currency is one whose decimals are known',
    sql: `
      select ${PAYMENT_IDS}, p.currency from payments p
      where p.currency not in (${CURRENCIES.map((code) => `'${code}'`).join(', ')})`,
  },
  {
    number: 6,
    name: 'no column holds a fraction, so that every amount is a whole number',
    sql: `
      select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' and data_type in ('real', 'double precision', 'money')`,
  },
  {
    number: 6,
    name: 'what is called an amount is of the domain of whole minor units',
    sql: `
      select table_name, column_name, data_type, domain_name from information_schema.columns
      where table_schema = 'public' and domain_name is distinct from 'minor_units'
        and (column_name in ('amount', 'value', 'tax', 'fee', 'price', 'subtotal', 'total', 'unit_price',
          'refunded_value') or column_name ~ '_amount$')`,
  },
  {
    number: 7,
    name: 'each entry of the ledger sums to 0',
    sql: `
      select workspace_id, test_mode, entry_id, currency, sum(amount) as sum from ledger_entries
      group by workspace_id, test_mode, entry_id, currency having sum(amount) <> 0`,
  },
  {
    number: 7,
    name: 'the guards of the ledger stand: what is posted is weighed and never changed',
    sql: `
      select wanted.name from (values
        ('ledger_entries_weighed'), ('ledger_entries_kept'), ('ledger_entries_not_emptied')) as wanted (name)
      where not exists (select from pg_trigger t
        where t.tgrelid = 'public.ledger_entries'::regclass and t.tgname = wanted.name and t.tgenabled in ('O', 'A'))`,
  },
  {
    number: 8,
    name: 'the balances of the ledger are what payments, refunds and disputes say',
    sql: `
      select workspace_id, test_mode, account, currency, sum(expected) as expected, sum(actual) as actual
      from (
        select workspace_id, test_mode, account, currency, amount as expected, 0 as actual
        from (${MOVED_MONEY}) moved
        union all
        select workspace_id, test_mode, account, currency, 0, amount from ledger_entries
      ) lines
      group by workspace_id, test_mode, account, currency having sum(expected) <> sum(actual)`,
  },
  {
    number: 9,
    name: 'what the sandbox took is charged here, once and alike',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.amount, s.fee, c.status, c.amount as our_amount, c.fee as our_fee
      from sandbox_charges s left join charges c on ${sameStore('c', 's')} and c.id = s.id
      where s.status = 'succeeded' and (
        c.id is null or (c.status = 'failed' and c.reversed_at is null)
        or s.amount <> coalesce(c.taken_amount, c.amount) or s.currency <> coalesce(c.taken_currency, c.currency)
        or (c.status = 'succeeded' and s.fee <> c.fee))
        -- A method that was taken for 0 is no charge.
        and not (s.amount = 0 and exists (select from method_setups m where ${sameStore('m', 's')} and m.id = s.id))`,
  },
  {
    number: 9,
    name: 'what is charged here was taken by the sandbox',
    sql: `
      select c.workspace_id, c.test_mode, c.id, c.amount, s.status as sandbox_status
      from charges c left join sandbox_charges s on ${sameStore('s', 'c')} and s.id = c.id
      where c.processor = 'sandbox' and c.status = 'succeeded' and s.status is distinct from 'succeeded'`,
  },
  {
    number: 9,
    name: 'what the sandbox gave back is a refund or a reversal here',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.charge_id, s.amount
      from sandbox_refunds s
      where not exists (select from refunds r where ${sameStore('r', 's')} and r.id = s.id
          and r.charge_id = s.charge_id and r.amount = s.amount and r.status <> 'failed')
        and not exists (select from charges c where ${sameStore('c', 's')} and c.id = s.charge_id and c.id = s.id
          and coalesce(c.taken_amount, c.amount) = s.amount and c.reversed_at is not null)`,
  },
  {
    number: 9,
    name: 'what was refunded here through the sandbox was given back there',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.charge_id, r.amount from refunds r
      where r.processor = 'sandbox' and r.status = 'succeeded' and r.reason <> 'dispute'
        and not exists (select from sandbox_refunds s where ${sameStore('s', 'r')} and s.id = r.id
          and s.charge_id = r.charge_id and s.amount = r.amount)`,
  },
  {
    number: 9,
    name: 'a charge that was reversed was sent back, or is about to be',
    sql: `
      select c.workspace_id, c.test_mode, c.id, c.amount, c.reversed_at from charges c
      where c.reversed_at is not null and c.processor = 'sandbox'
        and not exists (select from sandbox_refunds s where ${sameStore('s', 'c')} and s.charge_id = c.id)
        and not exists (select from due_work w where ${sameStore('w', 'c')} and w.ref_id = c.id)`,
  },
  {
    number: 10,
    name: 'a refund goes back the way the money came, and after it',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.currency, c.currency as charge_currency, c.status, c.processor,
        r.created_at, c.settled_at
      from refunds r join charges c on ${sameStore('c', 'r')} and c.id = r.charge_id
      where r.currency <> c.currency or c.payment_id <> r.payment_id or c.status <> 'succeeded'
        or r.processor not in (c.processor, 'manual') or r.created_at < c.settled_at`,
  },
];

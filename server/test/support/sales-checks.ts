/** The invariants of sales (money, orders, refunds) as queries of which each must find nothing. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from './harness.ts';

const CAPTURED = `('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`;
const FAULTS: Readonly<Record<string, string>> = {
  'a paid payment whose charges are not its value': `payments p where status in ${CAPTURED} and value > 0 and value <>
    (select coalesce(sum(c.amount), 0) from charges c where c.payment_id = p.id and c.status = 'succeeded'
      and c.reversed_at is null)`,
  'money kept of a payment that is not paid': `payments p join charges c on c.payment_id = p.id
    where p.status not in ${CAPTURED} and c.status = 'succeeded' and c.reversed_at is null`,
  'a refunded value that its refunds do not add up to': `payments p where refunded_value <>
    (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status = 'succeeded')`,
  'refunds above what was paid': `payments p where value <
    (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed')`,
  'a status that is not as the refunded value': `payments where
    (status = 'REFUNDED') <> (refunded_value = value and value > 0 and status in ${CAPTURED})
    or (status = 'PARTIALLY_REFUNDED') <> (refunded_value > 0 and refunded_value < value)`,
  'tax given back that is not the tax of a payment refunded in full': `payments p where status = 'REFUNDED' and tax <>
    (select sum(r.tax) from refunds r where r.payment_id = p.id and r.status = 'succeeded')`,
  'an order that is not as its initial payment': `orders o join payments p on p.order_id = o.id
    and p.type in ('one_time', 'claim_free', 'subscription_initial')
    where o.corrected_at is null and (o.value <> p.value or o.refunded_value <> p.refunded_value
      or (o.status <> p.status and o.status <> 'CANCELLED'))`,
  'a refund in another currency or before its charge': `refunds r join charges c on c.id = r.charge_id
    where r.currency <> c.currency or r.created_at < c.created_at or c.payment_id <> r.payment_id`,
  'a number of payment_refunded events that is not that of refunds': `payments p where
    (select count(*) from refunds r where r.payment_id = p.id and r.status = 'succeeded') <>
    (select count(*) from events e where e.payment_id = p.id and e.type = 'payment_refunded')`,
  'a paid payment without exactly one payment_success': `payments p where (status in ${CAPTURED}) <>
    ((select count(*) from events e where e.payment_id = p.id and e.type = 'payment_success') = 1)`,
  'a refund of an invoiced payment without credit note': `refunds r join payments p on p.id = r.payment_id
    where r.status = 'succeeded' and p.invoice_number is not null and r.credit_note_number is null`,
  'money at the sandbox that we do not know of': `sandbox_charges s where s.status = 'succeeded' and not exists
    (select from charges c where c.id = s.id and c.status in ('pending', 'succeeded') and c.amount = s.amount)`,
  'a refund at the sandbox that we do not know of': `sandbox_refunds s where not exists
    (select from refunds r where r.id = s.id and r.amount = s.amount) and not exists
    (select from charges c where c.id = s.id and c.reversed_at is not null and c.amount = s.amount)`,
  'a refund of ours that the sandbox does not know of': `refunds r where r.status = 'succeeded'
    and r.processor = 'sandbox' and r.reason <> 'dispute'
    and not exists (select from sandbox_refunds s where s.id = r.id and s.amount = r.amount)`,
  'a discount whose count is not its redemptions': `discounts d where used_count <>
    (select count(*) from discount_redemptions x where x.discount_id = d.id and x.status = 'used')
    or held_count <> (select count(*) from discount_redemptions x where x.discount_id = d.id and x.status = 'held')`,
};

/** Looks at every store of the database. */
export async function expectSoundSales({ service }: Pick<TestApp, 'service'>): Promise<void> {
  const found: Record<string, unknown[]> = {};
  for (const [fault, query] of Object.entries(FAULTS)) {
    const { rows } = await sql`select * from ${sql.raw(query)} limit 1`.execute(service.db);
    if (rows.length > 0) found[fault] = rows;
  }
  expect(found).toEqual({});
}

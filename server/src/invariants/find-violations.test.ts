import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, card, openPage } from '../../test/support/buying.ts';
import { expectInvariants } from '../../test/support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { findViolations, INVARIANTS } from './find-violations.ts';
import type { Violation } from './invariant.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await createReceiver();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  await fill();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** A bit of everything that is sold and told: paid, failed and open, once and by the month. */
async function fill(): Promise<void> {
  const { test } = app;
  await test.post('/v0/webhooks/create', { url: `${receiver.url}/hook`, events: ['payment_success'] });
  const offerId = await makeOffer(test, { limit: 10 });
  await test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4'] });
  const tenth = { type: 'code', discountCode: 'TENTH', amount: 10, amountType: 'percentage' };
  await test.post('/v0/discounts/create', { ...tenth, includesAllOffers: true, purchaseLimit: 5 });
  const statuses = [
    await buy(test, { offersIds: [offerId], discountCode: 'TENTH' }),
    await buy(test, { offersIds: [offerId] }),
    await buy(test, { offersIds: [await makePlanOffer(test)] }),
    await buy(test, { offersIds: [await makeOffer(test)], card: '4000000000000002' }),
  ].map(({ body, text }) => body.data?.payment.status ?? text);
  expect(statuses).toEqual(['PAID', 'PAID', 'PAID', 'FAILED']);
  const { body: bought } = await buy(test, { offersIds: [await makeOffer(test)] });
  const { body: refunded } = await test.post(`/v0/orders/${bought.data.order.id}/refunds`, {});
  expect(refunded.data.refund.status).toBe('succeeded');
  await test.post('/v0/users/create', {
    email: 'grace@example.com',
    billingDetails: { countryCode: 'DE' },
    paymentData: { sandboxCustomerId: 'card_4242424242424242' },
  });
  const { body: made } = await test.post('/v0/subscriptions/create', {
    userEmail: 'grace@example.com',
    items: [{ offerId: await makePlanOffer(test) }],
  });
  expect(made.data?.payment.status).toBe('PAID');
  await app.wired.worker.runDue();
  expect(receiver.requests).toHaveLength(5);
  const page = await openPage(app, `/checkout/${offerId}`);
  await page.submit({ card: card('4000002500003155') });
}

/** A refund of 10 of a one-time payment that is PAID; nobody was asked for it and nobody was told. */
function refund({ status = 'succeeded', amount = '10', createdAt = 'c.settled_at' } = {}): string {
  return `insert into refunds (workspace_id, test_mode, id, order_id, payment_id, charge_id, status, amount, tax,
      currency, reason, processor, created_at)
    select p.workspace_id, p.test_mode, gen_random_uuid(), p.order_id, p.id, c.id, '${status}', ${amount}, 0,
      p.currency, 'other', c.processor, ${createdAt}
    from payments p join charges c on c.payment_id = p.id and c.status = 'succeeded'
    where p.type = 'one_time' and p.status = 'PAID' limit 1`;
}

/** The subscription's payment, as that of a period which begins at `startMs` of subscription `s`. */
function bill(startMs: string, more = ''): string {
  return `update payments p set type = 'subscription_interval', period_start = ${startMs} ${more}
    from subscriptions s where s.id = p.subscription_id`;
}

/** A movement of the sandbox's, which has none: of the first charge that has succeeded. */
function move(id: string, status: string, chargeId = 'null'): string {
  return `insert into processor_movements (workspace_id, test_mode, id, connection_id, movement_id, kind, charge_id,
      status, amount, fee, currency, own_currency, account, happened_at, created_at)
    select c.workspace_id, c.test_mode, gen_random_uuid(), c.connection_id, '${id}', 'charge', ${chargeId},
      ${status}, 10, 0, c.currency, c.currency, 'processor_other', 1, 1
    from (select * from charges where status = 'succeeded' order by id limit 1) c`;
}

/** A withdrawal that was received, of no order of ours, with one column as it cannot be. */
function withdraw(column: string, value: string): string {
  return `insert into withdrawals (workspace_id, test_mode, id, number, token, order_number, name, email, source,
      language, received_at, sha256, ${column})
    select workspace_id, test_mode, gen_random_uuid(), 'W-1', 'w', '1', 'Ada', 'ada@example.com', 'page',
      'en', 1, '', ${value} from orders limit 1`;
}

/** As if what happened had not been told; what a delivery names is cleared before. */
function untold(which: string): string[] {
  return [
    `update webhook_deliveries d set event_id = null from events e where e.id = d.event_id and e.${which}`,
    `delete from events where ${which}`,
  ];
}

const dueRow = (columns: string, values: string) =>
  `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, ${columns})
   select workspace_id, test_mode, 'deliver_webhook', gen_random_uuid(), 1, ${values} from stores limit 1`;

const LOOSE_REFERENCE = [
  'alter table users add constraint users_alone unique (id)',
  'create table loose (workspace_id uuid, test_mode boolean, user_id uuid references users (id))',
];

/** What breaks each invariant, past the code and its guards; one for each, by its name. */
const BREAKS: Readonly<Record<string, string | readonly string[]>> = {
  'the succeeded charges of a captured payment sum to its value':
    "update charges set amount = amount - 1 where status = 'succeeded' and amount > 0",
  'a payment that is not captured has no succeeded charge that was not reversed':
    "update payments set status = 'CANCELLED'",
  'a payment is refunded in part or in full exactly when its status says so':
    "update payments set status = 'REFUNDED' where status = 'PAID'",
  'what a payment says was refunded is the sum of its refunds':
    "update payments set refunded_value = 1, status = 'PARTIALLY_REFUNDED' where status = 'PAID'",
  'refunds, those under way too, never exceed what was charged, nor their tax its tax': refund({
    status: 'pending',
    amount: 'p.value + 1',
  }),
  'tax and fee of a payment lie between 0 and its value': 'update payments set fee = value + 1',
  'a line is price × quantity, less its discount, plus its tax when that is on top':
    'update order_items set discount = discount + 1',
  'the items of an order sum to its initial payment': 'update payments set value = value + 1',
  'the lines of a later payment sum to it': [
    "update payments set type = 'subscription_extra' where subscription_id is not null",
    `insert into payment_lines (workspace_id, test_mode, id, subscription_id, payment_id, position, kind, name,
       unit_price, quantity, currency, subtotal, discount, tax, total, inclusive, tax_reason, created_at)
     select workspace_id, test_mode, id, subscription_id, id, 0, 'extra', 'Rocket', 1, 1, currency, 1, 0, 0, 1,
       false, 'rate', created_at from payments where subscription_id is not null`,
  ],
  'a payment and all that belongs to it have one currency': "update charges set currency = 'USD'",
  'the ledger has the currency of the payment that it is about': "update payments set currency = 'USD'",
  'every currency is one whose decimals are known': "update payments set currency = 'XTS'",
  'no column holds a fraction, so that every amount is a whole number': 'create table loose (share real)',
  'what is called an amount is of the domain of whole minor units': 'create table loose (amount integer)',
  'each entry of the ledger sums to 0': [
    'alter table ledger_entries disable trigger user',
    "update ledger_entries set amount = amount + 1 where account = 'sales'",
  ],
  'the guards of the ledger stand: what is posted is weighed and never changed':
    'alter table ledger_entries disable trigger ledger_entries_kept',
  'the balances of the ledger are what payments, refunds and disputes say':
    "update payments set fee = fee + 1 where status = 'PAID'",
  'what the sandbox took is charged here, once and alike': 'update sandbox_charges set amount = amount + 1',
  'what is charged here was taken by the sandbox':
    "update sandbox_charges set status = 'cancelled' where status = 'succeeded'",
  'what the sandbox gave back is a refund or a reversal here': `
    insert into sandbox_refunds select workspace_id, test_mode, gen_random_uuid(), id, 1, 1 from sandbox_charges`,
  'what was refunded here through the sandbox was given back there': refund(),
  'a charge that was reversed was sent back, or is about to be':
    "update charges set reversed_at = 1 where status = 'succeeded'",
  'a refund goes back the way the money came, and after it': refund({ createdAt: '1' }),
  'no period of a subscription has two payments': [
    'drop index payments_one_per_period',
    bill('1'),
    `update payments set type = 'subscription_interval', period_start = 1,
       subscription_id = (select id from subscriptions limit 1)`,
  ],
  'the key that gives a period one payment stands': 'drop index payments_one_per_period',
  'periods that were billed since the anchor do not overlap': bill(
    's.anchor_at',
    ', period_end = s.anchor_at',
  ),
  'between periods that were billed since the anchor there is no hole, unless nothing was to be billed': [
    bill('s.anchor_at', ', period_end = s.anchor_at + 1'),
    `update payments set type = 'subscription_interval', period_start = s.anchor_at + 2, subscription_id = s.id
     from subscriptions s where subscription_id is null and payments.id = (select id from payments
       where subscription_id is null limit 1)`,
  ],
  'the running period lies between boundaries of the anchor':
    'update subscriptions set current_interval_end = current_interval_end + 1',
  'each period that was billed since the anchor lies between boundaries of it': bill('s.anchor_at + 1'),
  'a subscription that owes says so: past_due and unpaid have an interval payment that is open':
    "update subscriptions set status = 'past_due'",
  'a subscription is past due while its run of retries lasts, and unpaid when it is over':
    "update subscriptions set status = 'past_due', dunning_started_at = 1",
  'nothing is owed for a subscription that has ended': [
    "update subscriptions set status = 'canceled', ended_at = 1",
    "update payments set status = 'FAILED' where subscription_id is not null",
  ],
  'no payment is made after a subscription has ended':
    "update subscriptions set status = 'canceled', ended_at = 1",
  'a subscription has an end exactly when it has ended': 'update subscriptions set ended_at = 1',
  'a trial is not charged for': [
    "update subscriptions set status = 'trialing', trial_end = anchor_at + 1",
    bill('s.anchor_at'),
  ],
  'a subscription that runs owes for no period: a payment is made, or is being made': bill(
    's.anchor_at',
    ", status = 'UNPAID'",
  ),
  'the running period of an active subscription was billed, unless it was paused or unpaid':
    'update payments set period_start = period_start + 1',
  'the last event of a subscription tells its status': "update subscriptions set status = 'paused'",
  'what is told of a subscription, one after the other, are moves of its table': `
    update events set body = replace(body, '"status":"active"', '"status":"unpaid"')
    where type = 'subscription_updated'`,
  'a subscription is told to be cancelled once, exactly when it is':
    "update subscriptions set status = 'canceled'",
  'an order has one initial payment': "update payments set type = 'subscription_extra'",
  'an order follows its initial payment': "update orders set status = 'FAILED'",
  'a discount counts its redemptions, used and held': 'update discounts set used_count = used_count + 1',
  'no discount is redeemed beyond its limit or outside its window':
    'update discounts set valid_until = 1, updated_at = 0',
  'an offer counts what open orders hold of it': 'update offers set held_count = held_count + 1',
  'an offer counts what was sold of it, renewals apart': 'update offers set sold_count = sold_count + 1',
  'a key belongs to an order item of its offer exactly when it is reserved, sold or revoked':
    'update offer_keys set order_item_id = null',
  'a delivered item with keys has as many as were bought': 'update order_items set quantity = quantity + 1',
  'keys are sold with an order that was paid, and reserved for one that is open':
    'update orders set paid_at = null',
  'the numbers of a series of documents have no gap, and are in the order of their moments': [
    'alter table invoices disable trigger user',
    'update invoices set position = position + 10 where position = (select max(position) from invoices)',
  ],
  'a series stands at its last number': 'update invoice_series set last_number = last_number + 1',
  'a payment has an invoice exactly when money was taken for it': 'update payments set invoice_number = null',
  'each refund of an invoiced payment has a credit note of its amount': refund(),
  'the credit notes of an invoice do not exceed it': [
    refund(),
    `insert into invoices (workspace_id, test_mode, id, kind, number, series, position, order_id, payment_id,
       refund_id, refers_to, currency, total, tax, snapshot, snapshot_sha256, token, finalised_at)
     select v.workspace_id, v.test_mode, r.id, 'credit_note', 'CN', 'CN', 1, v.order_id, v.payment_id, r.id, v.id,
       v.currency, v.total + 1, v.tax, v.snapshot, v.snapshot_sha256, 'CN', v.finalised_at
     from invoices v join refunds r on r.payment_id = v.payment_id and r.credit_note_number is null`,
  ],
  'a document is what it was when it was finalised': [
    'alter table invoices disable trigger user',
    "update invoices set snapshot = snapshot || ' '",
  ],
  'the guards of documents stand': 'alter table invoices disable trigger invoices_kept',
  'a change is told once, and by one that has happened':
    'update events set entity_version = entity_version + 10',
  'each change of a subscription, from its beginning on, is told': untold("type = 'subscription_updated'"),
  'what happened is told with its own moment': 'update payments set paid_at = paid_at + 1',
  'a renewal that is paid is told as one, once':
    "update payments set type = 'subscription_interval', period_start = 1 where subscription_id is not null",
  'each charge that failed is told': untold("type = 'payment_failed'"),
  'each failure that is told is of a charge that failed': "delete from charges where status = 'failed'",
  // Written again, the row is of another transaction than what it was written with.
  'money that came is told in the transaction that posted it':
    "update events set body = body where type = 'payment_success'",
  'money that went back is told in the transaction that posted it':
    "update events set body = body where type = 'payment_refunded'",
  'the key that lets a change be told once stands': `do $$ declare key text; begin
      select conname into key from pg_constraint where conrelid = 'events'::regclass and contype = 'u';
      execute format('alter table events drop constraint %I', key);
    end $$`,
  'each event goes to each webhook that hears it': [
    'delete from webhook_deliveries',
    'update webhooks set created_at = 1',
  ],
  'the key that lets an event go to a webhook once stands': 'drop index webhook_deliveries_once',
  'a delivery waits exactly when its next attempt is due': "update webhook_deliveries set status = 'waiting'",
  'a mail is queued exactly when its sending is due': "update mails set status = 'queued'",
  'who paid was told so by one mail, unless the subscription holds mails back': 'delete from mails',
  'a delivery that was given up says why': "update webhook_deliveries set status = 'failed', reason = null",
  'no delivery is overdue by more than five minutes': dueRow('due_real_ms', '1'),
  'the attempts of a delivery are counted from 0 without holes, one after the other':
    'update webhook_attempts set sequence = 1',
  'a delivery ends with the attempt that was taken, and with no other':
    'update webhook_deliveries set attempt_count = 5',
  'a payment is told to be paid once, exactly when it was': untold("type = 'payment_success'"),
  'every refund of a payment is told once': refund(),
  'no attempt reached an address that is not allowed': "update webhook_attempts set address = '10.0.0.1'",
  'no row can point into another workspace': LOOSE_REFERENCE,
  'no key of a request has been running for longer than a request may': `
    insert into idempotency_keys (workspace_id, test_mode, asker, key, fingerprint, lease_until, created_at)
    select workspace_id, test_mode, 'keys', 'key', '', real_now_ms() + 600000, 1 from stores`,
  'no key of a request is kept for longer than its time': `
    insert into idempotency_keys (workspace_id, test_mode, asker, key, fingerprint, lease_until, created_at)
    select workspace_id, test_mode, 'keys', 'key', '', 0, 1 from stores`,
  'money is given back under one key of a request': `
    insert into idempotency_keys (workspace_id, test_mode, asker, key, fingerprint, resource_id, lease_until, created_at)
    select workspace_id, test_mode, 'keys', 'key' || n, '', id, 0, 1 from refunds, generate_series(1, 2) n`,
  'no work is held by a worker that has gone': dueRow('due_real_ms, lease_until_ms', '1, 1'),
  'work that failed says why': dueRow('due_real_ms, failures', 'real_now_ms(), 1'),
  'a charge whose outcome is open is looked after': 'delete from due_work',
  'a subscription that runs has its next moment put down': 'delete from due_work',
  'a refund whose outcome is open is looked after': refund({ status: 'pending' }),
  'an order that was corrected by hand says by whom': 'update orders set corrected_at = 1',
  'money that was taken by hand says by whom': "update charges set processor = 'manual'",
  'an audit row tells the refund that was made': [
    'alter table audit_log disable trigger user',
    "update audit_log set after = '{}' where operation = 'refundOrder'",
  ],
  'a refund that a request has begun and ended is told by an audit row': [
    'alter table audit_log disable trigger user',
    'delete from audit_log',
  ],
  'a subscription that a request has made is told by an audit row': [
    'alter table audit_log disable trigger user',
    'delete from audit_log',
  ],
  'the guards of audit rows stand': 'alter table audit_log disable trigger audit_log_kept',
  'the guards of what consumers agreed to and stated stand':
    'alter table withdrawals disable trigger withdrawals_kept',
  'a withdrawal that was decided by hand says by whom': withdraw('decided_at', '1'),
  'what a withdrawal gives back is of its own order': [
    refund(),
    withdraw('refund_ids', '(select array_agg(id) from refunds)'),
  ],
  'a workspace that has sold is active, or archived by its admin':
    "update workspaces set state = 'suspended'",
  'a store has no more webhooks than the limit': `
    insert into webhooks (workspace_id, test_mode, id, url, status, secret, events, created_at)
    select workspace_id, test_mode, gen_random_uuid(), url, status, secret, events, created_at
    from webhooks cross join generate_series(1, 10)`,
  'nothing is sent to a webhook once it is archived': 'update webhooks set deleted_at = 1',
  'no row of one mode can point into the other': LOOSE_REFERENCE,
  'what a connection has taken names the object that took it':
    "update charges set processor_id = null where status = 'succeeded'",
  'an object of a connection is one charge alone: the unique index stands': 'drop index charges_of_object',
  'a movement of a processor counts once: the unique index stands': 'drop index processor_movements_once',
  'a movement of a processor is linked to what it is of, or posted by itself': move('m_1', "'posted'"),
  'a charge takes money once: it has one movement': [
    move('m_1', "'linked'", 'c.id'),
    move('m_2', "'linked'", 'c.id'),
  ],
  'what the last comparison with a processor could not explain was acknowledged': `
    insert into processor_reports (workspace_id, test_mode, id, connection_id, from_at, to_at, counts, findings, sums,
      created_at)
    select workspace_id, test_mode, gen_random_uuid(), id, 1, 2,
      '{"missing_money": 1, "unknown_money": 0, "amount_differs": 0}', '[]', '[]', 3 from processors limit 1`,
  'who was charged unasked was charged by a process that had read what happened before': [
    `insert into processor_backfills (workspace_id, test_mode, connection_id, process_id, begun_at, ended_at)
      select workspace_id, test_mode, connection_id, id, 5, 7 from charges where connection_id is not null limit 1`,
    `update charges set off_session = true, sent_at = 6, sent_by = (select process_id from processor_backfills)`,
  ],
  'no credential is kept unsealed': [
    'alter table processors drop constraint processors_credentials_check',
    "update processors set credentials = 'sk_test_bare'",
  ],
  'what a subscription brings in a month is the sum of its movements':
    "update subscriptions set status = 'paused' where status = 'active'",
  'a movement says what all movements of its subscription come to by then': [
    'alter table mrr_movements disable trigger user',
    'update mrr_movements set after = after + 1',
  ],
};

class TakenBack extends Error {}

/** What is found of one invariant once the store has been broken; the breach is taken back. */
async function breakAndFind(breach: string | readonly string[], number: number): Promise<Violation[]> {
  let found: Violation[] = [];
  const guard = createAddressGuard(['127.0.0.0/8']);
  const broken = app.service.db.transaction().execute(async (tx) => {
    for (const statement of [breach].flat()) await sql.raw(statement).execute(tx);
    found = await findViolations(tx, { only: [number], guard });
    throw new TakenBack();
  });
  await expect(broken).rejects.toThrow(TakenBack);
  return found;
}

describe('findViolations', () => {
  it('finds nothing after ordinary sales', () => expectInvariants(app));

  it('O25 takes no address for a breach where nobody knows which the service was allowed to reach', async () => {
    const { db } = app.service;
    expect(await findViolations(db, { only: [27] })).toMatchObject([{ row: { address: '127.0.0.1' } }]);
    expect(await findViolations(db, { only: [27], guard: null })).toEqual([]);
  });

  it('is tried against every invariant', () => {
    expect(Object.keys(BREAKS).sort()).toEqual(INVARIANTS.map(({ name }) => name).sort());
  });

  it.each(INVARIANTS.map(({ number, name }) => ({ number, name })))(
    'shows the row where it does not hold that $name ($number)',
    async ({ number, name }) => {
      const found = await breakAndFind(BREAKS[name] ?? [], number);
      const violation = found.find((one) => one.name === name);
      expect(
        violation,
        JSON.stringify(found, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
      ).toBeDefined();
      expect(Object.keys(violation?.row ?? {}).length).toBeGreaterThan(0);
    },
  );
});

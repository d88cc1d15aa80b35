import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTexts } from '../../src/domain/mails/kept-letter.ts';
import { buy, card, listTaken, listTold, openPage } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  // The workspace's currency is set by its first offer; fixed discounts need it.
  await makeOffer(app.test);
});
afterAll(() => app.close());

/** Buyers come as one crowd; a moment's wait for a connection is no refusal. */
function crowd(count: number, body: (i: number) => Record<string, unknown>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => buy(app.test, body(i))));
}

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const word = status === 200 ? body.data.order.status : `${status} ${body.error.code}`;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

async function addKeys(offerId: string, texts: string[]): Promise<void> {
  const { body } = await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: texts });
  expect(body.data.added).toBe(texts.length);
}

async function keysOfOrder(orderId: string): Promise<string[]> {
  const { body } = await app.test.get(`/v0/orders/${orderId}`);
  return body.data.items.flatMap(({ keys }: { keys: Array<{ key: string }> }) => keys.map(({ key }) => key));
}

async function listMails(kind: string) {
  await app.wired.worker.runDue();
  const rows = await app.service.db.selectFrom('mails').selectAll().where('kind', '=', kind).execute();
  return rows.map((row) => ({ ...row, ...toTexts(row) }));
}

async function offerOf(id: string) {
  return (await app.test.get(`/v0/offers/${id}`)).body.data.offer;
}

async function countOrders(): Promise<number> {
  return (await app.test.get('/v0/orders/list', { query: { returnCount: 'true' } })).body.data.count;
}

async function makeCode(discountCode: string, fields: Record<string, unknown> = {}): Promise<string> {
  const code = { type: 'code', amount: 10, amountType: 'percentage', includesAllOffers: true };
  const { body } = await app.test.post('/v0/discounts/create', { ...code, discountCode, ...fields });
  return body.data.discount.id;
}

async function discountOf(id: string) {
  return (await app.test.get(`/v0/discounts/${id}`)).body.data.discount;
}

/** A submitted order that waits for the buyer's bank: it holds and is not paid. */
async function holdBy(offerId: string, form: Record<string, unknown> = {}) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const { body } = await page.submit({ card: card('4000002500003155'), ...form });
  expect(body.data.checkout.status).toBe('requires_action');
  const { body: listed } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
  return { page, orderId: String(listed.data.orders[0].id) };
}

describe('keys of an offer', () => {
  it('T11 20 of them go to 20 of 30 buyers, none twice; the others write nothing', async () => {
    const offerId = await makeOffer(app.test);
    const texts = Array.from({ length: 20 }, (_, i) => `CROWD-KEY-${String(i).padStart(3, '0')}`);
    await addKeys(offerId, texts);
    const [orders, taken] = [await countOrders(), (await listTaken(app)).length];
    const answers = await crowd(30, (i) => ({ offersIds: [offerId], userEmail: `buyer${i}@example.com` }));
    expect(tally(answers)).toEqual({ PAID: 20, '409 sold_out': 10 });
    const sold = await Promise.all(
      answers.filter(({ status }) => status === 200).map(({ body }) => keysOfOrder(body.data.order.id)),
    );
    expect(sold.flat().sort()).toEqual(texts);
    expect(await countOrders()).toBe(orders + 20);
    expect((await listTaken(app)).length).toBe(taken + 20);
    expect(await offerOf(offerId)).toMatchObject({
      soldItems: 20,
      keys: { available: 0, reserved: 0, sold: 20 },
    });
  });

  it('are given in the quantity bought, or not at all', async () => {
    const offerId = await makeOffer(app.test);
    await addKeys(offerId, ['QUANTITY-1', 'QUANTITY-2', 'QUANTITY-3', 'QUANTITY-4']);
    const three = await buy(app.test, { offersIds: [offerId], quantity: 3 });
    expect(await keysOfOrder(three.body.data.order.id)).toHaveLength(3);
    await expectRefusal(buy(app.test, { offersIds: [offerId], quantity: 2 }), 409, 'sold_out');
    expect((await offerOf(offerId)).keys).toEqual({ available: 1, reserved: 0, sold: 3 });
  });

  it('held for a charge that waits for its buyer stay held until it is decided', async () => {
    const offerId = await makeOffer(app.test);
    await addKeys(offerId, ['LINGERING-1']);
    const { page } = await holdBy(offerId);
    await advance(app, app.test.scope, 31 * MINUTE_MS);
    await expectRefusal(buy(app.test, { offersIds: [offerId] }), 409, 'sold_out');
    // Another way is taken, and declined: that is decided.
    await page.submit({ card: card('4000000000000002') });
    const { body } = await buy(app.test, { offersIds: [offerId] });
    expect(await keysOfOrder(body.data.order.id)).toEqual(['LINGERING-1']);
  });

  it('that ran out while the buyer’s charge was unknown are owed: paid, awaiting, and served first', async () => {
    const offerId = await makeOffer(app.test);
    await addKeys(offerId, ['OWED-KEY-1']);
    const page = await openPage(app, `/checkout/${offerId}`);
    // The first card fails, which gives the key back, and another buyer takes it.
    await page.submit({ card: card('4000000000000002') });
    const [first] = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders;
    await buy(app.test, { offersIds: [offerId], userEmail: 'quick@example.com' });
    await settleLate(first.id);
    const { body } = await app.test.get(`/v0/orders/${first.id}`);
    expect(body.data.order.status).toBe('PAID');
    expect(body.data.items[0].keys).toEqual([]);
    expect((await page.show()).body.data.checkout.receipt.items[0].awaitingStock).toBe(true);
    await addKeys(offerId, ['OWED-KEY-2', 'OWED-KEY-3']);
    expect(await keysOfOrder(first.id)).toEqual(['OWED-KEY-2']);
    const params = { offerName: 'Rocket', orderNumber: first.number, missing: 1 };
    expect(await listMails('awaiting_stock')).toMatchObject([{ params, recipient: 'owner@first.example' }]);
    expect(await listMails('key_delivery')).toMatchObject([{ plain: expect.stringContaining('OWED-KEY-2') }]);
    expect((await offerOf(offerId)).keys).toEqual({ available: 1, reserved: 0, sold: 2 });
    expect(await offerOf(offerId)).toMatchObject({ soldItems: 2 });
  });

  it('gives a late payment the keys that are being added at that very moment', async () => {
    const offerId = await makeOffer(app.test);
    await addKeys(offerId, ['RACE-KEY-1']);
    const page = await openPage(app, `/checkout/${offerId}`);
    await page.submit({ card: card('4000000000000002') });
    const [first] = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders;
    await buy(app.test, { offersIds: [offerId], userEmail: 'quicker@example.com' });
    const adding = await app.service.pool.connect();
    try {
      await adding.query('begin');
      await adding.query('select from offers where id = $1 for no key update', [offerId]);
      const settled = settleLate(first.id);
      await untilSomebodyWaits();
      await adding.query(
        `insert into offer_keys (workspace_id, test_mode, id, offer_id, status, key_text, created_at)
         select workspace_id, test_mode, gen_random_uuid(), id, 'available', 'RACE-KEY-2', created_at
         from offers where id = $1`,
        [offerId],
      );
      await adding.query('commit');
      await settled;
    } finally {
      adding.release();
    }
    expect(await keysOfOrder(first.id)).toEqual(['RACE-KEY-2']);
  });
});

/** Asks the server, not the clock, whether a transaction of this database waits for a lock by now. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  for (let asked = 0; asked < 5_000; asked += 1) {
    const { rows } = await app.service.pool.query(waiting);
    if (rows[0]?.count > 0) return;
  }
  throw new Error('nobody waits for the lock');
}

/** The processor takes the money of a try that our books count as failed: found when the buyer tries again. */
async function settleLate(orderId: string): Promise<void> {
  const { db } = app.service;
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
  await db.updateTable('orders').set({ status: 'PENDING' }).where('id', '=', orderId).execute();
  await db.updateTable('payments').set({ status: 'PENDING' }).where('orderId', '=', orderId).execute();
  const paymentId = String(order.lastPaymentId);
  const set = {
    status: 'pending' as const,
    settledAt: null,
    decline: null,
    declineReason: null,
    declineMessage: null,
  };
  const charge = await db
    .updateTable('charges')
    .set(set)
    .where('paymentId', '=', paymentId)
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.service.pool.query(
    `update sandbox_charges set status = 'succeeded', decline_reason = null where id = $1`,
    [charge.id],
  );
  await db.updateTable('dueWork').set({ dueRealMs: 0 }).where('refId', '=', orderId).execute();
  await app.wired.worker.runDue();
}

describe('an offer limited to 3', () => {
  it('is sold three times to 15 buyers at once', async () => {
    const offerId = await makeOffer(app.test, { limit: 3 });
    const answers = await crowd(15, (i) => ({ offersIds: [offerId], userEmail: `limited${i}@example.com` }));
    expect(tally(answers)).toEqual({ PAID: 3, '409 offer_limit_reached': 12 });
    expect((await offerOf(offerId)).soldItems).toBe(3);
  });

  it('counts quantities, and holds those of buyers who are paying', async () => {
    const offerId = await makeOffer(app.test, { limit: 3 });
    await buy(app.test, { offersIds: [offerId], quantity: 2 });
    await holdBy(offerId);
    await expectRefusal(buy(app.test, { offersIds: [offerId] }), 409, 'offer_limit_reached');
    await advance(app, app.test.scope, DAY_MS);
    expect((await buy(app.test, { offersIds: [offerId] })).status).toBe(200);
    await expectRefusal(buy(app.test, { offersIds: [offerId] }), 409, 'offer_limit_reached');
  });
});

describe('a code', () => {
  it('T10 limited to 5 is used exactly 5 times by 40 buyers', async () => {
    const offerId = await makeOffer(app.test);
    const id = await makeCode('FIVE', { purchaseLimit: 5 });
    const taken = (await listTaken(app)).length;
    const answers = await crowd(40, (i) => ({
      offersIds: [offerId],
      userEmail: `coupon${i}@example.com`,
      discountCode: 'five',
    }));
    expect(tally(answers)).toEqual({ PAID: 5, '400 discount_exhausted': 35 });
    expect(await discountOf(id)).toMatchObject({ timesUsed: 5, state: 'exhausted' });
    const amounts = (await listTaken(app)).slice(taken).map(({ amount }) => amount);
    expect(amounts).toEqual(Array(5).fill(2141));
  });

  it('is used once per buyer where it says so, whatever the case of the address', async () => {
    const offerId = await makeOffer(app.test);
    await makeCode('ONCE', { limitPerUser: 1 });
    const answers = await crowd(8, (i) => ({
      offersIds: [offerId],
      userEmail: i % 2 ? 'greedy@example.com' : 'Greedy@Example.com',
      discountCode: 'ONCE',
    }));
    expect(tally(answers)).toEqual({ PAID: 1, '400 discount_user_limit': 7 });
    const other = await buy(app.test, {
      offersIds: [offerId],
      userEmail: 'x@example.com',
      discountCode: 'ONCE',
    });
    expect(other.status).toBe(200);
  });

  it.each([
    ['NOWHERE', {}, 'discount_code_unknown'],
    ['SLEEPING', { status: 'inactive' }, 'discount_inactive'],
    ['FUTURE', { validFrom: 4_000_000_000_000 }, 'discount_not_started'],
    ['PAST', { validUntil: 1_600_000_000_000 }, 'discount_expired'],
    ['NOTHING', { includesAllOffers: false }, 'discount_not_applicable'],
    ['DOLLARS', { amountType: 'fixed', amount: 100, currency: 'USD' }, 'discount_wrong_currency'],
  ])('%s is refused with its own word, and nothing is bought', async (discountCode, fields, code) => {
    const offerId = await makeOffer(app.test);
    if (discountCode !== 'NOWHERE') await makeCode(discountCode, fields);
    const before = await countOrders();
    await expectRefusal(buy(app.test, { offersIds: [offerId], discountCode }), 400, code);
    const page = await openPage(app, `/checkout/${offerId}`);
    await expectRefusal(page.submit({ discountCode }), 400, code);
    expect((await page.quote({ discountCode })).body.data.quote.codeError.code).toBe(code);
    expect(await countOrders()).toBe(before);
  });
});

describe('a sale', () => {
  it('limited to 3 lowers the price for 3 of a crowd; the others pay the full one', async () => {
    const offerId = await makeOffer(app.test);
    const sale = { type: 'sale', amount: 10, amountType: 'percentage', includedOffers: [offerId] };
    const { body } = await app.test.post('/v0/discounts/create', { ...sale, purchaseLimit: 3 });
    const answers = await crowd(15, (i) => ({ offersIds: [offerId], userEmail: `sale${i}@example.com` }));
    expect(tally(answers)).toEqual({ PAID: 15 });
    const values = answers.map((answer) => Number(answer.body.data.order.value)).sort((a, b) => a - b);
    expect(values).toEqual([...Array(3).fill(2141), ...Array(12).fill(2379)]);
    expect((await discountOf(body.data.discount.id)).timesUsed).toBe(3);
  });

  it('spent between the quote and the submit is a changed price to the buyer who saw it', async () => {
    const offerId = await makeOffer(app.test);
    const sale = { type: 'sale', amount: 10, amountType: 'percentage', includedOffers: [offerId] };
    await app.test.post('/v0/discounts/create', { ...sale, purchaseLimit: 1 });
    const pages = await Promise.all([1, 2, 3, 4].map(() => openPage(app, `/checkout/${offerId}`)));
    const { fingerprint } = (await pages[0]?.quote())?.body.data.quote ?? {};
    const answers = await Promise.all(
      pages.map((page, i) => page.submit({ fingerprint, email: `seen${i}@example.com` })),
    );
    const words = answers.map(({ status, body }) => (status === 200 ? 'paid' : body.error.code));
    expect(words.sort()).toEqual(['paid', 'price_changed', 'price_changed', 'price_changed']);
  });
});

describe('24 hours after its session was opened', () => {
  it('an unpaid purchase expires whole, and what it held is free', async () => {
    const planId = await makePlanOffer(app.test, { limit: 1 });
    const code = await makeCode('EXPIRING', { purchaseLimit: 1 });
    const { page, orderId } = await holdBy(planId, { discountCode: 'EXPIRING' });
    await expectRefusal(buy(app.test, { offersIds: [planId] }), 409, 'offer_limit_reached');
    await advance(app, app.test.scope, DAY_MS);
    const { body } = await app.test.get(`/v0/orders/${orderId}`);
    expect(body.data.order.status).toBe('EXPIRED');
    expect(body.data.payments).toMatchObject([{ status: 'EXPIRED' }]);
    expect(body.data.subscription.status).toBe('incomplete_expired');
    expect((await listTold(app, orderId)).map(({ type }) => type)).toEqual([
      'subscription_created',
      'payment_failed',
      'subscription_updated',
    ]);
    expect((await page.show()).body.data.checkout.status).toBe('expired');
    await expectRefusal(page.submit(), 409, 'checkout_expired');
    const next = await buy(app.test, { offersIds: [planId], discountCode: 'EXPIRING' });
    expect(next.body.data).toMatchObject({ order: { status: 'PAID' }, subscription: { status: 'active' } });
    expect(await discountOf(code)).toMatchObject({ timesUsed: 1 });
  });

  it('a page that was never submitted takes no submit any more', async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
    await page.quote();
    await advance(app, app.test.scope, DAY_MS + 1);
    expect((await page.show()).body.data.checkout.status).toBe('expired');
    await expectRefusal(page.submit(), 409, 'checkout_expired');
  });
});

describe('a charge whose outcome is not known', () => {
  it('holds what it holds, is looked up, and is PAID after two minutes', async () => {
    const offerId = await makeOffer(app.test);
    await addKeys(offerId, ['PATIENCE-1']);
    const taken = (await listTaken(app)).length;
    const { body } = await buy(app.test, { offersIds: [offerId], card: '4000000000000119' });
    expect(body.data).toMatchObject({ order: { status: 'PENDING' }, payment: { status: 'PENDING' } });
    expect((await listTaken(app)).length).toBe(taken);
    await advance(app, app.test.scope, 90_000);
    const { order } = (await app.test.get(`/v0/orders/${body.data.order.id}`)).body.data;
    expect(order.status).toBe('PENDING');
    await advance(app, app.test.scope, 30_000);
    const found = (await app.test.get(`/v0/orders/${order.id}`)).body.data;
    expect(found.order).toMatchObject({ status: 'PAID', lastPayment: { status: 'PAID' } });
    expect(found.order.paidAt - found.order.createdAt).toBeGreaterThanOrEqual(120_000);
    expect(await keysOfOrder(order.id)).toEqual(['PATIENCE-1']);
    expect((await listTold(app, order.id)).map(({ type }) => type)).toEqual(['payment_success']);
    expect((await listTaken(app)).length).toBe(taken + 1);
  });

  it('whose call never arrived fails, so that the buyer can try again', async () => {
    const offerId = await makeOffer(app.test);
    const page = await openPage(app, `/checkout/${offerId}`);
    const { charge } = app.service.payments.sandbox;
    app.service.payments.sandbox.charge = () => Promise.reject(new Error('connection reset'));
    const waiting = await page.submit();
    app.service.payments.sandbox.charge = charge;
    expect(waiting.body.data.checkout.status).toBe('processing');
    await advance(app, app.test.scope, 2 * MINUTE_MS);
    expect((await page.show()).body.data.checkout).toMatchObject({ status: 'open' });
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));

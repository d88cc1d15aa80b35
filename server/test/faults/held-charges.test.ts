/** Other money than was asked for is never PAID by itself: it is held, and a person accepts it or sends it back. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTold, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { forgetNextCancel, stallNextCharge, takeOtherNext, withFault } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, putToRest, subscribe } from '../support/subscribing.ts';

/** 19.99 net with 19 % on top. */
const VALUE = 2379;

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(async () => {
  await expectInvariants(app);
  const { body } = await app.test.get('/v0/ledger/proof');
  expect(body.data.proof).toMatchObject({ ok: true, differences: [] });
});
afterAll(() => app.close());

const pass = (ms: number) => advance(app, app.test.scope, ms);
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const decide = (chargeId: string, verb: 'accept' | 'return', note = 'Agreed by phone.') =>
  app.test.post(`/v0/charges/${chargeId}/${verb}`, { note });
const typesOf = async (orderId: string) => (await listTold(app, orderId)).map(({ type }) => type);

async function listMails(kind: string) {
  await app.wired.worker.runDue();
  return app.service.db.selectFrom('mails').selectAll().where('kind', '=', kind).execute();
}

/** Lines of the ledger about one charge, as `account amount currency`. */
async function listPosted(chargeId: string): Promise<string[]> {
  const rows = await app.service.db
    .selectFrom('ledgerEntries')
    .select(['account', 'amount', 'currency'])
    .where('sourceId', '=', chargeId)
    .orderBy('currency')
    .orderBy('account')
    .execute();
  return rows.map(({ account, amount, currency }) => `${account} ${amount} ${currency}`);
}

async function buyHeld(
  other: { amountMinor?: bigint; currency?: string },
  fields: Record<string, unknown> = {},
) {
  takeOtherNext(app, other);
  const { status, body } = await buy(app.test, { offersIds: [offerId], ...fields });
  expect(status).toBe(200);
  const { order, payment } = body.data;
  const [charge] = payment.charges;
  return { orderId: String(order.id), paymentId: String(payment.id), order, payment, charge };
}

describe.each([
  ['one unit more', { amountMinor: 2380n }, { amount: 2380, currency: 'EUR' }],
  ['one unit less', { amountMinor: 2378n }, { amount: 2378, currency: 'EUR' }],
  ['another currency', { currency: 'USD' }, { amount: VALUE, currency: 'USD' }],
])('%s than was asked for', (_what, other, taken) => {
  it('is held, not paid: nothing is told or delivered, and the owner is mailed', async () => {
    const mails = (await listMails('charge_held')).length;
    const { orderId, order, payment, charge } = await buyHeld(other);
    expect(order.status).toBe('PENDING');
    expect(payment).toMatchObject({ status: 'PENDING', invoiceNumber: null });
    expect(charge).toMatchObject({
      status: 'pending',
      amount: VALUE,
      currency: 'EUR',
      hold: 'discrepancy',
      taken,
    });
    await pass(3 * DAY_MS);
    await expectInvariants(app);
    const { order: later, payments } = await orderOf(orderId);
    expect(later.status).toBe('PENDING');
    expect(payments[0].charges).toMatchObject([{ status: 'pending', hold: 'discrepancy' }]);
    expect(await typesOf(orderId)).toEqual([]);
    const sent = await listMails('charge_held');
    expect(sent.length).toBe(mails + 1);
    expect(sent.at(-1)).toMatchObject({ recipient: 'owner@first.example' });
    await decide(charge.id, 'return');
  });

  it('is paid at its own value when it is accepted, and delivered then', async () => {
    const { orderId, charge } = await buyHeld(other);
    const { status, body } = await decide(charge.id, 'accept');
    expect(status).toBe(200);
    expect(body.data.payment).toMatchObject({
      status: 'PAID',
      value: VALUE,
      charges: [{ status: 'succeeded', amount: VALUE, currency: 'EUR', hold: null, taken }],
    });
    expect(body.data.payment.invoiceNumber).not.toBeNull();
    expect((await orderOf(orderId)).order).toMatchObject({ status: 'PAID', value: VALUE });
    expect(await typesOf(orderId)).toEqual(['payment_success']);
    await expectRefusal(decide(charge.id, 'accept'), 409, 'charge_not_held');
    await expectRefusal(decide(charge.id, 'return'), 409, 'charge_not_held');
  });

  it('goes back when it is sent back, and the payment goes on as after a decline', async () => {
    takeOtherNext(app, other);
    const page = await openPage(app, `/checkout/${offerId}`);
    expect((await page.submit()).body.data.checkout.status).toBe('processing');
    const { orders } = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data;
    const [charge] = (await orderOf(orders[0].id)).payments[0].charges;
    const { body } = await decide(charge.id, 'return');
    expect(body.data.payment).toMatchObject({
      status: 'FAILED',
      charges: [{ status: 'failed', hold: null, taken, failure: { reason: 'returned' } }],
    });
    await app.wired.worker.runDue();
    const { rows } = await app.service.pool.query(
      'select refunded::int, amount::int from sandbox_charges where id = $1',
      [charge.id],
    );
    expect(rows).toEqual([{ refunded: taken.amount, amount: taken.amount }]);
    expect(await typesOf(orders[0].id)).toEqual(['payment_failed']);
    // Payable again, by the amount that was asked for.
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
    expect(await typesOf(orders[0].id)).toEqual(['payment_failed', 'payment_success']);
  });
});

describe('the ledger of an accepted charge', () => {
  it('puts the difference apart', async () => {
    const { charge } = await buyHeld({ amountMinor: 2400n });
    await decide(charge.id, 'accept');
    expect(await listPosted(charge.id)).toEqual([
      'fees 70 EUR',
      'processor_clearing 2330 EUR',
      'processor_other -21 EUR',
      'sales -1999 EUR',
      'tax_payable -380 EUR',
    ]);
  });

  it('leaves the sale in its own currency, and what came in the other', async () => {
    const { paymentId, charge } = await buyHeld({ amountMinor: 2600n, currency: 'USD' });
    await decide(charge.id, 'accept');
    expect(await listPosted(charge.id)).toEqual([
      'conversion 2379 EUR',
      'processor_clearing 2379 EUR',
      'processor_clearing -2379 EUR',
      'sales -1999 EUR',
      'tax_payable -380 EUR',
      'conversion -2600 USD',
      'fees 75 USD',
      'processor_clearing 2525 USD',
    ]);
    // 75 × 2379 ÷ 2600.
    const { body } = await app.test.get(`/v0/payments/${paymentId}`);
    expect(body.data.payment.fee).toBe(69);
  });
});

describe('a refund of an accepted charge', () => {
  const refund = (orderId: string, amount?: number) =>
    app.test.post(`/v0/orders/${orderId}/refunds`, amount === undefined ? {} : { amount });

  it('gives back no more than was taken, and all of that is REFUNDED', async () => {
    const { orderId, charge } = await buyHeld({ amountMinor: 1190n });
    await decide(charge.id, 'accept');
    await expectRefusal(refund(orderId, 1191), 400, 'refund_exceeds_paid');
    expect((await refund(orderId, 500)).body.data.payment.status).toBe('PARTIALLY_REFUNDED');
    const { body } = await refund(orderId);
    expect(body.data).toMatchObject({
      refund: { status: 'succeeded', amount: 690 },
      payment: { status: 'REFUNDED', refundedValue: 1190, value: VALUE },
      order: { status: 'REFUNDED' },
    });
    await expectRefusal(refund(orderId), 409, 'already_refunded');
  });

  it('gives back no more than the payment came to where more was taken', async () => {
    const { orderId, charge } = await buyHeld({ amountMinor: 3000n });
    await decide(charge.id, 'accept');
    await expectRefusal(refund(orderId, 2380), 400, 'refund_exceeds_paid');
    expect((await refund(orderId)).body.data).toMatchObject({
      refund: { status: 'succeeded', amount: VALUE },
      payment: { status: 'REFUNDED' },
    });
  });

  it('stays pending where another currency was taken, until it is settled by hand', async () => {
    const { orderId, charge } = await buyHeld({ currency: 'USD' });
    await decide(charge.id, 'accept');
    const { body } = await refund(orderId, 1000);
    expect(body.data.refund).toMatchObject({ status: 'pending', amount: 1000, currency: 'EUR' });
    await pass(3 * DAY_MS);
    await expectInvariants(app);
    expect((await orderOf(orderId)).refunds).toMatchObject([{ status: 'pending' }]);
    expect((await orderOf(orderId)).order.status).toBe('PAID');
    const settle = () => app.test.post(`/v0/refunds/${body.data.refund.id}/settle`, { reference: 'T-4711' });
    const settled = await settle();
    expect(settled.body.data).toMatchObject({
      refund: { status: 'succeeded', amount: 1000 },
      payment: { status: 'PARTIALLY_REFUNDED', refundedValue: 1000 },
    });
    await expectRefusal(settle(), 409, 'refund_state');
    await expectRefusal(
      app.test.post(`/v0/refunds/${randomUUID()}/settle`, { reference: 'T-4711' }),
      404,
      'not_found',
    );
  });
});

describe('while it is held', () => {
  it('neither payment nor order can be cancelled or corrected, nor another card tried', async () => {
    takeOtherNext(app, { amountMinor: 1n });
    const page = await openPage(app, `/checkout/${offerId}`);
    await page.submit();
    const { id } = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders[0];
    const { payments } = await orderOf(id);
    await expectRefusal(app.test.post(`/v0/payments/${payments[0].id}/cancel`), 409, 'payment_in_progress');
    await expectRefusal(app.test.patch(`/v0/orders/${id}/cancel`, {}), 409, 'payment_in_progress');
    const correction = app.test.patch(`/v0/orders/${id}/update`, { status: 'PAID' });
    await expectRefusal(correction, 409, 'payment_in_progress');
    expect((await page.confirm()).body.data.checkout.status).toBe('processing');
    expect((await page.submit()).body.data.checkout.status).toBe('processing');
    expect((await orderOf(id)).payments[0].charges).toHaveLength(1);
    await decide(payments[0].charges[0].id, 'return');
  });

  it('20 decisions at once are one', async () => {
    const { orderId, charge } = await buyHeld({ amountMinor: 2000n });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => decide(charge.id, index % 2 ? 'accept' : 'return')),
    );
    const decided = answers.filter(({ status }) => status === 200);
    expect(decided).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect(body.error.code).toBe('charge_not_held');
    expect((await typesOf(orderId)).length).toBe(1);
  });

  it('nothing is decided while the processor does not say what it has', async () => {
    const { charge } = await buyHeld({ amountMinor: 2000n });
    const end = withFault(app, 'lookUp', () => Promise.reject(new Error('connection reset')));
    await expectRefusal(decide(charge.id, 'accept'), 409, 'payment_in_progress');
    end();
    expect((await decide(charge.id, 'accept')).status).toBe(200);
  });

  it('a subscription waits for its first payment, and starts when that is accepted', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000 });
    takeOtherNext(app, { amountMinor: 1000n });
    const { body } = await buy(app.test, { offersIds: [planId] });
    expect(body.data.subscription.status).toBe('incomplete');
    const { body: accepted } = await decide(body.data.payment.charges[0].id, 'accept');
    expect(accepted.data.payment.subscription.status).toBe('active');
  });

  it('a renewal leaves the subscription active, and sent back it begins dunning', async () => {
    await putToRest(app);
    const planId = await makePlanOffer(app.test, { price: 1000 });
    const subscribed = await subscribe(app, planId, { userEmail: 'renewed@example.com' });
    takeOtherNext(app, { amountMinor: 999n });
    await pass(32 * DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PENDING' }]);
    const path = `/v0/subscriptions/${subscribed.number}`;
    const shown = (await app.test.get(path)).body.data.subscription;
    expect(shown.status).toBe('active');
    await expectInvariants(app);
    const { body } = await app.test.get(`/v0/payments/${shown.lastPayment.id}`);
    await decide(body.data.payment.charges[0].id, 'return');
    expect((await app.test.get(path)).body.data.subscription.status).toBe('past_due');
    await pass(3 * DAY_MS);
    expect((await app.test.get(path)).body.data.subscription.status).toBe('active');
  });
});

describe('other money that arrives too late', () => {
  it('goes back as it came, without anybody’s decision', async () => {
    const call = stallNextCharge(app);
    const { sandbox } = app.service.payments;
    const stalled = sandbox.charge;
    sandbox.charge = (request) => stalled({ ...request, amountMinor: 5000n });
    const buying = buy(app.test, { offersIds: [offerId] });
    await call.begun;
    const { id } = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders[0];
    const { payments } = await orderOf(id);
    forgetNextCancel(app);
    await app.test.post(`/v0/payments/${payments[0].id}/cancel`);
    call.release();
    const [charge] = (await buying).body.data.payment.charges;
    expect(charge).toMatchObject({
      status: 'succeeded',
      amount: VALUE,
      reversedAt: expect.any(Number),
      taken: { amount: 5000, currency: 'EUR' },
    });
    await app.wired.worker.runDue();
    const { rows } = await app.service.pool.query('select refunded::int from sandbox_charges where id = $1', [
      charge.id,
    ]);
    expect(rows).toEqual([{ refunded: 5000 }]);
  });
});

describe('POST /v0/charges/{id}/accept and /return', () => {
  it('need a note, the secret key, and a charge that is held', async () => {
    const { charge } = await buyHeld({ amountMinor: 2000n });
    for (const verb of ['accept', 'return'] as const) {
      const path = `/v0/charges/${charge.id}/${verb}`;
      expect((await app.test.post(path, {})).body.error.code).toBe('invalid_input');
      expect((await app.test.post(path, { note: '' })).body.error.code).toBe('invalid_input');
      const keys = 'public' as const;
      expect((await app.test.post(path, { note: 'x' }, { keys })).body.error.code).toBe(
        'secret_key_required',
      );
      await expectRefusal(app.other.post(path, { note: 'x' }), 404, 'not_found');
      await expectRefusal(decide(randomUUID(), verb), 404, 'not_found');
    }
    await decide(charge.id, 'return', 'The buyer asked for it.');
    const entry = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'returnCharge')
      .where('objectId', '=', charge.id)
      .executeTakeFirstOrThrow();
    expect(entry.before).toMatchObject({ payment: { status: 'PENDING' } });
    // Written with the decision, before the processor is asked: it says what was decided.
    expect(entry.after).toMatchObject({ id: charge.id, asked: { note: 'The buyer asked for it.' } });
    const { holdNote } = await app.service.db
      .selectFrom('charges')
      .select('holdNote')
      .where('id', '=', charge.id)
      .executeTakeFirstOrThrow();
    expect(holdNote).toBe('The buyer asked for it.');
    const plain = (await buy(app.test, { offersIds: [offerId] })).body.data.payment.charges[0];
    expect(plain).toMatchObject({ hold: null, taken: null });
    await expectRefusal(decide(plain.id, 'accept'), 409, 'charge_not_held');
  });
});

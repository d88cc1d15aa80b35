import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, card, listTaken, listTold, openPage, pageAt, VISA } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED } from '../support/cards.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

const waiting = card(AUTHENTICATES);

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const correct = (id: string, body: unknown) => app.test.patch(`/v0/orders/${id}/update`, body);
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const typesOf = async (id: string) => (await listTold(app, id)).map(({ type }) => type);
const correctedAtOf = async (id: string) =>
  (
    await app.service.db
      .selectFrom('orders')
      .select('correctedAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).correctedAt;

async function place(body: Record<string, unknown> = {}) {
  const { body: placed } = await buy(app.test, { offersIds: [offerId], ...body });
  return { ...placed.data.order, payment: placed.data.payment };
}

describe('PATCH /v0/orders/{idOrNumber}/update of a paid order', () => {
  it('changes the record and nothing else, and keeps before and after', async () => {
    const order = await place();
    const { status, text } = await app.test.request('PATCH', `/v0/orders/%23${order.number}/update`, {
      body: `{"id": null, "value": 12.0, "tax": 2, "fee": 1, "currency": "EUR"}`.replace('"id": null, ', ''),
      headers: { 'content-type': 'application/json' },
    });
    expect(status, text).toBe(200);
    const { order: corrected, payments } = await orderOf(order.id);
    expect(corrected).toMatchObject({ status: 'PAID', value: 12, tax: 2, fee: 1, currency: 'EUR' });
    expect(payments[0]).toMatchObject({ value: 2379, tax: 380, currency: 'EUR' });
    expect(await correctedAtOf(order.id)).not.toBeNull();
    const entry = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'updateOrder')
      .where('objectId', '=', order.id)
      .executeTakeFirstOrThrow();
    expect(entry.before).toMatchObject({ order: { value: 2379, currency: 'EUR' } });
    expect(entry.after).toMatchObject({ order: { value: 12, currency: 'EUR' } });
    // The limit of a refund is what was paid.
    const { body } = await app.test.post(`/v0/orders/${order.id}/refunds`);
    expect(body.data.refund).toMatchObject({ amount: 2379, tax: 380, currency: 'EUR' });
  });

  it('T53 refuses another currency once money was taken, and a value below what went back', async () => {
    const order = await place();
    const before = (await orderOf(order.id)).order;
    await expectRefusal(correct(order.id, { currency: 'USD' }), 409, 'order_state');
    await expectRefusal(
      correct(order.id, { currency: 'USD', value: 100, status: 'FAILED' }),
      409,
      'order_state',
    );
    expect((await orderOf(order.id)).order).toEqual(before);
    await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 500 });
    const refunded = (await orderOf(order.id)).order;
    await expectRefusal(correct(order.id, { value: 499, tax: 0, fee: 0 }), 409, 'order_state');
    expect((await orderOf(order.id)).order).toEqual(refunded);
    expect(await correctedAtOf(order.id)).toBeNull();
    const { body } = await correct(order.id, { value: 500, tax: 0, fee: 0, currency: 'EUR' });
    expect(body.data.order).toMatchObject({ value: 500, refundedValue: 500, currency: 'EUR' });
  });

  it('leaves alone what is null or missing', async () => {
    const order = await place();
    const { body } = await correct(order.id, {
      status: null,
      value: null,
      tax: null,
      fee: null,
      currency: null,
    });
    expect(body.data.order).toEqual((await orderOf(order.id)).order);
    expect(body.data.order).toMatchObject({ status: 'PAID', value: 2379 });
    expect(await correctedAtOf(order.id)).toBeNull();
  });

  it('notes a status that no payment led to, on the order alone', async () => {
    const order = await place();
    for (const status of ['PENDING', 'FAILED', 'UNPAID', 'EXPIRED', 'PAID']) {
      expect((await correct(order.id, { status })).body.data.order.status).toBe(status);
    }
    expect((await orderOf(order.id)).payments[0].status).toBe('PAID');
    expect(await typesOf(order.id)).toEqual(['payment_success']);
  });

  it('never lets a buyer pay twice what a correction calls unpaid', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
    const { body } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
    const taken = (await listTaken(app)).length;
    for (const status of ['FAILED', 'PENDING']) {
      await correct(body.data.orders[0].id, { status });
      expect((await page.submit()).status).toBe(200);
    }
    expect((await listTaken(app)).length).toBe(taken);
    expect((await orderOf(body.data.orders[0].id)).payments[0].status).toBe('PAID');
  });

  it.each([
    ['a checkout', async () => (await openPage(app, `/checkout/${offerId}`)).submit({ card: waiting })],
    ['the API', async () => buy(app.test, { offersIds: [offerId], card: AUTHENTICATES })],
  ])('lets a try that it has stopped of an order of %s be paid by its link', async (_name, begin) => {
    await begin();
    const { body } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
    const [{ id, value }] = body.data.orders;
    for (const change of [{ value: value - 100 }, { status: 'UNPAID' }]) {
      await correct(id, change);
      const [{ payUrl }] = (await orderOf(id)).payments;
      const link = new URL(payUrl).pathname.replace('/pay/', '/payment-pages/');
      const ask = (action: string, fields: unknown = {}) =>
        app.test.request('POST', `${link}/${action}`, { keys: 'none', body: fields });
      const shown = (await ask('confirm')).body.data.debt;
      expect(shown.status).toBe('open');
      const { fingerprint } = shown.purchase;
      const isLast = change.status !== undefined;
      const paid = await ask('pay', {
        card: isLast ? card(VISA) : waiting,
        ...(fingerprint && { fingerprint }),
      });
      expect(paid.body.data?.debt.status, paid.text).toBe(isLast ? 'paid' : 'requires_action');
    }
    expect(await orderOf(id)).toMatchObject({ order: { status: 'PAID' }, payments: [{ status: 'PAID' }] });
  });

  it('tells the merchant that a checkout is open again whose try it has stopped', async () => {
    const { body } = await app.test.post('/v0/checkout-sessions/create', { offersIds: [offerId] });
    const { id, url } = body.data.checkoutSession;
    await pageAt(app, new URL(url).pathname).submit({ card: waiting });
    const look = async () => (await app.test.get(`/v0/checkout-sessions/${id}`)).body.data.checkoutSession;
    const { status, orderId } = await look();
    expect(status).toBe('processing');
    await correct(orderId, { value: 1 });
    expect((await look()).status).toBe('open');
  });

  it('shows the receipt of what was paid, whatever it calls the order', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    await page.submit();
    const { body } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
    for (const status of ['PENDING', 'FAILED', 'UNPAID', 'EXPIRED']) {
      await correct(body.data.orders[0].id, { status });
      expect((await page.show()).body.data.checkout.status).toBe('paid');
    }
  });

  it('REFUNDED notes that what was left was given back outside', async () => {
    const order = await place();
    await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 1000 });
    const { body } = await correct(order.id, { status: 'REFUNDED' });
    expect(body.data.order).toMatchObject({ status: 'REFUNDED', refundedValue: 2379 });
    const { refunds } = await orderOf(order.id);
    expect(refunds[1]).toMatchObject({ status: 'succeeded', amount: 1379, tax: 220, reason: 'other' });
    expect(refunds[1].creditNoteNumber).not.toBeNull();
    expect(await typesOf(order.id)).toEqual(['payment_success', 'payment_refunded', 'payment_refunded']);
  });

  it.each(['PENDING', 'FAILED', 'UNPAID', 'EXPIRED'])(
    'REFUNDED follows a correction to %s',
    async (status) => {
      const order = await place();
      await correct(order.id, { status });
      const { body } = await correct(order.id, { status: 'REFUNDED' });
      expect(body.data.order).toMatchObject({ status: 'REFUNDED', refundedValue: 2379 });
      const { payments, refunds } = await orderOf(order.id);
      expect(payments[0].status).toBe('REFUNDED');
      expect(refunds).toMatchObject([{ status: 'succeeded', amount: 2379 }]);
      const told = (await listTold(app, order.id)).at(-1);
      expect(told?.body.data).toMatchObject({ order: { status: 'REFUNDED' } });
      await expectRefusal(correct(order.id, { status: 'PAID' }), 409, 'order_state');
    },
  );

  it('CANCELLED cancels it', async () => {
    const order = await place({ offersIds: [await makePlanOffer(app.test)] });
    expect((await correct(order.id, { status: 'CANCELLED' })).body.data.order.status).toBe('CANCELLED');
    expect((await orderOf(order.id)).subscription.status).toBe('canceled');
  });
});

describe('PATCH /v0/orders/{idOrNumber}/update of an unpaid order', () => {
  it.each([
    ['declined', DECLINED],
    ['waiting for its buyer', AUTHENTICATES],
  ])('PAID settles the payment of one %s as received outside', async (_name, card) => {
    const order = await place({ card });
    const { body } = await correct(order.id, { status: 'PAID' });
    expect(body.data.order).toMatchObject({ status: 'PAID', value: 2379, fee: 0 });
    const { payments, order: paid } = await orderOf(order.id);
    expect(payments[0]).toMatchObject({ status: 'PAID', fee: 0 });
    expect(payments[0].invoiceNumber).not.toBeNull();
    expect(payments[0].charges.at(-1)).toMatchObject({
      status: 'succeeded',
      amount: 2379,
      paymentMethod: { type: 'manual' },
    });
    expect(paid.paidAt).not.toBeNull();
    expect((await typesOf(order.id)).at(-1)).toBe('payment_success');
    const { body: refunded } = await app.test.post(`/v0/orders/${order.id}/refunds`);
    // Given back outside, as it was received: the merchant says when.
    expect(refunded.data.refund).toMatchObject({ status: 'pending', amount: 2379 });
    const settled = await app.test.post(`/v0/refunds/${refunded.data.refund.id}/settle`, {
      reference: 'T-1',
    });
    expect(settled.body.data.refund).toMatchObject({ status: 'succeeded', amount: 2379 });
  });

  // The payment waits on while the order alone is called something else.
  it.each([
    [['UNPAID'], {}],
    [['UNPAID', 'FAILED'], {}],
    [['UNPAID'], { value: 0 }],
    [['UNPAID', 'FAILED'], { value: 0 }],
  ])('PAID settles one that a correction had called %s', async (words, amounts) => {
    const order = await place({ card: AUTHENTICATES });
    for (const status of words) {
      expect((await correct(order.id, { status })).body.data.order.status).toBe(status);
    }
    expect((await orderOf(order.id)).payments[0].status).toBe('PENDING');
    const { status, body, text } = await correct(order.id, { status: 'PAID', ...amounts });
    expect(status, text).toBe(200);
    expect(body.data.order).toMatchObject({ status: 'PAID', ...amounts });
    expect((await orderOf(order.id)).payments[0]).toMatchObject({ status: 'PAID', ...amounts });
    expect((await typesOf(order.id)).at(-1)).toBe('payment_success');
  });

  it('a new amount is what is to be paid, and then PAID takes it', async () => {
    const order = await place({ card: DECLINED });
    const { body } = await correct(order.id, { value: 1190, tax: 190 });
    expect(body.data.order).toMatchObject({ status: 'FAILED', value: 1190, tax: 190 });
    expect((await orderOf(order.id)).payments[0]).toMatchObject({ value: 1190, tax: 190 });
    const paid = await correct(order.id, { status: 'PAID', value: 595, tax: 95, fee: 10 });
    expect(paid.body.data.order).toMatchObject({ status: 'PAID', value: 595, tax: 95, fee: 10 });
    const { payments, items } = await orderOf(order.id);
    expect(payments[0]).toMatchObject({ status: 'PAID', value: 595, fee: 10 });
    expect(items[0]).toMatchObject({ value: 1999, discount: 1499, tax: 95, total: 595 });
    const dearer = await place({ card: DECLINED });
    await correct(dearer.id, { status: 'PAID', value: 50_000, tax: 1, currency: 'USD' });
    for (const amount of [30_000, 1, 19_999]) {
      const { body: part } = await app.test.post(`/v0/orders/${dearer.id}/refunds`, { amount });
      expect(part.data.refund).toMatchObject({ status: 'pending', amount, currency: 'USD' });
    }
  });

  it('a value of 0 and PAID needs no charge', async () => {
    const order = await place({ card: DECLINED });
    const { body } = await correct(order.id, { status: 'PAID', value: 0 });
    expect(body.data.order).toMatchObject({ status: 'PAID', value: 0, tax: 0 });
    expect((await orderOf(order.id)).payments[0]).toMatchObject({ status: 'PAID', invoiceNumber: null });
  });

  it('moves order and payment together where both may move', async () => {
    const order = await place({ card: AUTHENTICATES });
    for (const status of ['FAILED', 'PENDING', 'EXPIRED']) {
      expect((await correct(order.id, { status })).body.data.order.status).toBe(status);
      expect((await orderOf(order.id)).payments[0].status).toBe(status);
    }
    const cancelled = await place({ card: AUTHENTICATES });
    await correct(cancelled.id, { status: 'CANCELLED' });
    expect((await orderOf(cancelled.id)).payments[0].status).toBe('CANCELLED');
  });

  it('starts a subscription that was paid outside', async () => {
    const order = await place({ offersIds: [await makePlanOffer(app.test)], card: DECLINED });
    await correct(order.id, { status: 'PAID' });
    expect((await orderOf(order.id)).subscription.status).toBe('active');
  });
});

describe('PATCH /v0/orders/{idOrNumber}/update', () => {
  it("takes the path's id or number again in the body, with and without its sign, and no other", async () => {
    const { id, number } = await place();
    for (const [inPath, inBody] of [
      [id, id.toUpperCase()],
      [number, number],
      [number, `#${number}`],
      [`%23${number}`, number.toLowerCase()],
    ]) {
      expect([inBody, (await correct(inPath, { id: inBody })).status]).toEqual([inBody, 200]);
    }
    await expectRefusal(correct(number, { id: `${number}-1` }), 400, 'invalid_input');
    await expectRefusal(correct(id, { id: randomUUID() }), 400, 'invalid_input');
  });

  it.each([
    ['value', { value: 1.5 }],
    ['value', { value: -1 }],
    ['value', { value: '100' }],
    ['value', { value: 9007199254740992 }],
    ['tax', { tax: 0.5 }],
    ['tax', { value: 100, tax: 101 }],
    ['fee', { fee: 999_999 }],
    ['currency', { currency: 'EURO' }],
    ['status', { status: 'paid' }],
    ['refundedValue', { refundedValue: 1 }],
  ])('400 names %s', async (field, body) => {
    const order = await place();
    const { status, body: answer } = await correct(order.id, body);
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(field) });
    expect((await orderOf(order.id)).order).toMatchObject({ value: 2379, tax: 380, currency: 'EUR' });
  });

  it('404 for an unknown order and one of another workspace', async () => {
    await expectRefusal(correct(randomUUID(), {}), 404, 'not_found');
    const order = await place();
    await expectRefusal(app.other.patch(`/v0/orders/${order.id}/update`), 404, 'not_found');
  });

  it('409 where a status cannot be', async () => {
    const unpaid = await place({ card: DECLINED });
    await expectRefusal(correct(unpaid.id, { status: 'REFUNDED' }), 409, 'order_state');
    await expectRefusal(correct(unpaid.id, { status: 'PARTIALLY_REFUNDED' }), 409, 'order_state');
    const order = await place();
    await expectRefusal(correct(order.id, { status: 'PARTIALLY_REFUNDED' }), 409, 'order_state');
    await correct(order.id, { status: 'REFUNDED' });
    for (const status of ['PAID', 'PENDING', 'CANCELLED', 'PARTIALLY_REFUNDED']) {
      await expectRefusal(correct(order.id, { status }), 409, 'order_state');
    }
    expect((await correct(order.id, { status: 'REFUNDED' })).status).toBe(200);
    const unknown = await place({ card: '4000000000000119' });
    await expectRefusal(correct(unknown.id, { status: 'PAID' }), 409, 'payment_in_progress');
  });
});

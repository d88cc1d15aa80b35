import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTold } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const refund = (orderId: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  app.test.post(`/v0/orders/${orderId}/refunds`, body, { headers });
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const typesOf = async (id: string) => (await listTold(app, id)).map(({ type }) => type);

/** A paid order of 19.99 EUR with 3.80 of tax on top, unless said otherwise. */
async function sell(body: Record<string, unknown> = {}) {
  const { body: sold } = await buy(app.test, { offersIds: [offerId], ...body });
  expect(sold.data.order.status).toMatch(/^PAID$/);
  return { ...sold.data.order, payment: sold.data.payment };
}

describe('POST /v0/orders/{idOrNumber}/refunds', () => {
  describe('200', () => {
    it('is stamped no earlier than its charge, though another process with a fast clock settled that', async () => {
      const order = await sell();
      const { settledAt } = await app.service.db
        .updateTable('charges')
        .set((eb) => ({ settledAt: eb('settledAt', '+', 60_000) }))
        .where('paymentId', '=', order.payment.id)
        .returning('settledAt')
        .executeTakeFirstOrThrow();
      expect((await refund(order.id)).body.data.refund.createdAt).toBe(settledAt);
    });

    it('gives all of it back: order, payment, event, credit note', async () => {
      const order = await sell();
      const { status, body } = await refund(order.id);
      expect(status).toBe(200);
      expect(body.data.refund).toMatchObject({
        object: 'refund',
        status: 'succeeded',
        amount: 2379,
        tax: 380,
        currency: 'EUR',
        reason: 'requested_by_customer',
        note: null,
        orderId: order.id,
        paymentId: order.payment.id,
      });
      expect(body.data.refund.creditNoteNumber).toMatch(/^TEST-/);
      expect(body.data.refund.creditNoteUrl).toMatch(/^http/);
      expect(body.data.order).toMatchObject({ status: 'REFUNDED', value: 2379, refundedValue: 2379 });
      expect(body.data.payment).toMatchObject({ status: 'REFUNDED', value: 2379, refundedValue: 2379 });
      expect(body.data.payment.invoiceNumber).toBe(order.payment.invoiceNumber);
      const shown = await orderOf(order.id);
      expect(shown.refunds).toEqual([body.data.refund]);
      const told = await listTold(app, order.id);
      expect(told.map(({ type }) => type)).toEqual(['payment_success', 'payment_refunded']);
      expect(told[1]?.body.data).toMatchObject({
        order: { status: 'REFUNDED' },
        payment: { status: 'REFUNDED', refundedValue: 2379 },
        refund: { id: body.data.refund.id, amount: 2379 },
      });
    });

    it('gives a part back, by number, and then the rest with the rest of the tax', async () => {
      const order = await sell();
      const part = await refund(`%23${order.number}`, { amount: 1000, reason: 'other', note: 'Broken box' });
      expect(part.body.data.refund).toMatchObject({
        amount: 1000,
        tax: 160,
        reason: 'other',
        note: 'Broken box',
      });
      expect(part.body.data.order).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 1000 });
      const rest = await refund(order.id, { paymentId: order.payment.id });
      expect(rest.body.data.refund).toMatchObject({ amount: 1379, tax: 220 });
      expect(rest.body.data.order.status).toBe('REFUNDED');
      expect(await typesOf(order.id)).toEqual(['payment_success', 'payment_refunded', 'payment_refunded']);
    });

    it('takes keys back for good and the redemption of the code with them', async () => {
      const keyed = await makeOffer(app.test);
      await app.test.post(`/v0/offers/${keyed}/keys/add`, {
        productKeys: ['REFUND-KEY-ONE-1', 'REFUND-KEY-TWO-2'],
      });
      const code = {
        type: 'code',
        discountCode: 'BACK',
        amount: 10,
        amountType: 'percentage',
        purchaseLimit: 1,
      };
      const made = await app.test.post('/v0/discounts/create', { ...code, includesAllOffers: true });
      const discountId = made.body.data.discount.id;
      const order = await sell({ offersIds: [keyed], discountCode: 'BACK' });
      const used = async () =>
        (await app.test.get(`/v0/discounts/${discountId}`)).body.data.discount.timesUsed;
      expect(await used()).toBe(1);
      await refund(order.id, { amount: 1 });
      expect((await orderOf(order.id)).items[0]).toMatchObject({ fulfilment: 'delivered' });
      expect(await used()).toBe(1);
      await refund(order.id);
      const { items } = await orderOf(order.id);
      expect(items[0]).toMatchObject({ fulfilment: 'revoked', keys: [] });
      const { body } = await app.test.get(`/v0/offers/${keyed}/keys/list`);
      const statuses = body.data.keys.map(({ status }: { status: string }) => status).sort();
      expect(statuses).toEqual(['available', 'revoked']);
      expect(await used()).toBe(0);
    });

    it('of a subscription changes no access', async () => {
      const planId = await makePlanOffer(app.test);
      const order = await sell({ offersIds: [planId] });
      const { body } = await refund(order.id);
      expect(body.data.order.status).toBe('REFUNDED');
      expect((await orderOf(order.id)).subscription.status).toBe('active');
    });
  });

  describe('200', () => {
    it('of a renewal, the newest payment, moves that payment and never the order', async () => {
      const planId = await makePlanOffer(app.test);
      const order = await sell({ offersIds: [planId] });
      await advance(app, app.test.scope, 32 * DAY_MS);
      const { body } = await refund(order.id);
      expect(body.data.payment).toMatchObject({ type: 'subscription_interval', status: 'REFUNDED' });
      expect(body.data.order).toMatchObject({ status: 'PAID', refundedValue: 0 });
      expect(body.data.refund.creditNoteNumber).not.toBeNull();
      const first = await refund(order.id);
      expect(first.body.data.payment.id).toBe(order.payment.id);
      expect(first.body.data.order.status).toBe('REFUNDED');
      await expectRefusal(refund(order.id), 409, 'already_refunded');
    });
  });

  describe('400', () => {
    it.each([
      ['amount', { amount: 0 }],
      ['amount', { amount: -1 }],
      ['amount', { amount: 1.5 }],
      ['amount', { amount: '100' }],
      ['amount', { amount: 9007199254740992 }],
      ['paymentId', { paymentId: 'none' }],
      ['reason', { reason: 'dispute' }],
      ['note', { note: 'x'.repeat(501) }],
      ['status', { status: 'succeeded' }],
    ])('names %s', async (field, body) => {
      const order = await sell();
      const { status, body: answer } = await refund(order.id, body);
      expect(status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(field) });
      expect((await orderOf(order.id)).refunds).toEqual([]);
    });

    it('refuses more than is left, also when nothing is left', async () => {
      const order = await sell();
      await expectRefusal(refund(order.id, { amount: 2380 }), 400, 'refund_exceeds_paid');
      await refund(order.id, { amount: 2000 });
      await expectRefusal(refund(order.id, { amount: 380 }), 400, 'refund_exceeds_paid');
      await refund(order.id);
      await expectRefusal(refund(order.id, { amount: 1 }), 400, 'refund_exceeds_paid');
    });
  });

  describe('404', () => {
    it('for an unknown order, one of another workspace, and a payment that is not of the order', async () => {
      const order = await sell();
      const another = await sell();
      await expectRefusal(refund(randomUUID()), 404, 'not_found');
      await expectRefusal(refund('0123456789AB'), 404, 'not_found');
      await expectRefusal(app.other.post(`/v0/orders/${order.id}/refunds`), 404, 'not_found');
      for (const paymentId of [randomUUID(), another.payment.id]) {
        await expectRefusal(refund(order.id, { paymentId }), 404, 'not_found');
      }
    });
  });

  describe('409', () => {
    it('when nothing is left and no amount is given', async () => {
      const order = await sell();
      await refund(order.id);
      await expectRefusal(refund(order.id), 409, 'already_refunded');
      await expectRefusal(refund(order.id, { paymentId: order.payment.id }), 409, 'already_refunded');
    });

    it('when nothing was paid', async () => {
      const { body } = await buy(app.test, { offersIds: [offerId], card: '4000000000000002' });
      await expectRefusal(refund(body.data.order.id), 409, 'payment_not_paid');
    });
  });
});

describe('refunds in a crowd', () => {
  it('T07 of 20 full ones at once exactly one succeeds', async () => {
    const order = await sell();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(order.id)));
    expect(tally(answers)).toEqual({ succeeded: 1, already_refunded: 19 });
    const shown = await orderOf(order.id);
    expect(shown.order).toMatchObject({ status: 'REFUNDED', refundedValue: 2379 });
    expect(await typesOf(order.id)).toEqual(['payment_success', 'payment_refunded']);
  });

  it('T08 of 100 refunds of 1 % of 10 001 units, the rest and one unit, only the last is refused', {
    timeout: 180_000,
  }, async () => {
    const odd = await makeOffer(app.test, { price: 10_001, taxBehavior: 'inclusive' });
    const order = await sell({ offersIds: [odd] });
    expect(order.value).toBe(10_001);
    const answers: Answer[] = [];
    for (let i = 0; i < 10; i += 1) {
      const ten = Array.from({ length: 10 }, () => refund(order.id, { amount: 100 }));
      answers.push(...(await Promise.all(ten)));
      expect((await orderOf(order.id)).order.status).toBe('PARTIALLY_REFUNDED');
    }
    expect(tally(answers)).toEqual({ succeeded: 100 });
    const rest = await refund(order.id, { amount: 1 });
    expect(rest.body.data).toMatchObject({ refund: { amount: 1 }, order: { status: 'REFUNDED' } });
    await expectRefusal(refund(order.id, { amount: 1 }), 400, 'refund_exceeds_paid');
    const { refunds, payments } = await orderOf(order.id);
    let [money, tax] = [0, 0];
    for (const [place, one] of refunds.entries()) {
      money += one.amount;
      tax += one.tax;
      // Ten at once stand in no order; after each ten the tax is in proportion to half a unit.
      if (place % 10 !== 9) continue;
      expect(Math.abs(tax - (payments[0].tax * money) / 10_001)).toBeLessThanOrEqual(0.5);
    }
    expect(tax).toBe(payments[0].tax);
  });
});

describe('a refund under an Idempotency-Key', () => {
  it('is made once, whoever asks how often, and replayed', async () => {
    const order = await sell();
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refund(order.id, { amount: 500 }, key)),
    );
    for (const { status, body } of answers) {
      if (status !== 200) expect(body.error.code).toBe('request_in_progress');
    }
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    const later = await Promise.all(Array.from({ length: 50 }, () => refund(order.id, { amount: 500 }, key)));
    expect(new Set([...done, ...later].map(({ text }) => text)).size).toBe(1);
    for (const { headers } of later) expect(headers['idempotent-replayed']).toBe('true');
    expect((await orderOf(order.id)).order.refundedValue).toBe(500);
    expect(await typesOf(order.id)).toEqual(['payment_success', 'payment_refunded']);
  });

  it('refuses another body, an empty key and a long one, and is free after a refusal', async () => {
    const order = await sell();
    const key = { 'idempotency-key': randomUUID() };
    await expectRefusal(refund(order.id, { amount: 99_999 }, key), 400, 'refund_exceeds_paid');
    expect((await refund(order.id, { amount: 1 }, key)).status).toBe(200);
    await expectRefusal(refund(order.id, { amount: 2 }, key), 422, 'idempotency_key_reused');
    await expectRefusal(refund(order.id, {}, { 'idempotency-key': '' }), 400, 'invalid_idempotency_key');
    const long = { 'idempotency-key': 'x'.repeat(256) };
    await expectRefusal(refund(order.id, {}, long), 400, 'invalid_idempotency_key');
    expect((await orderOf(order.id)).order.refundedValue).toBe(1);
  });
});

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const word = status === 200 ? body.data.refund.status : body.error.code;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authenticate, authenticateCharge, buy, findAuthentication, listTold } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED, UNKNOWN_FIRST } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
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

const cancelPayment = (id: string) => app.test.post(`/v0/payments/${id}/cancel`);
const cancelOrder = (id: string) => app.test.patch(`/v0/orders/${id}/cancel`);
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const typesOf = async (id: string) => (await listTold(app, id)).map(({ type }) => type);

async function place(body: Record<string, unknown> = {}) {
  const { body: placed } = await buy(app.test, { offersIds: [offerId], ...body });
  return { ...placed.data.order, payment: placed.data.payment };
}

describe('POST /v0/payments/{id}/cancel', () => {
  it('200: stops a charge that waits for the buyer, and takes the order along', async () => {
    const order = await place({ card: AUTHENTICATES });
    expect(order.status).toBe('PENDING');
    const { status, body } = await cancelPayment(order.payment.id);
    expect(status).toBe(200);
    expect(body.data.payment).toMatchObject({
      status: 'CANCELLED',
      order: { status: 'CANCELLED' },
      invoiceNumber: null,
      payUrl: null,
      charges: [{ status: 'failed', failure: { reason: 'canceled' } }],
    });
    // The buyer comes too late: nothing is taken any more.
    await authenticateCharge(app, body.data.payment.charges[0].id, 'approve');
    await advance(app, app.test.scope, DAY_MS);
    expect((await orderOf(order.id)).order.status).toBe('CANCELLED');
    expect(await typesOf(order.id)).toEqual([]);
  });

  it('200: ends the subscription that it was to begin, and gives back what was held', async () => {
    const planId = await makePlanOffer(app.test);
    const code = {
      type: 'code',
      discountCode: 'HELD',
      amount: 10,
      amountType: 'percentage',
      purchaseLimit: 1,
    };
    await app.test.post('/v0/discounts/create', { ...code, includesAllOffers: true });
    const order = await place({ offersIds: [planId], discountCode: 'HELD', card: AUTHENTICATES });
    await cancelPayment(order.payment.number);
    const { subscription } = await orderOf(order.id);
    expect(subscription).toMatchObject({ status: 'canceled', endedAt: expect.any(Number) });
    expect(await typesOf(order.id)).toEqual([
      'subscription_created',
      'subscription_updated',
      'subscription_cancelled',
    ]);
    expect((await place({ discountCode: 'HELD' })).status).toBe('PAID');
  });

  it('200: once more under the same key, and then 409', async () => {
    const order = await place({ card: AUTHENTICATES });
    const path = `/v0/payments/${order.payment.id}/cancel`;
    const keyed = { headers: { 'idempotency-key': randomUUID() } };
    const first = await app.test.post(path, {}, keyed);
    const again = await app.test.post(path, {}, keyed);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    await expectRefusal(cancelPayment(order.payment.id), 409, 'payment_state');
  });

  it('200: a draft of a subscription, which goes on as it was', async () => {
    const order = await place({ offersIds: [await makePlanOffer(app.test)] });
    const path = `/v0/subscriptions/${order.number}/pauseCollection`;
    const paused = await app.test.patch(path, { invoicingBehavior: 'keep_as_draft' });
    expect(paused.status).toBe(200);
    await advance(app, app.test.scope, 32 * DAY_MS);
    const draft = (await orderOf(order.id)).payments[1];
    expect(draft).toMatchObject({ type: 'subscription_interval', status: 'UNPAID' });
    expect((await cancelPayment(draft.id)).body.data.payment.status).toBe('CANCELLED');
    const { order: still, subscription } = await orderOf(order.id);
    expect([still.status, subscription.status]).toEqual(['PAID', 'paused']);
  });

  it('404 for an unknown payment and one of another workspace', async () => {
    const order = await place({ card: AUTHENTICATES });
    await expectRefusal(cancelPayment(randomUUID()), 404, 'not_found');
    await expectRefusal(app.other.post(`/v0/payments/${order.payment.id}/cancel`), 404, 'not_found');
  });

  it('409 for every payment that is not open', async () => {
    const failed = await place({ card: DECLINED });
    const paid = await place();
    const cancelled = await place({ card: AUTHENTICATES });
    await cancelPayment(cancelled.payment.id);
    for (const { payment } of [failed, paid, cancelled]) {
      await expectRefusal(cancelPayment(payment.id), 409, 'payment_state');
    }
    expect((await orderOf(failed.id)).order.status).toBe('FAILED');
  });

  it('409 while the processor does not know, and when it has taken the money after all', async () => {
    const order = await place({ card: UNKNOWN_FIRST });
    await expectRefusal(cancelPayment(order.payment.id), 409, 'payment_in_progress');
    expect((await orderOf(order.id)).order.status).toBe('PENDING');
    // Two minutes later the sandbox has it, and nobody has asked yet.
    await app.service.db
      .updateTable('stores')
      .set((eb) => ({ clockOffsetMs: eb('clockOffsetMs', '+', 3 * MINUTE_MS) }))
      .where('testMode', '=', true)
      .execute();
    await expectRefusal(cancelPayment(order.payment.id), 409, 'payment_state');
    const { order: paid, payments } = await orderOf(order.id);
    expect(paid.status).toBe('PAID');
    expect(payments[0].status).toBe('PAID');
    expect(await typesOf(order.id)).toEqual(['payment_success']);
  });
});

describe('PATCH /v0/orders/{idOrNumber}/cancel', () => {
  it('200: an unpaid order, with the payment and a charge under way', async () => {
    for (const card of [AUTHENTICATES, DECLINED]) {
      const order = await place({ card });
      const { body } = await cancelOrder(order.number);
      expect(body.data.order).toMatchObject({ status: 'CANCELLED', id: order.id });
      expect((await orderOf(order.id)).payments[0].status).toBe('CANCELLED');
      // Once more changes nothing.
      expect((await cancelOrder(order.id)).body.data.order).toEqual(body.data.order);
    }
  });

  it('200: a paid order keeps its money and loses its keys', async () => {
    const keyed = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${keyed}/keys/add`, { productKeys: ['CANCEL-KEY-ONE-1'] });
    const order = await place({ offersIds: [keyed] });
    const { body } = await cancelOrder(order.id);
    expect(body.data.order).toMatchObject({ status: 'CANCELLED', refundedValue: 0, paidAt: order.paidAt });
    const shown = await orderOf(order.id);
    expect(shown.items[0]).toMatchObject({ fulfilment: 'revoked', keys: [] });
    expect(shown.payments[0].status).toBe('PAID');
    expect(await typesOf(order.id)).toEqual(['payment_success']);
    await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 1 });
    expect((await orderOf(order.id)).order.status).toBe('PARTIALLY_REFUNDED');
    await app.test.post(`/v0/orders/${order.id}/refunds`);
    expect((await orderOf(order.id)).order.status).toBe('REFUNDED');
  });

  it('200: a paid subscription ends', async () => {
    const order = await place({ offersIds: [await makePlanOffer(app.test)] });
    await cancelOrder(order.id);
    const { subscription, order: cancelled } = await orderOf(order.id);
    expect(subscription.status).toBe('canceled');
    expect(cancelled.status).toBe('CANCELLED');
    expect((await typesOf(order.id)).slice(-2)).toEqual(['subscription_updated', 'subscription_cancelled']);
  });

  it('404 for an unknown order; 409 for a refunded one and one whose charge is not known', async () => {
    await expectRefusal(cancelOrder(randomUUID()), 404, 'not_found');
    const refunded = await place();
    await app.test.post(`/v0/orders/${refunded.id}/refunds`);
    await expectRefusal(cancelOrder(refunded.id), 409, 'order_state');
    const unknown = await place({ card: UNKNOWN_FIRST });
    await expectRefusal(cancelOrder(unknown.id), 409, 'payment_in_progress');
  });
});

it('a subscription is not cancelled while it is not known whether its first payment is taken', async () => {
  const order = await place({ offersIds: [await makePlanOffer(app.test)], card: UNKNOWN_FIRST });
  const cancel = () => app.test.patch(`/v0/subscriptions/${order.number}/cancel`);
  await expectRefusal(cancel(), 409, 'payment_in_progress');
  expect((await orderOf(order.id)).subscription.status).toBe('incomplete');
  await advance(app, app.test.scope, 5 * MINUTE_MS);
  expect((await orderOf(order.id)).subscription.status).toBe('active');
  expect((await cancel()).body.data.subscription.status).toBe('canceled');
  expect((await orderOf(order.id)).order.status).toBe('PAID');
});

describe('PATCH /v0/orders/{idOrNumber}/cancel of an order that has expired', () => {
  it('200: calls it off by name; its payment stays EXPIRED', async () => {
    const order = await place({ card: DECLINED });
    await advance(app, app.test.scope, DAY_MS + MINUTE_MS);
    expect((await orderOf(order.id)).order.status).toBe('EXPIRED');
    const { status, body } = await cancelOrder(order.id);
    expect([status, body.data.order.status]).toEqual([200, 'CANCELLED']);
    expect((await orderOf(order.id)).payments[0].status).toBe('EXPIRED');
  });
});

describe('a cancel that meets a payment', () => {
  it('T09 of 50, each ends PAID or CANCELLED, and no money is kept of a cancelled one', {
    timeout: 180_000,
  }, async () => {
    const ends: Record<string, number> = {};
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const order = await place({ card: AUTHENTICATES, userEmail: `t09-${round}-${i}@example.com` });
          const path = await findAuthentication(app, order.payment.charges[0].id);
          const confirm = () => authenticate(app, path, 'approve');
          const cancel = () => cancelPayment(order.payment.id);
          const pair = i % 2 === 0 ? [confirm(), cancel()] : [cancel(), confirm()];
          const [answer] = (await Promise.all(pair)).filter(isAnswer);
          if (!answer) throw new Error('a cancel was asked for');
          const { order: ended, payments } = await orderOf(order.id);
          const code = answer.status === 200 ? 'cancelled' : answer.body.error.code;
          expect(['cancelled', 'payment_state', 'payment_in_progress']).toContain(code);
          expect(ended.status).toBe(payments[0].status);
          expect(ended.status).toBe(code === 'cancelled' ? 'CANCELLED' : 'PAID');
          ends[ended.status] = (ends[ended.status] ?? 0) + 1;
        }),
      );
      await app.wired.worker.runDue();
    }
    expect((ends.PAID ?? 0) + (ends.CANCELLED ?? 0)).toBe(50);
  });
});

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'body' in value;
}

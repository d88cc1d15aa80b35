import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTold, openPage } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import {
  declineNextLook,
  forgetNextCancel,
  loseNextCancel,
  stallNextCharge,
} from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const pass = (ms: number) => advance(app, app.test.scope, ms);
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
/** Sorted by name: a request that stalled stamps what it does with its own beginning. */
const typesOf = async (id: string) => (await listTold(app, id)).map(({ type }) => type).sort();

async function newestOrder() {
  const { body } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
  return body.data.orders[0];
}

/** What the sandbox gave back of a charge, by its own books. */
async function givenBack(chargeId: string): Promise<number> {
  await app.wired.worker.runDue();
  const { rows } = await app.service.pool.query<{ refunded: string }>(
    'select refunded::text as refunded from sandbox_charges where id = $1',
    [chargeId],
  );
  return Number(rows[0]?.refunded);
}

/** A purchase whose charge has left us and not reached the processor. */
async function buyStalled(offersIds = [offerId], fields: Record<string, unknown> = {}) {
  const call = stallNextCharge(app);
  const buying = buy(app.test, { offersIds, ...fields });
  await call.begun;
  const order = await newestOrder();
  return {
    orderId: String(order.id),
    paymentId: String(order.lastPaymentId),
    finish: async () => {
      call.release();
      return (await buying).body.data;
    },
  };
}

async function expectReversed(orderId: string, index = 0): Promise<void> {
  const { payments } = await orderOf(orderId);
  await expectGoneBack(payments[0].charges[index]);
}

async function expectGoneBack(charge: { id: string; amount: number }): Promise<void> {
  expect(charge).toMatchObject({ status: 'succeeded', reversedAt: expect.any(Number), failure: null });
  expect(await givenBack(charge.id)).toBe(charge.amount);
}

describe('money that arrives', () => {
  it('cannot, once a cancel has overtaken the charge on its way', async () => {
    const { orderId, paymentId, finish } = await buyStalled();
    const cancelled = await app.test.post(`/v0/payments/${paymentId}/cancel`);
    expect(cancelled.body.data.payment.status).toBe('CANCELLED');
    const { order, payment } = await finish();
    expect(order.status).toBe('CANCELLED');
    expect(payment.charges).toMatchObject([{ status: 'failed', reversedAt: null }]);
    expect(await typesOf(orderId)).toEqual([]);
  });

  it('while a cancel has no answer is what the cancel waits for', async () => {
    const { orderId, paymentId, finish } = await buyStalled();
    loseNextCancel(app);
    const cancel = () => app.test.post(`/v0/payments/${paymentId}/cancel`);
    await expectRefusal(cancel(), 409, 'payment_in_progress');
    expect((await finish()).order.status).toBe('PAID');
    await expectRefusal(cancel(), 409, 'payment_state');
    expect(await typesOf(orderId)).toEqual(['payment_success']);
  });

  it('on a cancelled payment goes back, without invoice or event', async () => {
    const { orderId, paymentId, finish } = await buyStalled();
    forgetNextCancel(app);
    const cancelled = await app.test.post(`/v0/payments/${paymentId}/cancel`);
    expect(cancelled.body.data.payment.status).toBe('CANCELLED');
    const { order, payment } = await finish();
    expect(order.status).toBe('CANCELLED');
    expect(payment).toMatchObject({ status: 'CANCELLED', invoiceNumber: null, refundedValue: 0 });
    await expectReversed(orderId);
    expect(await typesOf(orderId)).toEqual([]);
    expect((await orderOf(orderId)).refunds).toEqual([]);
  });

  it('on an expired one goes back, and the subscription stays ended', async () => {
    const { orderId, finish } = await buyStalled([await makePlanOffer(app.test)]);
    forgetNextCancel(app);
    await pass(DAY_MS + MINUTE_MS);
    expect((await orderOf(orderId)).order.status).toBe('EXPIRED');
    expect((await finish()).order.status).toBe('EXPIRED');
    await expectReversed(orderId);
    expect((await orderOf(orderId)).subscription.status).toBe('incomplete_expired');
  });

  it('P50 cannot, once the first look found nothing of it and cancelled it', async () => {
    const { orderId, finish } = await buyStalled();
    await pass(MINUTE_MS);
    expect((await orderOf(orderId)).order.status).toBe('FAILED');
    const { order, payment } = await finish();
    expect(order.status).toBe('FAILED');
    expect(payment.charges).toMatchObject([{ status: 'failed' }]);
    const { rows } = await app.service.pool.query(
      'select from sandbox_charges where id = $1 and status = $2',
      [...[payment.charges[0].id, 'succeeded']],
    );
    expect(rows).toHaveLength(0);
  });

  it('P50 on a failed one whose order still stands pays it', async () => {
    const { orderId, finish } = await buyStalled();
    forgetNextCancel(app);
    await pass(MINUTE_MS);
    expect((await orderOf(orderId)).order.status).toBe('FAILED');
    const { order, payment } = await finish();
    expect(order).toMatchObject({ status: 'PAID', value: 2379 });
    expect(payment.invoiceNumber).not.toBeNull();
    expect(await typesOf(orderId)).toEqual(['payment_failed', 'payment_success']);
    expect(await givenBack(payment.charges[0].id)).toBe(0);
  });

  it.each([
    ['nobody else has used', false],
    ['somebody else has used', true],
  ])('on a failed one whose code %s since counts within its limit', async (_who, isUsed) => {
    const discountCode = isUsed ? 'TAKEN' : 'FREE';
    const code = { type: 'code', amount: 10, amountType: 'percentage', includesAllOffers: true };
    const made = await app.test.post('/v0/discounts/create', { ...code, discountCode, purchaseLimit: 1 });
    const { finish } = await buyStalled([offerId], { discountCode });
    forgetNextCancel(app);
    await pass(MINUTE_MS);
    if (isUsed) await buy(app.test, { offersIds: [offerId], discountCode, userEmail: 'quick@example.com' });
    expect((await finish()).order).toMatchObject({ status: 'PAID', value: 2141 });
    const { discount } = (await app.test.get(`/v0/discounts/${made.body.data.discount.id}`)).body.data;
    expect(discount.timesUsed).toBe(1);
  });

  it('on a failed change of plan goes back, and the old plan stays', async () => {
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test, { price: 1000 })] });
    const path = `/v0/subscriptions/${body.data.subscription.id}`;
    const goldId = await makePlanOffer(app.test, { price: 3000 });
    const call = stallNextCharge(app);
    const asked = { offerId: goldId, prorationBehavior: 'always_invoice' };
    const changing = app.test.patch(`${path}/update`, asked);
    await call.begun;
    declineNextLook(app);
    await pass(MINUTE_MS);
    const failed = (await app.test.get(path)).body.data.subscription.lastPayment;
    expect(failed).toMatchObject({ type: 'subscription_update', status: 'FAILED' });
    call.release();
    const { payment, subscription } = (await changing).body.data;
    expect(payment).toMatchObject({ id: failed.id, status: 'FAILED', invoiceNumber: null });
    expect(subscription.value).toBe(1000);
    await expectGoneBack(payment.charges[0]);
  });

  it('twice, since the buyer took another card, is kept once', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const call = stallNextCharge(app);
    const first = page.submit();
    await call.begun;
    const { id } = await newestOrder();
    forgetNextCancel(app);
    await pass(MINUTE_MS);
    expect((await orderOf(id)).order.status).toBe('FAILED');
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
    call.release();
    expect((await first).body.data.checkout.status).toBe('paid');
    await expectReversed(id, 0);
    const { payments } = await orderOf(id);
    expect(payments[0].charges[1]).toMatchObject({ status: 'succeeded', reversedAt: null });
    expect(await givenBack(payments[0].charges[1].id)).toBe(0);
    expect(await typesOf(id)).toEqual(['payment_failed', 'payment_success']);
  });
});

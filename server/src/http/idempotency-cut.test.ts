import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { loseNextAnswer, loseNextCharge } from '../../test/support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const newKey = () => ({ 'idempotency-key': randomUUID() });

async function countOrders(): Promise<number> {
  return (await app.test.get('/v0/orders/list', { query: { returnCount: 'true' } })).body.data.count;
}

/** As if the process had died between its first and its last transaction. */
async function forgetAnswer(key: string, leaseUntil: number): Promise<void> {
  await app.service.db
    .updateTable('idempotencyKeys')
    .set({ response: null, leaseUntil })
    .where('key', '=', key)
    .execute();
}

describe('T05 a retry after a cut behind the first commit', () => {
  it('charges what the dead request had not charged, and keeps that as the answer', async () => {
    const key = newKey();
    loseNextCharge(app);
    const cut = await buy(app.test, { offersIds: [offerId] }, key);
    expect(cut.body.data.payment.status).toBe('PENDING');
    await forgetAnswer(key['idempotency-key'], 0);
    const retried = await buy(app.test, { offersIds: [offerId] }, key);
    expect(retried.body.data).toMatchObject({
      order: { id: cut.body.data.order.id, status: 'PAID' },
      payment: { id: cut.body.data.payment.id, status: 'PAID' },
    });
    expect(retried.body.data.payment.charges).toHaveLength(1);
    const again = await buy(app.test, { offersIds: [offerId] }, key);
    expect({ text: again.text, replayed: again.headers['idempotent-replayed'] }).toEqual({
      text: retried.text,
      replayed: 'true',
    });
  });

  it('takes the money once where the dead request had taken it', async () => {
    const key = newKey();
    loseNextAnswer(app);
    await buy(app.test, { offersIds: [offerId] }, key);
    await forgetAnswer(key['idempotency-key'], 0);
    const { payment } = (await buy(app.test, { offersIds: [offerId] }, key)).body.data;
    expect(payment).toMatchObject({ status: 'PAID', charges: [{ status: 'succeeded' }] });
  });

  it('goes on with a subscription that the API made, and with an extra charge of it', async () => {
    const planId = await makePlanOffer(app.test);
    const { user } = (
      await app.test.post('/v0/users/create', {
        email: 'grace@example.com',
        billingDetails: { countryCode: 'DE' },
        paymentData: { sandboxCustomerId: 'card_4242424242424242' },
      })
    ).body.data;
    const key = newKey();
    const create = () =>
      app.test.post('/v0/subscriptions/create', { userId: user.id, offerId: planId }, { headers: key });
    loseNextCharge(app);
    expect((await create()).body.data.subscription.status).toBe('incomplete');
    await forgetAnswer(key['idempotency-key'], 0);
    const { subscription, payment } = (await create()).body.data;
    expect({ subscription: subscription.status, payment: payment.status }).toEqual({
      subscription: 'active',
      payment: 'PAID',
    });
    const extra = newKey();
    const charge = () =>
      app.test.post(
        `/v0/subscriptions/${subscription.id}/charge`,
        { items: [{ name: 'Hours', unitPrice: 500, currency: 'EUR' }] },
        { headers: extra },
      );
    loseNextCharge(app);
    expect((await charge()).body.data.payment.status).toBe('PENDING');
    await forgetAnswer(extra['idempotency-key'], 0);
    expect((await charge()).body.data.payment.status).toBe('PAID');
  });
});

describe('a purchase whose request died', () => {
  it('is 409 as long as the request may be alive', async () => {
    const key = randomUUID();
    await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    await forgetAnswer(key, Date.now() + 60_000);
    const again = buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    await expectRefusal(again, 409, 'request_in_progress');
  });

  it('is gone on with from its order by the next replay, and not made again', async () => {
    const key = randomUUID();
    const first = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    const before = await countOrders();
    await forgetAnswer(key, 0);
    const again = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    expect(again.body.data.order).toEqual(first.body.data.order);
    expect(again.body.data.payment).toEqual(first.body.data.payment);
    const third = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    expect(third.headers['idempotent-replayed']).toBe('true');
    expect(third.text).toBe(again.text);
    expect(await countOrders()).toBe(before);
  });

  it('is taken over by one replay only', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await buy(app.test, { offersIds: [offerId] }, key);
    const before = await countOrders();
    await forgetAnswer(key['idempotency-key'], 0);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => buy(app.test, { offersIds: [offerId] }, key)),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await countOrders()).toBe(before);
  });

  it('keeps its key free after a refusal, and pays once when it is asked again rightly', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await expectRefusal(
      buy(app.test, { offersIds: [offerId], discountCode: 'NONE' }, key),
      400,
      'discount_code_unknown',
    );
    expect((await buy(app.test, { offersIds: [offerId] }, key)).status).toBe(200);
  });
});

/** A merchant's decision on a withdrawal or a notice: made once, and anew where money did not arrive. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { toFailedRefund } from '../../src/providers/payment/failed-refund.ts';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { withRefunds } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { portalOf, signIn } from '../support/portal.ts';

let app: TestApp;
let shop: LawShop;
beforeAll(async () => {
  app = await createTestApp();
  await makePlanOffer(app.test);
  shop = createLawShop(app, (await portalOf(app, app.test)).store);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

it('on a withdrawal is made once, where two make it at once', async () => {
  for (let n = 0; n < 5; n += 1) {
    const sale = await shop.sell([await shop.makeKeyed()], { billingDetails: { countryCode: 'CH' } });
    const id = await shop.withdrawFrom(sale);
    const decided = await Promise.all([1, 2, 3].map(() => shop.decide(id, { accept: true, amount: 500 })));
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await shop.orderOf(sale.order.id)).order.refundedValue).toBe(500);
    expect((await shop.withdrawalOf(id)).refundIds).toHaveLength(1);
  }
});

it('on a withdrawal is made anew where one of its refunds has failed, over what is missing', async () => {
  const offerId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'week' });
  const sale = await shop.sell([offerId], { billingDetails: { countryCode: 'CH' } });
  await shop.pass(8 * DAY_MS);
  const id = await shop.withdrawFrom(sale);
  await withRefunds(
    app,
    async (request, refund) =>
      request.chargeId === sale.payment.charges[0].id
        ? toFailedRefund('insufficient_funds')
        : refund(request),
    async () => {
      const first = await shop.decide(id, { accept: true });
      expect(first.body.data.withdrawal, first.text).toMatchObject({ status: 'received' });
    },
  );
  const { payments, refunds } = await shop.orderOf(sale.order.id);
  const back = refunds.filter(({ status }: { status: string }) => status === 'succeeded');
  expect([payments.length, refunds.length, back.length]).toEqual([2, 2, 1]);
  await expectRefusal(shop.decide(id, { accept: false, reason: 'other' }), 409, 'withdrawal_state');
  const second = await shop.decide(id, { accept: true });
  expect(second.body.data.withdrawal, second.text).toMatchObject({ status: 'refunded' });
  expect(second.body.data.withdrawal.refundIds).toHaveLength(2);
  const { order, payments: after } = await shop.orderOf(sale.order.id);
  expect(order.status).toBe('REFUNDED');
  expect(after.map(({ status }: { status: string }) => status)).toEqual(['REFUNDED', 'REFUNDED']);
});

/** Refuses it, as another process does, while what is asked meanwhile waits for it. */
async function refuseBefore<T>(id: string, ask: () => Promise<T>): Promise<T> {
  const client = await app.service.pool.connect();
  try {
    await client.query('begin');
    await client.query(`update withdrawals set status = 'refused', effect_at = null where id = $1`, [id]);
    const asked = ask();
    const waiting = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await app.service.pool.query(waiting)).rows[0]?.count).toBe(1);
    await client.query('commit');
    return await asked;
  } finally {
    client.release();
  }
}

it('on a withdrawal leaves the contract as it is where a refusal was faster by a moment', async () => {
  const sale = await shop.sell([await makePlanOffer(app.test)], { billingDetails: { countryCode: 'CH' } });
  const id = await shop.withdrawFrom(sale);
  const answer = await refuseBefore(id, () => shop.decide(id, { accept: true }));
  await expectRefusal(Promise.resolve(answer), 409, 'withdrawal_state');
  const { subscription, refunds, order } = await shop.orderOf(sale.order.id);
  expect([subscription.status, refunds, order.status]).toEqual(['active', [], 'PAID']);
});

it('on one of several items of a subscription gives back what was paid for that one', async () => {
  const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
  const plan = (price: number) => makePlanOffer(app.test, { productId, price, recurringInterval: 'week' });
  const [small, large] = [await plan(1000), await plan(3000)];
  const email = shop.newEmail();
  const details = { countryCode: 'FR' };
  const paymentData = { sandboxCustomerId: 'card_4242424242424242' };
  const made = await app.test.post('/v0/users/create', { email, billingDetails: details, paymentData });
  const items = [{ offerId: small }, { offerId: large }];
  const userId = made.body.data.user.id;
  const { order } = (await app.test.post('/v0/subscriptions/create', { userId, items })).body.data;
  await shop.pass(8 * DAY_MS);
  const { items: bought } = await shop.orderOf(order.id);
  const buyer = await signIn(app, email);
  const [one] = bought;
  const { store, testMode } = await portalOf(app, app.test);
  const stated = await buyer.post('/withdrawals', {
    ...{ store, testMode, name: 'Ada Lovelace', email, orderNumber: order.number, items: [one.id] },
  });
  expect(stated.status, stated.text).toBe(200);
  const decided = await shop.decide(stated.body.data.withdrawal.id, { accept: true });
  expect(decided.body.data.withdrawal.status, decided.text).toBe('refunded');
  // Of both weeks the smaller plan with its tax, and nothing of the other.
  const { refunds } = await shop.orderOf(order.id);
  expect(refunds.map(({ amount }: { amount: number }) => amount)).toEqual([1200, 1200]);
});

it('S30 on a withdrawal of a subscription that was paid back already gives nothing back of what was used', async () => {
  const offerId = await makePlanOffer(app.test, { price: 3000, recurringInterval: 'week' });
  const sale = await shop.sell([offerId], { consent: true });
  await shop.pass(2 * DAY_MS);
  const stated = await shop.withdrawFrom(sale);
  await shop.pass(DAY_MS + 10_000);
  const { refunds } = await shop.orderOf(sale.order.id);
  expect(refunds).toHaveLength(1);
  const again = await shop.withdrawFrom(sale);
  await shop.pass(DAY_MS + 10_000);
  expect(await shop.withdrawalOf(stated)).toMatchObject({ status: 'refunded', refundIds: [refunds[0].id] });
  expect(await shop.withdrawalOf(again)).toMatchObject({ status: 'refunded', refundIds: [] });
  expect((await shop.orderOf(sale.order.id)).refunds).toEqual(refunds);
});

it('S30 on a withdrawal of a subscription that ended with its rest given back, gives nothing of what was used', async () => {
  const offerId = await makePlanOffer(app.test, { price: 3000, recurringInterval: 'week' });
  for (const consent of [true, false]) {
    const sale = await shop.sell([offerId], { consent });
    await shop.pass(2 * DAY_MS);
    const { subscriptionId } = sale.order;
    const ended = await app.test.patch(`/v0/subscriptions/${subscriptionId}/cancel`, {
      cancelOption: 'immediately',
      refund: true,
    });
    expect(ended.status, ended.text).toBe(200);
    const { order: before } = await shop.orderOf(sale.order.id);
    const id = await shop.withdrawFrom(sale);
    await shop.pass(DAY_MS + 10_000);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'refunded' });
    const { order } = await shop.orderOf(sale.order.id);
    expect(order.refundedValue).toBe(consent ? before.refundedValue : order.value);
  }
});

it('on a notice is made once, where it is accepted and refused at once', async () => {
  for (let n = 0; n < 5; n += 1) {
    const sale = await shop.sell([await makePlanOffer(app.test)]);
    const cause = { type: 'cause', reason: 'It never worked.', contractNumber: sale.order.number };
    const { id } = (await shop.cancel({ ...cause, email: sale.email })).body.data.notice;
    const decide = (accept: boolean) => app.test.patch(`/v0/cancellation-notices/${id}/decide`, { accept });
    const decided = await Promise.all([decide(true), decide(false), decide(true)]);
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await shop.settle();
    expect(await shop.listMails('notice_decided', sale.email)).toHaveLength(1);
    const { status } = (await shop.orderOf(sale.order.id)).subscription;
    const isAccepted = (await shop.noticeOf(id)).status === 'done';
    expect(status).toBe(isAccepted ? 'canceled' : 'active');
  }
});

/** Currencies of which a processor moves no part of a step: what we work out of their prices can be charged, and given back. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createLawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

const DINARS = { currency: 'KWD', taxBehavior: 'inclusive' };
const STEP = 10;
let app: TestApp;
let processorId: string;
let close: () => Promise<void>;
let plans: ReturnType<typeof createPlanOperations>;
beforeAll(async () => {
  ({ app, processorId, close } = await openStripeApp());
  plans = createPlanOperations(app);
});
afterEach(async () => {
  await putToRest(app);
  await expectInvariants(app);
});
afterAll(() => close?.());

let buyers = 0;
async function start(fields: object = {}): Promise<Subscribed> {
  buyers += 1;
  const offerId = await makePlanOffer(app.test, { ...DINARS, price: 10_000, ...fields });
  const userEmail = `dinar-${buyers}@example.com`;
  const bought = { processorId, paymentMethod: 'pm_card_visa', card: undefined, userEmail };
  const subscribed = await subscribe(app, offerId, bought);
  // Ten of 28 to 31 days, of which no price here is a whole part.
  await advance(app, app.test.scope, 10 * DAY_MS + 12_345);
  return subscribed;
}

describe('P07 a change of plan in a currency of steps', () => {
  it('at once is charged in whole steps, and holds', async () => {
    const subscribed = await start();
    const items = [{ offerId: await makePlanOffer(app.test, { ...DINARS, price: 20_000 }) }];
    const change = { items, prorationBehavior: 'always_invoice' };
    const { amountDue } = await plans.preview(subscribed, change);
    expect([amountDue > 0, amountDue % STEP]).toEqual([true, 0]);
    expect((await plans.update(subscribed, change)).body.data).toMatchObject({ success: true });
    const { lastPayment } = await show(app, subscribed);
    expect(lastPayment).toMatchObject({ type: 'subscription_update', status: 'PAID', value: amountDue });
  });

  it.each([20_000, 5_000])('billed with the next payment, to %d, is paid then', async (price) => {
    const subscribed = await start();
    const items = [{ offerId: await makePlanOffer(app.test, { ...DINARS, price }) }];
    await plans.update(subscribed, { items, prorationBehavior: 'create_prorations' });
    await plans.renew(subscribed);
    const [period] = await listPeriods(app, subscribed);
    expect(period?.status).toBe('PAID');
    expect(Number(period?.value) % STEP).toBe(0);
    expect((await show(app, subscribed)).status).toBe('active');
  });
});

it('P07 a period whose discount is no whole step is paid', async () => {
  await app.test.post('/v0/discounts/create', {
    ...{ type: 'code', discountCode: 'THIRD', amount: 33.33, amountType: 'percentage', duration: 'forever' },
  });
  const subscribed = await start({ price: 5_010 });
  const put = await plans.update(subscribed, { discountCode: 'THIRD' });
  expect(put.status, put.text).toBe(200);
  await plans.renew(subscribed);
  const [period] = await listPeriods(app, subscribed);
  expect(period).toMatchObject({ status: 'PAID', value: 3_340n });
});

it('P07 the unused time of a subscription goes back in whole steps', async () => {
  const subscribed = await start();
  const { body } = await app.test.patch(`/v0/subscriptions/${subscribed.number}/cancel`, {
    ...{ immediately: true, refund: true },
  });
  expect(body.data).toMatchObject({ success: true });
  const order = (await app.test.get(`/v0/orders/${subscribed.orderId}`)).body.data;
  expect(order.refunds).toMatchObject([{ status: 'succeeded' }]);
  expect(order.refunds[0].amount % STEP).toBe(0);
});

it('P07 a refund of a part of a step is refused before it is written', async () => {
  const offerId = await makeOffer(app.test, { ...DINARS, price: 5_010 });
  const bought = { offersIds: [offerId], userEmail: 'part@example.com', processorId };
  const made = await buy(app.test, { ...bought, paymentMethod: 'pm_card_visa' });
  const { id } = made.body.data.order;
  const refund = (amount: number) => app.test.post(`/v0/orders/${id}/refunds`, { amount });
  await expectRefusal(refund(1_005), 400, 'amount_not_chargeable');
  const { details } = (await refund(1_005)).body.error;
  expect(details).toEqual([{ path: 'amount', message: 'is finer than the processor counts KWD' }]);
  const preview = app.test.get(`/v0/orders/${id}/refunds/preview`, { query: { amount: '1005' } });
  await expectRefusal(preview, 400, 'amount_not_chargeable');
  expect((await app.test.get(`/v0/orders/${id}`)).body.data.refunds).toEqual([]);
  expect((await refund(1_010)).body.data.refund).toMatchObject({ status: 'succeeded', amount: 1_010 });
});

it('P07 what a withdrawal gives back is whole steps, and no more than was asked', async () => {
  const slug = (await app.test.get('/v0/settings')).body.data.settings.portalSlug;
  const shop = createLawShop(app, slug);
  await shop.set({ withdrawal: true, withdrawalHandling: 'manual' });
  const offerId = await makeOffer(app.test, { ...DINARS, price: 5_010 });
  const bought = await shop.sell([offerId], { processorId, paymentMethod: 'pm_card_visa', card: undefined });
  const id = await shop.withdrawFrom(bought);
  const decided = await shop.decide(id, { accept: true, amount: 1_005 });
  expect(decided.status, decided.text).toBe(200);
  expect((await shop.orderOf(bought.order.id)).refunds).toMatchObject([
    { status: 'succeeded', amount: 1_000 },
  ]);
  expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'refunded' });
});

it.each(['inclusive', 'exclusive'])(
  'P07 a first period up to an anchor is charged in whole steps, %s',
  async (taxBehavior) => {
    const { userId } = await start({ taxBehavior });
    const { body } = await app.test.get('/v0/test-clock');
    const billingCycleAnchor = body.data.testClock.now + 11 * DAY_MS + 54_321;
    const offerId = await makePlanOffer(app.test, { ...DINARS, taxBehavior, price: 7_770 });
    const made = await app.test.post('/v0/subscriptions/create', { userId, offerId, billingCycleAnchor });
    expect(made.status, made.text).toBe(200);
    const { value, status } = made.body.data.payment;
    expect([status, value > 0, value % STEP]).toEqual(['PAID', true, 0]);
  },
);

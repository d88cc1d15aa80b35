import { expect, it } from 'vitest';
import { closeFigures } from '../../src/worker/upkeep.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { overviewOf } from '../support/figures.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
useShop((made) => {
  app = made;
});

const LARGEST = Number.MAX_SAFE_INTEGER;
const userEmail = 'rich@example.com';
const get = async (path: string, query = {}) => {
  const { status, body, text } = await app.test.get(path, { query });
  expect(status, text).toBe(200);
  return body.data;
};

it('is sold again and again, and every sum of it is told', { timeout: 60_000 }, async () => {
  const price = { price: LARGEST, taxBehavior: 'inclusive' };
  const offersIds = [await makeOffer(app.test, price)];
  for (let n = 0; n < 3; n += 1) {
    const { body, text } = await buy(app.test, { offersIds, userEmail });
    expect(body.data?.payment.status, text).toBe('PAID');
  }
  // A week at that price is four of it a month.
  const weekly = await makePlanOffer(app.test, { ...price, recurringInterval: 'week' });
  await subscribe(app, weekly, { userEmail });
  const sold = 4 * LARGEST;

  const { users } = await get('/v0/users/list', { term: userEmail });
  expect(users[0].spent).toBe(sold);
  await advance(app, app.test.scope, DAY_MS);
  const window = { from: '0', to: '253402300799999' };
  const read = async () => ({
    overview: await overviewOf(app.test, { ...window, currency: 'EUR' }),
    summary: await get('/v0/tax/summary', window),
    thresholds: await get('/v0/tax/thresholds'),
    balances: await get('/v0/ledger/balances'),
  });
  const told = await read();
  expect(told.overview).toMatchObject({ grossVolume: sold, orders: 4, mrr: expect.any(Number) });
  expect(told.overview.mrr).toBeGreaterThan(LARGEST);
  expect(told.thresholds.thresholds.length).toBeGreaterThan(0);

  const sizes = { paymentsMin: 1, paymentsMax: 20 };
  expect(await closeFigures(app.service.db, new AbortController().signal, sizes)).toBeGreaterThan(0);
  expect(await read()).toEqual({ ...told, thresholds: expect.anything() });
});

it('is no part of a payment to come that could not be stored: what would make one is refused', async () => {
  const inclusive = { taxBehavior: 'inclusive', recurringInterval: 'month' };
  const [five, eight] = [5e15, 8e15];
  const bigger = await makePlanOffer(app.test, { ...inclusive, price: eight });
  // With its tax it is beyond what can be stored.
  const taxed = await makePlanOffer(app.test, { ...inclusive, price: eight, taxBehavior: 'exclusive' });
  const small = await subscribe(app, await makePlanOffer(app.test, { ...inclusive, price: five }), {
    userEmail: 'five@example.com',
  });
  const path = `/v0/subscriptions/${small.number}`;
  const { subscription } = await get(path);
  const change = { offerId: bigger, prorationDate: subscription.currentIntervalStart };
  await expectRefusal(app.test.post(`${path}/preview-update`, change), 400, 'amount_too_large');
  await expectRefusal(app.test.patch(`${path}/update`, change), 400, 'amount_too_large');
  for (const prorationBehavior of ['none', 'always_invoice'])
    await expectRefusal(
      app.test.patch(`${path}/update`, { offerId: taxed, prorationBehavior }),
      400,
      'amount_too_large',
    );
  expect((await get(`${path}/upcoming-payment`)).upcomingPayment.value).toBe(five);

  const trial = { trialInterval: 'week', trialIntervalCount: 1 };
  const trying = await subscribe(
    app,
    await makePlanOffer(app.test, { ...inclusive, ...trial, price: five }),
    {
      userEmail: 'trial@example.com',
    },
  );
  const swap = app.test.patch(`/v0/subscriptions/${trying.number}/update`, { offerId: taxed });
  await expectRefusal(swap, 400, 'amount_too_large');

  const code = { type: 'code', discountCode: 'HALF-ONCE', amount: 50, amountType: 'percentage' };
  expect((await app.test.post('/v0/discounts/create', code)).status).toBe(200);
  const email = 'half@example.com';
  const paymentData = { sandboxCustomerId: 'card_4242424242424242' };
  await app.test.post('/v0/users/create', { email, paymentData, billingDetails: { countryCode: 'DE' } });
  const asked = { userEmail: email, items: [{ offerId: taxed }], discountCode: 'HALF-ONCE' };
  await expectRefusal(app.test.post('/v0/subscriptions/create', asked), 400, 'amount_too_large');
});

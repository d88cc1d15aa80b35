import { expect, it } from 'vitest';
import { closeFigures } from '../../src/worker/upkeep.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
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

/** The portal on a line that breaks now and then. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

it('S22 says no longer that something was lost once it has come', async () => {
  const offersIds = [await makePlanOffer(shop.store)];
  await buy(shop.store, { offersIds, userEmail: EMAIL });
  const { body } = await shop.store.post('/v0/portal-sessions/create', {
    ...{ email: EMAIL, flow: 'payment_method' },
  });
  const { token, url } = body.data.portalSession;
  const added = await fetch(`${shop.origin}/v0/portal/payment-methods/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ card: '5555555555554444' }),
  });
  expect(added.status, await added.clone().text()).toBe(200);
  const page = await (await shop.openBuyer()).newTab();
  await page.goto(url);
  const use = page.getByRole('button', { name: 'Make default' }).first();
  await use.waitFor();
  const list = /payment-methods\/list/;
  await page.route(list, (route) => route.abort());
  await use.click();
  await page.getByRole('alert').waitFor();
  await page.unroute(list);
  await use.click();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

it('asks once more by a press for what no answer came to', async () => {
  const body = { email: EMAIL, flow: 'orders' };
  const { url } = (await shop.store.post('/v0/portal-sessions/create', body)).body.data.portalSession;
  const page = await (await shop.openBuyer()).newTab();
  const list = /orders\/list/;
  await page.route(list, (route) => route.abort());
  await page.goto(url);
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(list);
  await again.click();
  await page.getByRole('link', { name: /Club/ }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

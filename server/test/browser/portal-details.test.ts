/** Where a buyer lives, as they say it in the portal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import { choice, field } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

it('S23 asks for the state where tax hangs on it, and forgets it with the place', async () => {
  const billingDetails = { countryCode: 'US', postalCode: '10001', state: 'NY' };
  const offersIds = [await makePlanOffer(shop.store, { price: 10_000 })];
  const { body } = await buy(shop.store, { offersIds, userEmail: EMAIL, billingDetails });
  const session = await shop.store.post('/v0/portal-sessions/create', {
    ...{ email: EMAIL, flow: 'billing_details' },
  });
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(session.body.data.portalSession.url);
  const state = choice(page, 'State');
  await state.waitFor();
  expect(await state.inputValue()).toBe('NY');
  await field(page, 'Postal code').fill('90001');
  expect(await state.inputValue()).toBe('');
  await state.selectOption('CA');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
  const detailsOf = async () =>
    (await shop.store.get(`/v0/subscriptions/${body.data.subscription.id}`)).body.data.subscription
      .billingDetails;
  expect(await detailsOf()).toMatchObject({ countryCode: 'US', postalCode: '90001', state: 'CA' });
  await choice(page, 'Country').selectOption('DE');
  expect(await state.count()).toBe(0);
  await field(page, 'Postal code').fill('10115');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(detailsOf).toMatchObject({ countryCode: 'DE', postalCode: '10115', state: null });
  expect(buyer.problems).toEqual([]);
});

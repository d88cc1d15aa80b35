/** The page behind the link in a mail: what a subscription owes is paid there. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { advance, DAY_MS } from '../support/clock.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';
import type { Buyer } from './support/browser.ts';
import { fillCard, payButton } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const PAYS_ONCE = '4000000000000341';
let shop: Shop;
let buyer: Buyer;
let page: Page;
let subscribed: Subscribed;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());
beforeEach(async () => {
  const { app, store } = shop;
  const offerId = await makePlanOffer(store, { price: 500, recurringInterval: 'week' });
  subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, userEmail: `${Math.random()}@example.com` });
  await advance(app, store.scope, 8 * DAY_MS);
  const { body } = await store.get(`/v0/payments/${subscribed.number}-1`);
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
  await page.goto(body.data.payment.payUrl);
});
afterEach(async () => {
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

it('takes a card for what is owed and thanks for it', async () => {
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pay for Club');
  await fillCard(page, { card: '4242424242424242' });
  await payButton(page).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect((await show(shop.app, subscribed)).status).toBe('active');
});

it('marks a card number that is none, and says when a card is declined', async () => {
  await fillCard(page, { card: '4242424242424241' });
  await payButton(page).click();
  await page.locator('[aria-invalid="true"]').first().waitFor();
  await fillCard(page, { card: '4000000000000002' });
  await payButton(page).click();
  await page.getByText('The last attempt was declined').waitFor();
  expect((await show(shop.app, subscribed)).status).toBe('past_due');
});

it('sends the buyer to the bank and back', async () => {
  await fillCard(page, { card: '4000002500003155' });
  await payButton(page).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect((await show(shop.app, subscribed)).status).toBe('active');
});

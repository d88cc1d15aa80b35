/** A buyer who is known pays by the card that they have stored, or by another. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import type { Buyer } from './support/browser.ts';
import { CARDS, field, fillCard, pay, thanks } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';

let shop: Shop;
let userId: string;
let offersIds: string[];
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  offersIds = [await makeOffer(shop.store, { name: 'Rocket', price: 4900 })];
  const body = {
    email: EMAIL,
    billingDetails: { countryCode: 'DE', firstName: 'Ada' },
    paymentData: { sandboxCustomerId: `card_${CARDS.visa}` },
  };
  userId = (await shop.store.post('/v0/users/create', body)).body.data.user.id;
});
afterAll(() => shop?.close());
beforeEach(async () => {
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
});
afterEach(async () => {
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

const prepare = async () =>
  (await shop.store.post('/v0/checkout-sessions/create', { offersIds, userId })).body.data.checkoutSession
    .url as string;
const radio = (name: string) => page.getByRole('radio', { name, exact: true });

describe('a checkout that was prepared for a user', () => {
  it('S45 is paid by the stored card, without typing it', async () => {
    await page.goto(await prepare());
    await page.getByRole('radiogroup', { name: 'Payment method', exact: true }).waitFor();
    await expect.poll(() => radio('Visa ending in 4242').isChecked()).toBe(true);
    expect(await field(page, 'Card number').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await pay(page);
    await thanks(page).waitFor();
    await page.getByText('Visa ending in 4242').waitFor();
  });

  it('S45 takes another card, and saves it where the buyer asks for that', async () => {
    await page.goto(await prepare());
    await radio('Another card').check();
    await fillCard(page, { card: '5555555555554444' });
    await page.getByRole('checkbox', { name: 'Save this card for next time' }).check();
    await pay(page);
    await thanks(page).waitFor();
    const { paymentMethods } = (await shop.store.get(`/v0/users/${userId}`)).body.data;
    expect(paymentMethods.map(({ last4 }: { last4: string }) => last4)).toEqual(['4242', '4444']);
  });

  it('S45 hides the stored card from an order of another address, and from a second browser', async () => {
    const url = await prepare();
    await page.goto(url);
    await radio('Visa ending in 4242').waitFor();
    await field(page, 'Email').fill('grace@example.com');
    await field(page, 'Card number').waitFor();
    expect(await radio('Visa ending in 4242').count()).toBe(0);
    const second = await shop.openBuyer();
    const other = await second.newTab();
    await other.goto(url);
    await field(other, 'Card number').waitFor();
    await other.waitForLoadState('networkidle');
    expect(await other.getByRole('radiogroup').count()).toBe(0);
    expect(await other.getByRole('checkbox', { name: /Save this card/ }).count()).toBe(0);
    expect(second.problems).toEqual([]);
    await second.context.close();
  });
});

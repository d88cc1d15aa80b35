/** What a buyer reads who has tried too often, and the way back to an order that waits for its payment. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS, OPEN_ORDERS_BY_EMAIL_MAX } from '../../src/domain/limits.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import type { Buyer } from './support/browser.ts';
import { CARDS, field, fillCard, fillIn, pay, settlePrice, thanks } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let offerId: string;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop({ RATE_LIMIT_TEST: '1000' });
  offerId = await makeOffer(shop.store, { name: 'Rocket', price: 4900 });
});
afterAll(() => shop?.close());
beforeEach(async () => {
  await shop.app.service.db.deleteFrom('limitCounters').execute();
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
  await page.goto(`${shop.origin}/checkout/${offerId}`);
});
afterEach(async () => {
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

const alert = () => page.getByRole('alert');

describe('Y11 too often', () => {
  it('says that too many cards were declined, and keeps what was typed', async () => {
    await fillIn(page, { email: 'tries@example.com', card: CARDS.declined });
    for (let count = 0; count < LIMITS.decline_by_session.max; count += 1) {
      await pay(page);
      await alert().getByText('The card was declined.').waitFor();
      await settlePrice(page);
    }
    await fillCard(page);
    await pay(page);
    await alert().getByText('Too many cards were declined.').waitFor();
    expect(await field(page, 'Email').inputValue()).toBe('tries@example.com');
  });

  it('says that too many codes were tried, and sells without one', async () => {
    await fillIn(page, { email: 'codes@example.com' });
    await settlePrice(page);
    const apply = async (code: string, told: string) => {
      await field(page, 'Discount code').fill(code);
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText(told).waitFor();
      await settlePrice(page);
    };
    for (let count = 0; count < LIMITS.unknown_code_by_session.max; count += 1) {
      await apply(`GUESS${count}`, 'This discount code does not exist.');
    }
    await apply('ONE-MORE', 'Too many discount codes were tried.');
    await field(page, 'Discount code').fill('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await pay(page);
    await thanks(page).waitFor();
  });

  it('says that so many are not sold at once, and sells fewer', async () => {
    const several = await makeOffer(shop.store, {
      name: 'Pencil',
      price: 100,
      mutableQuantity: true,
      maxPerOrder: 10,
    });
    await page.goto(`${shop.origin}/checkout/${several}`);
    const count = page.getByRole('spinbutton', { name: 'Quantity' });
    await count.fill('50');
    await page.getByText('So many are not sold in one order. Please choose a smaller number.').waitFor();
    await count.fill('10');
    await settlePrice(page);
    expect(await page.getByText(/So many|Choose a number/).count()).toBe(0);
  });

  it('leads a buyer with too many open orders back to the one that waits', async () => {
    const begin = async () => {
      await page.goto(`${shop.origin}/checkout/${offerId}`);
      await fillIn(page, { email: 'waits@example.com', card: CARDS.authenticates });
      await pay(page);
    };
    for (let count = 0; count < OPEN_ORDERS_BY_EMAIL_MAX; count += 1) {
      await begin();
      await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
    }
    await begin();
    await alert().getByText('Too many of your orders wait for their payment.').waitFor();
    await page.getByRole('link', { name: 'Go on with the open order' }).click();
    await page.getByRole('link', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await thanks(page).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});

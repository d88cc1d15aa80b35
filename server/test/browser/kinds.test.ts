/** Free products, trials, subscriptions, carts, and what the seller or a link adds to the form. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import type { Buyer } from './support/browser.ts';
import {
  choice,
  field,
  fillIn,
  orderNumberOf,
  pay,
  payButton,
  settlePrice,
  thanks,
} from './support/checkout.ts';
import { listOrders, openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
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

const open = (offerId: string, query = '') => page.goto(`${shop.origin}/checkout/${offerId}${query}`);

describe('what is sold', () => {
  it('gives a free product away for an email address alone', async () => {
    await open(await makeOffer(shop.store, { price: 0, freeProduct: true }));
    await field(page, 'Email').fill('free@example.com');
    expect(await field(page, 'Card number').count()).toBe(0);
    await page.getByRole('button', { name: 'Get it free' }).click();
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'free@example.com')).toMatchObject([{ status: 'PAID', value: 0 }]);
  });

  it('asks for no country and no card once a code leaves nothing to pay', async () => {
    const whole = { type: 'code', amountType: 'percentage', amount: 100, discountCode: 'WHOLE' };
    await shop.store.post('/v0/discounts/create', whole);
    await open(await makeOffer(shop.store, { price: 1900 }), '?svc-discount-code=WHOLE');
    await field(page, 'Email').fill('gift@example.com');
    expect(await choice(page, 'Country').count()).toBe(0);
    expect(await field(page, 'Card number').count()).toBe(0);
    expect(await page.getByText('Free', { exact: true }).count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Get it free' }).click();
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'gift@example.com')).toMatchObject([{ status: 'PAID', value: 0 }]);
  });

  it('starts a trial at 0 with a card, and says what comes after it', async () => {
    await open(await makePlanOffer(shop.store, { price: 900, trialInterval: 'day', trialIntervalCount: 14 }));
    await fillIn(page, { email: 'trial@example.com' });
    await settlePrice(page);
    await page.getByText(/^Free until .+, then €10\.71 every month until you cancel\.$/).waitFor();
    await page.getByRole('button', { name: 'Start trial' }).click();
    await page.getByText(/^Your trial runs until/).waitFor();
    expect(await listOrders(shop, 'trial@example.com')).toMatchObject([{ status: 'PAID', value: 0 }]);
  });

  it('sells a subscription with its renewal terms beside the button', async () => {
    await open(await makePlanOffer(shop.store, { price: 2900 }));
    await fillIn(page, { email: 'club@example.com' });
    await settlePrice(page);
    await page.getByText(/^Renews at €34\.51 every month from .+ until you cancel\.$/).waitFor();
    await pay(page);
    await page.getByText(/^Your subscription is active and renews on/).waitFor();
  });

  it('sells several offers behind one link as one order', async () => {
    const offersIds = [await makeOffer(shop.store), await makeOffer(shop.store, { price: 501 })];
    const { body } = await shop.store.post('/v0/elements/checkout/create', { name: 'Both', offersIds });
    await page.goto(`${shop.origin}/checkout-element/${body.data.checkoutElement.id}`);
    expect(new URL(page.url()).pathname).toMatch(/^\/checkout-element\/[\w-]+\/checkout\/[\w.-]+$/);
    await fillIn(page, { email: 'cart@example.com' });
    await pay(page);
    await thanks(page).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Your purchase' }).getByRole('listitem').count())
      .toBe(2);
    expect(await listOrders(shop, 'cart@example.com')).toMatchObject([{ value: 2975, totalItems: 2 }]);
  });

  it('charges for as many as the buyer chooses', async () => {
    await open(await makeOffer(shop.store, { price: 1000, mutableQuantity: true }));
    await fillIn(page, { email: 'three@example.com' });
    await page.getByRole('button', { name: 'One more' }).click();
    await page.getByRole('spinbutton', { name: 'Quantity' }).fill('3');
    await settlePrice(page);
    expect(await payButton(page).textContent()).toBe('Pay €35.70');
    await pay(page);
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'three@example.com')).toMatchObject([{ value: 3570 }]);
  });
});

describe('what is delivered', () => {
  it('shows the keys and gives out the file, also when the offer has been archived since', async () => {
    const uploaded = await shop.store.request('POST', '/v0/files/upload', {
      body: Buffer.from('a file'),
      headers: { 'content-type': 'application/zip', 'x-file-name': 'rocket.zip' },
    });
    const offerId = await makeOffer(shop.store, { downloadFileId: uploaded.body.data.file.id });
    await shop.store.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['ROCKET-1', 'ROCKET-2'] });
    await open(offerId);
    await fillIn(page, { email: 'key@example.com' });
    await pay(page);
    const number = await orderNumberOf(page);
    await shop.store.patch(`/v0/offers/${offerId}/archive`);
    await page.reload();
    expect(await orderNumberOf(page)).toBe(number);
    expect(await page.locator('code').allTextContents()).toEqual(['ROCKET-1']);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download rocket.zip' }).click();
    expect((await download).suggestedFilename()).toBe('rocket.zip');
  });
});

describe('what a link brings along', () => {
  it('fills in the buyer, the quantity and the code', async () => {
    const offerId = await makeOffer(shop.store, { price: 1000, mutableQuantity: true });
    await shop.store.post('/v0/discounts/create', {
      type: 'code',
      discountCode: 'LINK50',
      amount: 50,
      amountType: 'percentage',
      includedOffers: [offerId],
    });
    const query = new URLSearchParams({
      'svc-customer-email': 'link@example.com',
      'svc-customer-country': 'us',
      'svc-customer-state': 'NY',
      'svc-customer-zip-code': '10001',
      'svc-quantity': '2',
      'svc-discount-code': 'LINK50',
    });
    await open(offerId, `?${query}`);
    expect(await field(page, 'Email').inputValue()).toBe('link@example.com');
    expect(await choice(page, 'Country').inputValue()).toBe('US');
    expect(await choice(page, 'State').inputValue()).toBe('NY');
    expect(await field(page, 'Postal code').inputValue()).toBe('10001');
    expect(await page.getByRole('spinbutton', { name: 'Quantity' }).inputValue()).toBe('2');
    await page.getByText('LINK50 applied: €10.00 off').waitFor();
  });

  it('sells one where the quantity is not the buyer’s to choose, and minds no mark of a campaign', async () => {
    await open(await makeOffer(shop.store, { price: 1000 }), '?svc-quantity=5&utm_source=mail');
    await fillIn(page, { email: 'utm@example.com' });
    await pay(page);
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'utm@example.com')).toMatchObject([{ value: 1190 }]);
  });
});

describe('what the seller asks', () => {
  it('is asked by its label, checked by its pattern, prefilled by its key, and kept with the item', async () => {
    const offerId = await makeOffer(shop.store);
    const ask = (fields: Record<string, unknown>) => shop.store.post('/v0/custom-fields/create', fields);
    await ask({ key: 'nick', label: 'Nickname', type: 'text', pattern: '[a-z]{3,8}' });
    await ask({ key: 'team', label: 'Team', type: 'dropdown', options: ['Red', 'Blue'] });
    await ask({ key: 'note', label: 'Note', type: 'text', required: false });
    await open(offerId, '?team=Blue');
    await fillIn(page, { email: 'fields@example.com' });
    expect(await choice(page, 'Team').inputValue()).toBe('Blue');
    await field(page, 'Nickname').fill('No!');
    await pay(page);
    await page.getByText('This is not in the expected form.').waitFor();
    await field(page, 'Nickname').fill('ada');
    await pay(page);
    await thanks(page).waitFor();
    const [order] = await listOrders(shop, 'fields@example.com');
    const { items } = (await shop.store.get(`/v0/orders/${order?.id}`)).body.data;
    expect(items[0].customFields).toMatchObject({ nick: 'ada', team: 'Blue' });
  });
});

/** What a screen says of one thing: what was read and no more, whole, and in reach. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { DISPUTED } from '../support/cards.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { dialog } from './support/dashboard.ts';
import { button, heading, signIn } from './support/member.ts';
import { settle } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const BUYER = 'bartholomew.fotheringay.1484@example-of-a-long-host.com';

let shop: Shop;
let base: string;
let userId: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  userId = (await buy(await makeOffer(shop.store))).userId;
});
afterAll(() => shop?.close());

async function buy(offerId: string): Promise<{ userId: string; number: string; subscriptionId: string }> {
  const { body } = await shop.store.post('/v0/test-purchases/create', {
    ...{ offersIds: [offerId], userEmail: BUYER, billingDetails: { countryCode: 'DE' } },
  });
  return body.data.order;
}

/** What the service cannot answer, as when its store fails a statement. */
const failAt = (page: Page, path: string) =>
  page.route(
    (url) => url.pathname.includes(path),
    (route) =>
      route.fulfill({
        status: 500,
        json: { status: 'error', error: { message: 'Something broke.', code: 'internal_error' } },
      }),
  );

test('“End trial now” names what is charged on its button, and charges that', async () => {
  const club = await shop.store.post('/v0/products/create', { type: 'Subscription', name: 'Club' });
  const offerId = await makeOffer(shop.store, {
    productId: club.body.data.product.id,
    ...{ price: 1_234, recurringInterval: 'month', recurringIntervalCount: 1 },
    ...{ trialInterval: 'day', trialIntervalCount: 14 },
  });
  const { subscriptionId } = await buy(offerId);
  const upcoming = await shop.store.get(`/v0/subscriptions/${subscriptionId}/upcoming-payment`);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/subscriptions/${subscriptionId}`);
  await button(page, 'End trial now').click();
  const asked = dialog(page, 'End trial now');
  await asked.getByText('The first interval begins and is charged now.').waitFor();
  const confirm = asked.getByRole('button', { name: /^End trial now, charge / });
  const shown = Math.round(Number((await confirm.innerText()).replaceAll(/[^\d.]/g, '')) * 100);
  expect(shown).toBe(upcoming.body.data.upcomingPayment.value);
  await confirm.dblclick();
  await asked.waitFor({ state: 'detached' });
  await button(page, 'End trial now').waitFor({ state: 'detached' });
  const { body } = await shop.store.get('/v0/payments/list', { query: { subscriptionId, take: '10' } });
  const paid = body.data.payments.filter(({ value }: { value: number }) => value > 0);
  expect(paid.map(({ value, status }: { value: number; status: string }) => [value, status])).toEqual([
    [shown, 'PAID'],
  ]);
  await leave();
});

test('an address that can name nothing leads nowhere, rather than to a word about a form', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  for (const path of [
    'customers',
    'orders',
    'subscriptions',
    'catalogue/products',
    'mail',
    'settings/imports',
  ]) {
    await page.goto(`${base}/${path}/xyz`);
    await heading(page, 'There is no such page').waitFor();
  }
  await leave();
});

test('what is no amount is said to be none, at its field', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  const { body } = await shop.store.post('/v0/products/create', { type: 'Game', name: 'Nebula' });
  await page.goto(`${base}/catalogue/products/${body.data.product.id}`);
  await button(page, 'Create offer').click();
  const form = dialog(page, 'Create offer');
  await form.getByRole('textbox', { name: 'Price', exact: true }).fill('12.345');
  await form.getByRole('button', { name: 'Create offer' }).click();
  await form.getByText('This is no amount of EUR, such as 19.99.').waitFor();
  await leave();
});

test('an end that cannot be taken back any more says why, by “Undo” and by its button', async () => {
  const offerId = await makePlanOffer(shop.store);
  const { page, leave } = await signIn(shop, EMAIL);
  for (const taker of ['Undo', 'Keep subscription']) {
    const { subscriptionId } = await buy(offerId);
    const path = `/v0/subscriptions/${subscriptionId}`;
    await page.goto(`${base}/subscriptions/${subscriptionId}`);
    await button(page, 'Cancel subscription').click();
    await dialog(page, 'Cancel subscription').getByRole('button', { name: 'Cancel subscription' }).click();
    await dialog(page, 'Cancel subscription').waitFor({ state: 'detached' });
    await button(page, taker).waitFor();
    // It ends behind the page's back, which hears of that only later.
    await page.route('**/v0/changes*', (route) => route.abort());
    expect((await shop.store.patch(`${path}/cancel`, { immediately: true })).status).toBe(200);
    await button(page, taker).click();
    await page.getByText('The subscription is canceled: this is not possible.').waitFor();
    await page.unroute('**/v0/changes*');
  }
  await leave();
});

test('a plan that is sold no more is still what its subscriber has', async () => {
  const club = await shop.store.post('/v0/products/create', { type: 'Subscription', name: 'Old club' });
  const plan = (name: string) =>
    makeOffer(shop.store, {
      productId: club.body.data.product.id,
      ...{ name, price: 1_000, recurringInterval: 'month', recurringIntervalCount: 1 },
    });
  const [old, fresh] = [await plan('Old plan'), await plan('Fresh plan')];
  const other = await shop.store.post('/v0/products/create', { type: 'Subscription', name: 'Nameless club' });
  await makeOffer(shop.store, {
    productId: other.body.data.product.id,
    ...{ price: 1_999, recurringInterval: 'month', recurringIntervalCount: 1 },
  });
  const { subscriptionId } = await buy(old);
  expect((await shop.store.patch(`/v0/offers/${old}/archive`)).status).toBe(200);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/subscriptions/${subscriptionId}`);
  await button(page, 'Change plan').click();
  const asked = dialog(page, 'Change plan');
  await asked.getByRole('option', { name: /^Fresh plan/ }).waitFor({ state: 'attached' });
  // One without a name is called by its product.
  await asked.getByRole('option', { name: /^Nameless club · / }).waitFor({ state: 'attached' });
  const select = asked.getByRole('combobox', { name: 'Plan' });
  expect(await select.inputValue()).toBe(old);
  await select.selectOption(fresh);
  await asked.getByRole('region', { name: 'Preview' }).waitFor();
  await leave();
});

test('of several items each may change its plan, found by words, and the others stay', async () => {
  const club = await shop.store.post('/v0/products/create', { type: 'Subscription', name: 'Wide club' });
  const productId = club.body.data.product.id;
  const monthly = { productId, recurringInterval: 'month', recurringIntervalCount: 1 };
  const seat = await makeOffer(shop.store, { ...monthly, name: 'Seat', price: 500 });
  const basic = await makeOffer(shop.store, { ...monthly, name: 'Base', price: 1_200 });
  // More than a list is read along, and more than a page of the API.
  for (let more = 0; more < 101; more += 1)
    await makeOffer(shop.store, { ...monthly, name: `Tier ${more}`, price: 2_000 + more });
  const { subscriptionId } = await buy(basic);
  const path = `/v0/subscriptions/${subscriptionId}`;
  const support = { name: 'Support', unitPrice: 300, currency: 'EUR', quantity: 1 };
  const items = [{ offerId: basic }, { offerId: seat, quantity: 3 }, support];
  expect((await shop.store.patch(`${path}/update`, { items })).status).toBe(200);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/subscriptions/${subscriptionId}`);
  await button(page, 'Change plan').click();
  const asked = dialog(page, 'Change plan');
  await asked.getByRole('combobox', { name: 'Item' }).selectOption({ index: 1 });
  const plan = asked.getByRole('combobox', { name: 'Plan' });
  expect(await plan.inputValue()).toBe(seat);
  await asked.getByRole('searchbox', { name: 'Search plans' }).fill('Tier 0');
  await asked.getByRole('option', { name: /^Tier 0/ }).waitFor({ state: 'attached' });
  await plan.selectOption({ label: await asked.getByRole('option', { name: /^Tier 0/ }).innerText() });
  await asked.getByText('Due now').waitFor();
  await asked.getByRole('button', { name: /^Change plan/ }).click();
  await asked.waitFor({ state: 'detached' });
  const { body } = await shop.store.get(path);
  const kept = body.data.subscription.items.map((item: Record<string, unknown>) => [
    ...[item.name, item.value, item.quantity],
  ]);
  expect(kept.sort()).toEqual([
    ['Base', 1_200, 1],
    ['Support', 300, 1],
    ['Tier 0', 2_000, 3],
  ]);
  await leave();
});

test('D44 a long address as a heading breaks at its joints', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/customers/${userId}`);
  await heading(page, BUYER).waitFor();
  // Each line of the heading as it is drawn: the characters by where they stand.
  const lines = await page.evaluate<string[]>(`(() => {
    const lines = new Map();
    const walker = document.createTreeWalker(document.querySelector('h1'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        lines.set(top, (lines.get(top) ?? '') + node.data[at]);
      }
    }
    return [...lines.values()];
  })()`);
  expect(lines.join('')).toBe(BUYER);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.-]$/);
  await leave();
});

test('D45 a name of one endless word does not make a phone scroll sideways', async () => {
  const name = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverleihung';
  const made = await shop.store.post('/v0/products/create', { type: 'DigitalDownload', name });
  const productId = made.body.data.product.id;
  const bought = await buy(await makeOffer(shop.store, { productId, name }));
  const { page, leave } = await signIn(shop, EMAIL, { viewport: PHONE });
  const places = [
    `orders/${bought.number}`,
    `customers/${userId}`,
    `catalogue/products/${productId}`,
    'orders',
    '',
  ];
  for (const place of places) {
    await page.goto(`${base}/${place}`);
    await settle(page);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([place, wide]).toEqual([place, PHONE.width]);
  }
  await leave();
});

test('D44 what can be done with a row is in reach on a desk, whatever columns there are', async () => {
  const { page, leave } = await signIn(shop, EMAIL, { viewport: DESKTOP });
  await page.goto(`${base}/orders`);
  await settle(page);
  const frame = await page.locator('.table-frame').boundingBox();
  const action = await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .boundingBox();
  if (!frame || !action) throw new Error('the list has no row');
  expect(action.x + action.width).toBeLessThanOrEqual(frame.x + frame.width);
  await leave();
});

test('the title of a screen that could not be read is its own, not that of the one before', async () => {
  const { page } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders`);
  await heading(page, 'Orders').waitFor();
  await page.goto(`${base}/orders/ABCDEFGH1234`);
  await heading(page, 'That did not work').waitFor();
  await expect.poll(() => page.title()).toBe('[Test] That did not work · Counterfoil');
  await page.context().close();
});

test('what could not be read is not called empty or quiet, and says why', async () => {
  const { page } = await signIn(shop, EMAIL);
  await failAt(page, '/v0/orders/list');
  await failAt(page, '/v0/disputes/list');
  await page.goto(`${base}/customers/${userId}`);
  const orders = page.getByRole('region', { name: 'Orders', exact: true });
  await orders.getByRole('alert').getByText('internal_error').waitFor();
  expect(await orders.getByText('None', { exact: true }).count()).toBe(0);
  await page.goto(`${base}/`);
  const attention = page.getByRole('region', { name: 'Needs attention', exact: true });
  await attention.getByText('Could not be read').first().waitFor();
  await settle(page);
  expect(await attention.locator('.all-quiet').isVisible()).toBe(false);
  await page.unrouteAll();
  await page.goto(`${base}/customers/${userId}`);
  await orders.getByRole('listitem').first().waitFor();
  await page.context().close();
});

test('an order shows what the bank of its buyer asks back', async () => {
  const bought = await shop.store.post('/v0/test-purchases/create', {
    ...{ offersIds: [await makeOffer(shop.store)], userEmail: BUYER, card: DISPUTED },
    billingDetails: { countryCode: 'DE' },
  });
  expect((await shop.store.post('/v0/test-clock/advance', { by: { days: 2 } })).status).toBe(200);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders/${bought.body.data.order.number}`);
  await page.getByRole('region', { name: 'Disputes' }).getByText('Open', { exact: true }).waitFor();
  await leave();
});

test('a customer and an offer are not called by their ids while their names are on the way', async () => {
  const offerId = await makeOffer(shop.store);
  const { number } = await buy(offerId);
  const made = await shop.store.post('/v0/elements/checkout/create', { offersIds: [offerId], name: 'Shelf' });
  const { page, leave } = await signIn(shop, EMAIL);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/v0\/(users|offers)\//, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`${base}/orders/${number}`);
  const customer = page.locator(`main a[href$="/customers/${userId}"]`);
  await customer.waitFor();
  expect(await customer.innerText()).toBe('…');
  await page.goto(`${base}/catalogue/checkouts/${made.body.data.checkoutElement.id}`);
  const offers = page.getByRole('region', { name: 'Offers', exact: true }).getByRole('listitem');
  await offers.waitFor();
  expect(await offers.innerText()).toBe('…');
  answer();
  await offers.filter({ hasNotText: '…' }).waitFor();
  await page.goto(`${base}/orders/${number}`);
  await customer.filter({ hasText: BUYER }).waitFor();
  await leave();
});

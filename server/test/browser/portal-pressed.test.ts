/** What a press in the portal comes to is said where it was pressed: a card that is tried, a file that is used up, a key. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { DECLINED, PAYS_ONCE, VISA } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { portalOf } from '../support/portal.ts';
import { putToRest, subscribe } from '../support/subscribing.ts';
import { findViolations } from './support/axe.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  const { store } = await portalOf(shop.app, shop.store);
  base = `${shop.origin}/portal/${store}/test`;
});
afterAll(() => shop?.close());

/** A buyer's page in a browser that the merchant has signed in. */
async function open(email: string, path: string): Promise<Page> {
  const { body } = await shop.store.post('/v0/portal-sessions/create', { email });
  const { newTab } = await shop.openBuyer({});
  const page = await newTab();
  await page.goto(body.data.portalSession.url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(base + path);
  return page;
}

test('a card that is given says what is still owed when it is declined, and nothing once it is paid', async () => {
  const userEmail = 'owing@example.com';
  const offerId = await makePlanOffer(shop.store, { name: 'Cloud', price: 500, recurringInterval: 'month' });
  const { number } = await subscribe(shop.app, offerId, { card: PAYS_ONCE, userEmail });
  await advance(shop.app, shop.store.scope, 32 * DAY_MS);
  await putToRest(shop.app);
  const page = await open(userEmail, '/payment-methods');
  const owed = page.getByText('€5.95 is owed.');
  await owed.waitFor();
  const give = async (card: string) => {
    await page.getByLabel('Card number').fill(card);
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByRole('heading', { level: 2, name: `Visa ending in ${card.slice(-4)}` }).waitFor();
  };
  await give(DECLINED);
  // Said, too: the list above grows far from where it was pressed.
  await page.getByRole('status').getByText('The payment method is added.').waitFor();
  await shop.app.wired.worker.runDue();
  await page.getByRole('link', { name: 'Pay €5.95 now' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await give(VISA);
  await shop.app.wired.worker.runDue();
  await owed.waitFor({ state: 'detached' });
  const { body } = await shop.store.get(`/v0/payments/${number}-1`);
  expect(body.data.payment.status).toBe('PAID');
});

test('a card number that is none marks its field until it is typed anew', async () => {
  const userEmail = 'mistypes@example.com';
  await buy(shop.store, { offersIds: [await makeOffer(shop.store, {})], userEmail });
  const page = await open(userEmail, '/payment-methods');
  const field = page.getByLabel('Card number');
  await field.fill('1234');
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByRole('alert').filter({ hasText: 'This card cannot be used.' }).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('12345');
  expect(await field.getAttribute('aria-invalid')).toBeNull();
});

test('a file says at the press how often it can still be downloaded, and a refusal takes its button away', async () => {
  const userEmail = 'files@example.com';
  const { body } = await shop.store.request('POST', '/v0/files/upload', {
    body: 'x'.repeat(2_400),
    headers: { 'content-type': 'application/zip', 'x-file-name': 'game.zip', 'x-file-purpose': 'download' },
  });
  const offerId = await makeOffer(shop.store, { downloadFileId: body.data.file.id, downloadLimit: 2 });
  await buy(shop.store, { offersIds: [offerId], userEmail });
  const [first, second] = [await open(userEmail, '/library'), await open(userEmail, '/library')];
  const press = async (page: Page) => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download game.zip' }).click();
    await (await coming).path();
  };
  await first.getByText('2 downloads left').waitFor();
  await second.getByText('2 downloads left').waitFor();
  await press(first);
  await first.getByText('1 download left').waitFor();
  await press(first);
  await first.getByText('Downloaded as often as it may be, or its time is over.').waitFor();
  expect(await first.getByRole('button', { name: 'Download game.zip' }).count()).toBe(0);
  await second.getByRole('button', { name: 'Download game.zip' }).click();
  await second.getByRole('button', { name: 'Download game.zip' }).waitFor({ state: 'detached' });
  expect(await second.getByText('Downloaded as often as it may be').count()).toBe(1);
});

test('"Show key" leaves the focus at what was shown', async () => {
  const userEmail = 'keys@example.com';
  const offerId = await makeOffer(shop.store);
  await shop.store.post(`/v0/offers/${offerId}/keys/add`, { keys: ['STAR-FIELD-1234'] });
  await buy(shop.store, { offersIds: [offerId], userEmail });
  const page = await open(userEmail, '/library');
  await page.getByRole('button', { name: 'Show key' }).press('Enter');
  await page.getByText('STAR-FIELD-1234').waitFor();
  expect(await page.locator(':focus').textContent()).toBe('Copy key');
  expect(await findViolations(page)).toEqual([]);
});

test('an order that is none is called as its address reads', async () => {
  const page = await open('keys@example.com', '/orders/%C3%84%20100%25');
  await page.getByRole('heading', { level: 1, name: 'Order Ä 100%', exact: true }).waitFor();
});

test('at 320 px with letters twice as large no button stands out of the page', async () => {
  const userEmail = 'large-letters@example.com';
  const { number } = await subscribe(shop.app, await makePlanOffer(shop.store), { userEmail });
  const page = await open(userEmail, `/subscriptions/${number}?language=de`);
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [`/subscriptions/${number}`, '/payment-methods', '/account']) {
    await page.goto(`${base}${path}?language=de`);
    await page.locator('.portal .secondary').first().waitFor();
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect([path, sideways]).toEqual([path, 0]);
  }
});

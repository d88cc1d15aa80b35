/** Addresses of a subscription's steps that were kept, opened when there is nothing left to do there. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { portalOf } from '../support/portal.ts';
import { findViolations } from './support/axe.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';

let shop: Shop;
let base: string;
let [basic, ended, ending, paused] = ['', '', '', ''];
beforeAll(async () => {
  shop = await openShop();
  const { store } = await portalOf(shop.app, shop.store);
  base = `${shop.origin}/portal/${store}/test`;
  const productId = await makeProduct(shop.store, { type: 'Subscription', name: 'Studio' });
  basic = await makePlanOffer(shop.store, { productId, name: 'Basic', price: 1000 });
  await makeOffer(shop.store, {
    ...{ productId, name: 'Pro', price: 3000, recurringInterval: 'month', recurringIntervalCount: 1 },
  });
  ended = await subscribe();
  await change(ended, 'cancel', { immediately: true });
  ending = await subscribe();
  await change(ending, 'cancel', { cancelAtIntervalEnd: true });
  paused = await subscribe();
  await change(paused, 'pauseCollection', { invoicingBehavior: 'void' });
});
afterAll(() => shop?.close());

async function subscribe(): Promise<string> {
  return (await buy(shop.store, { offersIds: [basic], userEmail: EMAIL })).body.data.order.number;
}

async function change(number: string, verb: string, body: object): Promise<void> {
  const { status } = await shop.store.patch(`/v0/subscriptions/${number}/${verb}`, body);
  expect(status).toBe(200);
}

/** A browser that the merchant has signed in. */
async function open(): Promise<{ page: Page; leave(): Promise<void> }> {
  const { body } = await shop.store.post('/v0/portal-sessions/create', { email: EMAIL });
  const { context, problems, newTab } = await shop.openBuyer({});
  const page = await newTab();
  await page.goto(body.data.portalSession.url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const leave = async () => {
    expect(problems).toEqual([]);
    await context.close();
  };
  return { page, leave };
}

test('what has ended, ends or is paused offers no other plan, and says how it stands', async () => {
  const { page, leave } = await open();
  for (const [number, words] of [
    [ended, /^Ended$/],
    [ending, /^Ends on /],
    [paused, /^Paused$/],
  ] as const) {
    await page.goto(`${base}/subscriptions/${number}/change`);
    await page.getByRole('status').filter({ hasText: words }).waitFor();
    expect(await page.getByRole('button', { name: /Change plan/ }).count()).toBe(0);
  }
  for (const [number, words] of [
    [ended, 'Nothing more is charged.'],
    [paused, 'Nothing is charged while it is paused.'],
  ] as const) {
    await page.goto(`${base}/subscriptions/${number}`);
    await page.getByRole('region', { name: 'Next payment' }).getByText(words).waitFor();
  }
  expect(await findViolations(page)).toEqual([]);
  await leave();
});

test('an address that can name nothing leads nowhere, as one that names nothing does', async () => {
  const { page } = await open();
  for (const path of ['subscriptions/nope', 'subscriptions/000000000000', 'orders/nope']) {
    await page.goto(`${base}/${path}`);
    await page.getByText('There is no such page.').waitFor();
  }
  await page.goto(`${base}/subscriptions/000000000000`);
  await page.getByText('There is no such page.').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Subscriptions');
  await page.context().close();
});

test('what a card pays is not called by its number while the names are on their way', async () => {
  const { page, leave } = await open();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v0/portal/subscriptions/list*', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(`${base}/payment-methods`);
  const pays = page.locator('.portal-bought .hint').first();
  await pays.waitFor();
  expect(await pays.innerText()).toBe('Pays …');
  answer();
  await pays.filter({ hasText: 'Studio' }).waitFor();
  await leave();
});

test('what is to end already is not cancelled once more, and of a pause no access is promised', async () => {
  const { page, leave } = await open();
  await page.goto(`${base}/subscriptions/${ending}/cancel`);
  await page
    .getByRole('status')
    .filter({ hasText: /^Ends on / })
    .waitFor();
  await page.goto(`${base}/subscriptions/${paused}/cancel`);
  await page
    .getByText(/^The subscription is paused, and ends on .+\. No further period is charged\.$/)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('button', { name: 'Keep subscription' }).waitFor();
  await leave();
});

test('what was refunded of a payment stands beside the payments, with its credit note', async () => {
  const number = await subscribe();
  const refund = { amount: 300, reason: 'requested_by_customer' };
  const { body } = await shop.store.post(`/v0/orders/${number}/refunds`, refund);
  const { creditNoteNumber } = body.data.refund;
  const { page, leave } = await open();
  await page.goto(`${base}/subscriptions/${number}`);
  await page.getByRole('heading', { name: 'Refunds' }).waitFor();
  await page.getByRole('link', { name: `Download credit note ${creditNoteNumber}` }).waitFor();
  await leave();
});

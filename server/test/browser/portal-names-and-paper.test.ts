/** What buyers keep on paper, and how a phone holds the long names of what they bought. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { portalOf } from '../support/portal.ts';
import { type BuyerOptions, PHONE } from './support/browser.ts';
import { fillIn, payButton, thanks } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
const NAME = 'Jahresmitgliedschaft';

let shop: Shop;
let base: string;
let order = '';
let subscription = '';
beforeAll(async () => {
  shop = await openShop();
  const { store } = await portalOf(shop.app, shop.store);
  base = `${shop.origin}/portal/${store}/test`;
  order = await bought(await makeOffer(shop.store, { price: 1_999 }));
  const productId = await makeProduct(shop.store, { type: 'Subscription', name: NAME });
  subscription = await bought(
    await makePlanOffer(shop.store, { productId, name: `${NAME} im Abonnement`, price: 1_000 }),
  );
});
afterAll(() => shop?.close());

async function bought(offerId: string): Promise<string> {
  return (await buy(shop.store, { offersIds: [offerId], userEmail: EMAIL })).body.data.order.number;
}

/** A browser that the merchant has signed in. */
async function open(options: Omit<BuyerOptions, 'origin'>): Promise<{ page: Page; leave(): Promise<void> }> {
  const { body } = await shop.store.post('/v0/portal-sessions/create', { email: EMAIL });
  const { context, problems, newTab } = await shop.openBuyer(options);
  const page = await newTab();
  await page.goto(body.data.portalSession.url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const leave = async () => {
    expect(problems).toEqual([]);
    await context.close();
  };
  return { page, leave };
}

const INK = 'rgb(27, 31, 26)';

/** The colour of the heading on paper, and what of the page's controls is printed. */
async function print(page: Page): Promise<[string, string[]]> {
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate<[string, string[]]>(`[
    getComputedStyle(document.querySelector('h1')).color,
    [...document.querySelectorAll('nav, select, button, .secondary, .primary')]
      .filter((one) => one.checkVisibility()).map((one) => one.textContent)]`);
  await page.emulateMedia({ media: null });
  return printed;
}

test('paper is dark on white and without controls, for buyers who look at dark screens', async () => {
  const { page, leave } = await open({ colorScheme: 'dark' });
  for (const path of ['', '/documents', `/orders/${order}`, `/subscriptions/${subscription}`, '/library']) {
    await page.goto(base + path);
    await page.locator('main li, main dl').first().waitFor();
    expect([path, ...(await print(page))]).toEqual([path, INK, []]);
  }
  await page.goto(`${shop.origin}/checkout/${await makeOffer(shop.store, { price: 500 })}`);
  await fillIn(page);
  await payButton(page).click();
  await thanks(page).waitFor();
  await page.getByRole('link', { name: 'Manage this purchase' }).waitFor();
  expect(await print(page)).toEqual([INK, []]);
  await leave();
});

test('paper is dark on white where the shop has chosen dark', async () => {
  const setTheme = (theme: string) => shop.store.patch('/v0/settings/update', { branding: { theme } });
  expect((await setTheme('dark')).status).toBe(200);
  const { page, leave } = await open({ colorScheme: 'light' });
  await page.goto(`${base}/orders/${order}`);
  await page.locator('main dl').first().waitFor();
  expect((await print(page))[0]).toBe(INK);
  await leave();
  await setTheme('auto');
});

test('S48 on a small phone a name in a row keeps a long word whole, and one of no end scrolls no screen', async () => {
  const endless = await bought(await makePlanOffer(shop.store, { name: 'X'.repeat(80), price: 1_000 }));
  const { page, leave } = await open({ viewport: PHONE });
  const row = page.getByRole('link', { name: new RegExp(`^${NAME} im`) }).first();
  await row.waitFor();
  const linesOf = `((text) => {
    const word = new Range();
    word.setStart(text, 0);
    word.setEnd(text, text.data.indexOf(' '));
    return word.getClientRects().length;
  })(document.createTreeWalker(
    [...document.querySelectorAll('.portal-row-name')].find((name) => name.textContent.startsWith('${NAME} im')),
    NodeFilter.SHOW_TEXT).nextNode())`;
  expect(await page.evaluate<number>(linesOf)).toBe(1);
  for (const path of ['', '/orders', `/orders/${endless}`, '/library', `/subscriptions/${endless}`]) {
    await page.goto(base + path);
    const place = path.startsWith('/sub')
      ? page.getByRole('region', { name: 'Next payment' })
      : page.locator('main');
    await place.getByText('XXXXX').first().waitFor();
    const overhang = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect([path, overhang]).toEqual([path, 0]);
  }
  await leave();
});

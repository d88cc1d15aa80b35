/** The portal by keyboard alone: what is pressed may go, the place where one was does not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { portalOf, readCode } from '../support/portal.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await buy(shop.store, { offersIds: [await makePlanOffer(shop.store)], userEmail: EMAIL });
});
afterAll(() => shop?.close());

/** What is focused, by its kind and words. */
const focused = (page: Page) =>
  page.evaluate<string>(
    '(({ tagName, name, innerText }) => tagName + " " + (name || innerText))(document.activeElement)',
  );

it('S20 the focus goes on to the code, and to the head where the pressed button is gone', async () => {
  const { store } = await portalOf(shop.app, shop.store);
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(`${shop.origin}/portal/${store}/test`);
  await page.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('INPUT code');
  await page.getByRole('button', { name: 'Use a password' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('INPUT email');
  await page.getByRole('button', { name: 'Use a code' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('INPUT email');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('INPUT code');
  const { code } = await readCode(shop.app, EMAIL, shop.store);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('H1 Overview');
  await page
    .getByRole('link', { name: /every month/ })
    .first()
    .press('Enter');
  await page.getByRole('link', { name: 'Cancel subscription' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel subscription' }).press('Enter');
  const keep = page.getByRole('button', { name: 'Keep subscription' });
  await keep.press('Enter');
  await keep.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toMatch(/^H1 /);
  // An old link to cancel what has ended promises no access.
  const number = new URL(page.url()).pathname.split('/').at(-1);
  await shop.store.patch(`/v0/subscriptions/${number}/cancel`, { immediately: true });
  await page.goto(`${shop.origin}/portal/${store}/test/subscriptions/${number}/cancel`);
  await page.getByRole('status').getByText('Ended', { exact: true }).waitFor();
  expect(await page.getByText(/You keep access/).count()).toBe(0);
  // The page asks who is in before anybody is.
  expect(buyer.problems.filter((problem) => !/\b401\b/.test(problem))).toEqual([]);
});

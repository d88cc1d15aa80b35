/** The dashboard over plain http from another machine of the house, where a browser lends a page fewer of its tools. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';
import { HOUSE, openBuyer } from './support/browser.ts';
import { button, heading } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
});
afterAll(() => shop?.close());

test('things are made, changed and copied over plain http, and a banner says what it is', async () => {
  const id = await makeProduct(shop.store, { name: 'Lantern' });
  await makeOffer(shop.store, { productId: id });
  const origin = `http://${HOUSE}:${new URL(shop.origin).port}`;
  const { context, newTab } = await openBuyer(shop.browser, { origin });
  const page = await newTab();
  await page.goto(`${origin}/dashboard`);
  expect(await page.evaluate('window.isSecureContext')).toBe(false);
  await page.locator('input[name="email"]').fill(EMAIL);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await heading(page, 'Home').waitFor();
  await page.getByText('This connection is not encrypted.').waitFor();

  const base = `${origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  await page.goto(`${base}/catalogue/products`);
  await button(page, 'Create product').click();
  const form = page.getByRole('dialog', { name: 'Create product' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Bell');
  await button(form, 'Create product').click();
  await heading(page, 'Bell').waitFor();

  await page.goto(`${base}/catalogue/products/${id}`);
  await heading(page, 'Lantern').waitFor();
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByText('Copied').waitFor();
  await page.goto(`${base}/catalogue/products`);
  const search = page.getByRole('searchbox', { name: 'Search Products' });
  await search.focus();
  await page.keyboard.press('ControlOrMeta+v');
  expect(await search.inputValue()).toBe(id);
  await context.close();
});

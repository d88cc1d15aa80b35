/** Lists with what people and links put into their addresses; and what was written down, in people's words. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { dialog } from './support/dashboard.ts';
import { button, heading, type SignedIn, signIn } from './support/member.ts';
import { settle } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@lists.example';
let shop: Shop;
let ada: SignedIn;
let base: string;
let productId: string;
let orderNumber: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  const made = await shop.store.post('/v0/products/create', { type: 'DigitalDownload', name: 'Rocket' });
  productId = made.body.data.product.id;
  const bought = await shop.store.post('/v0/test-purchases/create', {
    offersIds: [await makeOffer(shop.store, { productId })],
    userEmail: 'buyer@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  orderNumber = bought.body.data.order.number;
  await shop.store.patch(`/v0/products/${productId}/update`, { name: 'Rocket II' });
  ada = await signIn(shop, EMAIL);
});
afterAll(() => shop?.close());

const row = (page: Page) => page.getByRole('link', { name: orderNumber, exact: true });

test('D44 who goes back to a list by keyboard goes on at the row that they left, and forward at the top', async () => {
  const { page } = ada;
  await page.goto(`${base}/orders`);
  await row(page).focus();
  await page.keyboard.press('Enter');
  await heading(page, `Order ${orderNumber}`).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement?.textContent.trim()');
  await page.goBack();
  await expect.poll(focused).toBe(orderNumber);
  await page.goForward();
  await heading(page, `Order ${orderNumber}`).waitFor();
  await expect.poll(() => page.evaluate<string>('document.activeElement?.id')).toBe('main');
});

test('the list of customers stays in its frame, however long their names and ids are', async () => {
  const { page } = ada;
  const longName = 'Gesellschaft zur Pflege langer Namen und Bezeichnungen, Hohenstein-Langenburg';
  const answer = await shop.store.post('/v0/users/create', {
    email: 'somebody.with.a.very.long.address@subdomain.of.a.long.first.example',
    internalId: 'internal-0123456789-abcdefghijklmnopqrstuvwxyz',
    name: longName,
  });
  expect(answer.status).toBe(200);
  await page.goto(`${base}/customers`);
  await page.getByText(longName).waitFor();
  await settle(page);
  const wider = await page.evaluate<number>(
    '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".list-table").parentElement)',
  );
  expect(wider).toBe(0);
});

test('D21 a moment is taken from the address in each way that the operation takes it', async () => {
  const { page } = ada;
  for (const createdFrom of ['2026-01-01', '2026-01-01T00:00:00Z', '1767225600', '1767225600000']) {
    await page.goto(`${base}/orders?createdFrom=${encodeURIComponent(createdFrom)}`);
    await button(page, 'Created from: Jan 1, 2026').waitFor();
    await row(page).waitFor();
  }
});

test('a request in the log is that of a key pair by its name', async () => {
  const { page } = ada;
  await shop.app.wired.requestLog.flush();
  await page.goto(`${base}/developers/requests`);
  await page.getByRole('table', { name: 'Requests' }).waitFor();
  await page.locator('tbody tr').first().waitFor();
  await settle(page);
  const keys = page.locator('tbody tr span.cut[title]');
  await expect.poll(() => keys.count()).toBeGreaterThan(0);
  for (const name of await keys.allInnerTexts()) expect(name).not.toMatch(/^[0-9a-f]{8}-/);
});

test('D21 what a filter is refused for is said below it, where it can be mended', async () => {
  const { page } = ada;
  await page.goto(`${base}/orders?createdFrom=yesterday`);
  await page.getByRole('alert').getByText('invalid_input').waitFor();
  await button(page, 'Remove Created from').click();
  await row(page).waitFor();
  await button(page, 'Add filter').click();
  await page.getByRole('menuitem', { name: 'Country' }).click();
  const asked = page.getByRole('dialog', { name: 'Country' });
  await asked.getByRole('textbox').fill('Atlantis');
  await button(asked, 'Apply').click();
  await asked.getByText('There is no such country.').waitFor();
  await asked.getByRole('textbox').fill('germany');
  await button(asked, 'Apply').click();
  await button(page, 'Country: DE').waitFor();
  expect(new URL(page.url()).search).toBe('?countries=DE');
  await row(page).waitFor();
});

test('the audit log says in words who did what to what, and leads there', async () => {
  const { page } = ada;
  await page.goto(`${base}/settings/audit-log?objectId=${productId}`);
  const table = page.getByRole('table', { name: 'Audit log' });
  await table.getByText('Product changed').waitFor();
  const change = table.getByRole('row', { name: /Product changed/ });
  expect(await change.getByRole('listitem').allInnerTexts()).toEqual(['Name: Rocket → Rocket II']);
  expect(await change.getByText('updateProduct').count()).toBe(0);
  await button(page, 'Export').waitFor();
  await change.getByRole('checkbox', { name: /^Select updateProduct/ }).check();
  await change.getByRole('link', { name: 'Rocket II' }).click();
  await heading(page, 'Rocket II').waitFor();
  await page.goto(`${base}/settings/audit-log`);
  await button(page, 'Add filter').click();
  await page.getByRole('menuitem', { name: 'Operation' }).click();
  const filter = dialog(page, 'Operation');
  await filter.getByRole('combobox', { name: 'Operation' }).selectOption('Signed in');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await button(page, 'Operation: Signed in').waitFor();
  expect(new URL(page.url()).search).toBe('?operation=signIn');
  // Of the person, by name, and not by the number of their account.
  await table
    .getByRole('row', { name: /Signed in/ })
    .getByText('Ada', { exact: true })
    .nth(1)
    .waitFor();
  await page.goto(`${base}/orders/${orderNumber}?tab=timeline`);
  await page.locator('.timeline').getByText('Test purchase created').waitFor();
});

test('the test clock tells what was done on the way, in words', async () => {
  const { page } = ada;
  await page.goto(`${base}/developers/test-clock`);
  await page.getByText('In step with real time').waitFor();
  await button(page, '+ 1 hour').click();
  await page.getByRole('heading', { name: 'What was done' }).waitFor();
  await page.getByText('1 hour ahead of real time').waitFor();
  await settle(page);
  expect(await page.getByText(/[a-z]+_[a-z]+/).count()).toBe(0);
});

/** Room for the words of the search box, and what they need. */
const ROOM_OF_WORDS = `(() => {
  const input = document.querySelector('.list-search input');
  const style = getComputedStyle(input);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  return [input.clientWidth - padding, pen.measureText(input.placeholder).width];
})()`;

test('D46 the words of the search box are read whole, on a phone as wide as its list, in German too', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page, leave } = await signIn(shop, EMAIL, { viewport, locale: 'de-DE' });
    for (const list of ['orders/cancellation-notices', 'subscriptions', 'catalogue/custom-fields']) {
      await page.goto(`${base}/${list}`);
      const box = page.getByRole('searchbox');
      await box.waitFor();
      const [shown = 0, needed = 0] = await page.evaluate<number[]>(ROOM_OF_WORDS);
      expect([list, viewport.width, shown >= needed]).toEqual([list, viewport.width, true]);
      const sheet = await page.locator('.list-tools').boundingBox();
      if (viewport === PHONE)
        expect((await box.boundingBox())?.width).toBeGreaterThan((sheet?.width ?? 0) - 4);
    }
    await leave();
  }
});

test('D49 the switch to the other store keeps the place, or goes to the nearest one that is there', async () => {
  const { page } = ada;
  const live = base.replace(/test$/, 'live');
  await page.goto(`${base}/account/profile`);
  await heading(page, 'Profile').waitFor();
  await page.getByRole('switch', { name: 'Test mode' }).click({ force: true });
  await page.waitForURL(`${live}/account/profile`);
  await page.goto(`${base}/developers/test-clock`);
  await heading(page, 'Test clock').waitFor();
  await page.getByRole('switch', { name: 'Test mode' }).click({ force: true });
  await page.waitForURL(`${live}/developers/api-keys`);
  await heading(page, 'API keys').waitFor();
  await ada.leave();
});

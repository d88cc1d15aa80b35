/** What others do shows without a reload, and never takes away what somebody is at. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { fillIn, orderNumberOf, pay } from './support/checkout.ts';
import { button, heading, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
});
afterAll(() => shop?.close());

const buy = (offerId: string, userEmail: string) =>
  shop.store.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail,
    billingDetails: { countryCode: 'DE' },
  });

const createInDialog = async (
  page: Page,
  name: string,
  fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
) => {
  await button(page, name).first().click();
  const dialog = page.getByRole('dialog', { name });
  await fill(dialog);
  await button(dialog, name).click();
  await dialog.waitFor({ state: 'detached' });
};

test('D31 from a product to its first order, which is there without a reload', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${base}/catalogue/products`);
  await createInDialog(page, 'Create product', (dialog) =>
    dialog.getByRole('textbox', { name: 'Name' }).fill('Lantern'),
  );
  await heading(page, 'Lantern').waitFor();
  await createInDialog(page, 'Create offer', async (dialog) => {
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('Lantern, one');
    await dialog.getByRole('textbox', { name: 'Price', exact: true }).fill('12.34');
    await dialog.getByRole('textbox', { name: /^Currency/ }).fill('EUR');
  });
  await page.getByText('Lantern, one').waitFor();
  await page.goto(`${base}/catalogue/checkouts`);
  await createInDialog(page, 'Create checkout', (dialog) =>
    dialog.getByRole('checkbox', { name: /^Lantern, one/ }).check(),
  );
  await button(page, 'Copy link').click();
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByText('The first one will stand here').waitFor();

  const buyer = await shop.openBuyer();
  const tab = await buyer.newTab();
  await tab.goto(link);
  await fillIn(tab);
  await pay(tab);
  const number = await orderNumberOf(tab);
  await page.getByRole('link', { name: number, exact: true }).waitFor();
  await buyer.context.close();

  await page.getByRole('link', { name: 'Home' }).click();
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('done').first().waitFor();
  expect(await steps.locator('li[data-done="true"]').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining('product'), expect.stringContaining('purchase')]),
  );
  await leave();
});

test('S47 what became of that checkout stands in the reports, by how it was shown and by day', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/finance/reports`);
  const table = page.getByRole('table', { name: 'Checkouts' });
  await table.getByRole('cell', { name: 'On a page of its own' }).waitFor();
  const { date: _date, frame: _frame, ...counts } = await readCheckouts();
  expect(counts).toMatchObject({ viewed: 1, started: 1, submitted: 1, declined: 0, paid: 1 });
  const cells = async () =>
    (await table.getByRole('row').nth(1).getByRole('cell').allTextContents()).slice(1);
  expect(await cells()).toEqual(['1', '1', '1', '0', '1', '100%', expect.stringMatching(/^€/)]);
  await page.getByLabel('Rows').selectOption('Day');
  await table.getByRole('cell', { name: /^\d{4}-\d\d-\d\d$/ }).waitFor();
  expect(await cells()).toEqual(['1', '1', '1', '0', '1', '100%', expect.stringMatching(/^€/)]);
  await leave();
});

async function readCheckouts(): Promise<Record<string, unknown>> {
  const day = 86_400_000;
  const query = `from=${Date.now() - day}&to=${Date.now() + day}&groupBy=frame`;
  const { body } = await shop.store.get(`/v0/reports/checkouts?${query}`);
  return body.data.rows[0];
}

test('D39 another’s order is told, and neither focus nor place moves', async () => {
  const offerId = await makeOffer(shop.store, { name: 'Bell' });
  for (let index = 0; index < 30; index += 1) await buy(offerId, `buyer${index}@example.com`);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders`);
  const table = page.getByRole('table', { name: 'Orders' });
  const row = table.getByRole('row').nth(20).getByRole('link').first();
  await row.focus();
  const standing = async () => [
    await page.evaluate('[scrollY, document.activeElement.textContent]'),
    await row.boundingBox(),
  ];
  const before = await standing();
  const { body } = await buy(offerId, 'late@example.com');
  await button(page, '1 new').waitFor();
  expect(await standing()).toEqual(before);
  await button(page, '1 new').click();
  await table.getByRole('link', { name: body.data.order.number, exact: true }).waitFor();
  await button(page, '1 new').waitFor({ state: 'detached' });
  await leave();
});

test('D39 eight tabs at once load, and all hear of a change by way of one', async () => {
  const offerId = await makeOffer(shop.store, { name: 'Drum' });
  const { newTab, leave } = await signIn(shop, EMAIL);
  const tabs = await Promise.all(Array.from({ length: 8 }, newTab));
  await Promise.all(tabs.map((tab) => tab.goto(`${base}/orders`)));
  await Promise.all(tabs.map((tab) => tab.getByRole('table', { name: 'Orders' }).waitFor()));
  await buy(offerId, 'tabs@example.com');
  await Promise.all(tabs.map((tab) => button(tab, '1 new').waitFor()));
  await leave();
});

test('Space shows a row beside its list, and the focus comes back to it', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders`);
  const row = page.getByRole('table', { name: 'Orders' }).getByRole('row').nth(2).getByRole('link').first();
  const number = (await row.textContent()) ?? '';
  await row.focus();
  await page.keyboard.press('Space');
  const drawer = page.getByRole('dialog', { name: number });
  await drawer.getByRole('heading', { level: 2, name: `Order ${number}` }).waitFor();
  await drawer.getByRole('tab', { name: 'JSON' }).click();
  await drawer.getByText('curl').first().waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const isFocused = () => row.evaluate((link) => link === link.ownerDocument.activeElement);
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('Enter');
  await heading(page, `Order ${number}`).waitFor();
  await leave();
});

test('what the service does not answer is said, and goes on by itself once it does', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders`);
  await heading(page, 'Orders').waitFor();
  const banner = page.getByRole('alert').filter({ hasText: 'The service does not answer' });
  let isAway = true;
  await page.context().route('**/*', (route) => (isAway ? route.abort() : route.continue()));
  // Neither its script nor its rows are there yet.
  await page.getByRole('link', { name: 'Settings' }).click();
  await banner.waitFor();
  isAway = false;
  const city = page.getByRole('textbox', { name: 'City', exact: true });
  await city.fill('Berlin');
  await banner.waitFor({ state: 'detached' });
  const keys: Array<string | undefined> = [];
  await page.route('**/v0/settings/update', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.abort() : route.continue();
  });
  await button(page, 'Save').click();
  await page.getByText('Saved').waitFor();
  expect([keys.length, new Set(keys).size, keys[0] === undefined]).toEqual([2, 1, false]);
  expect((await shop.store.get('/v0/settings')).body.data.settings.seller.city).toBe('Berlin');
  await leave();
});

/** Who is asked at the door again, wherever they stand: nothing that is open is lost by it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { button, confirmPassword, dialog, heading, lock, openPerson, signIn } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
});
afterAll(() => shop?.close());

test('D57 a device is allowed by who proves it once more, on the page that belongs to no workspace', async () => {
  const email = 'device@gate.example';
  await makeAccount(shop.app, { email });
  const asked = await fetch(`${shop.origin}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'CLI on a laptop' }),
  });
  const { user_code: code } = (await asked.json()) as Record<string, string>;
  const { page, close } = await openPerson(shop, email);
  await lock(page);
  await page.goto(`${shop.origin}/dashboard/device`);
  await page.getByLabel('Code', { exact: true }).fill(code ?? '');
  await button(page, 'Continue').click();
  await button(page, 'Allow').click();
  await confirmPassword(page);
  await heading(page, 'The device is allowed').waitFor();
  await close();
});

test('a session that ended long after it was last looked at is begun anew in place, with all that was typed', async () => {
  const email = 'typing@gate.example';
  const id = await makeAccount(shop.app, { email });
  const { context, problems, newTab } = await shop.openBuyer();
  const page = await newTab();
  await page.clock.install();
  await signIn(shop, page, email);
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await page.goto(`${base}/catalogue/products`);
  await button(page, 'Create product').first().click();
  const form = dialog(page, 'Create product');
  await form.getByRole('textbox', { name: 'Name' }).fill('Typed at night');
  // Who is signed in was asked two minutes ago, and nobody is any more.
  await page.clock.fastForward('02:00');
  await shop.app.service.db.deleteFrom('accountSessions').where('accountId', '=', id).execute();
  // A session is known to a process for some seconds.
  await expect.poll(async () => (await page.request.get(`${shop.origin}/v0/session`)).status()).toBe(401);
  await form.getByRole('button', { name: 'Create product' }).click();
  const asked = dialog(page, 'You have been signed out');
  await asked.locator('input[name="password"]').waitFor();
  await page.clock.fastForward('00:05');
  expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed at night');
  await page.clock.resume();
  await asked.locator('input[name="password"]').fill(PASSWORD);
  await asked.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Typed at night').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('whoever signs in at the door as somebody else sees nothing that was read before them', async () => {
  for (const name of ['first', 'second'])
    await makeAccount(shop.app, { email: `${name}@gate.example`, name });
  const { page, close } = await openPerson(shop, 'first@gate.example');
  await page.goto(`${base}/orders?statuses=PAID`);
  await button(page, 'Save view').click();
  await dialog(page, 'Save view').getByRole('textbox', { name: 'Name' }).fill('My own');
  await dialog(page, 'Save view').getByRole('button', { name: 'Save view' }).click();
  await button(page, 'Views').waitFor();
  await page.request.delete(`${shop.origin}/v0/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
  await page.getByRole('link', { name: 'Customers' }).click();
  const asked = dialog(page, 'You have been signed out');
  await asked.locator('input[name="email"]').fill('second@gate.example');
  await asked.locator('input[name="password"]').fill(PASSWORD);
  await asked.getByRole('button', { name: 'Sign in', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await heading(page, 'Orders').waitFor();
  await button(page, 'Save view').waitFor();
  expect(await button(page, 'Views').count()).toBe(0);
  await close();
});

test('a tab begins anew once another one signs in as somebody else', async () => {
  for (const name of ['Ada', 'Bela']) await makeAccount(shop.app, { email: `${name}@tabs.example`, name });
  const { context, page, close } = await openPerson(shop, 'Ada@tabs.example');
  const showsName = async (name: string) => {
    await button(page, 'Account').click();
    await page.getByRole('menu').getByText(name, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  };
  await page.goto(`${base}/orders`);
  await showsName('Ada');
  const other = await context.newPage();
  await other.goto(`${base}/orders`);
  await button(other, 'Account').click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.locator('input[name="email"]').waitFor();
  const anew = page.waitForEvent('load');
  await signIn(shop, other, 'Bela@tabs.example');
  await anew;
  await showsName('Bela');
  await close();
});

test('D46 that nothing answers is said in German, too, where no words can be fetched any more', async () => {
  await makeAccount(shop.app, { email: 'away@gate.example' });
  const { context, page } = await openPerson(shop, 'away@gate.example', { locale: 'de-DE' });
  await page.goto(`${shop.origin}/dashboard/device`);
  await page.getByLabel('Code', { exact: true }).fill('ABCDEFGH');
  const said = page.getByText('Der Server hat nicht geantwortet. Nichts Eingegebenes ist verloren.');
  const press = button(page, 'Weiter');
  await page.route('**/v0/device-requests/*', (route) => route.abort());
  await press.click();
  await said.waitFor();
  await page.unroute('**/v0/device-requests/*');
  // The gate of a proxy, which answers with a page of its own.
  await page.route('**/v0/device-requests/*', (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad</h1>' }),
  );
  await page.reload();
  await page.getByLabel('Code', { exact: true }).fill('ABCDEFGH');
  await press.click();
  await said.waitFor();
  await context.close();
});

/** Each role on each of its screens: what is shown is theirs to read, and what is offered theirs to do. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { button, heading, signIn } from './support/member.ts';
import { fillStore, LOOPBACK, visitScreens } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let receiver: Receiver;
let workspaceId: string;
beforeAll(async () => {
  [shop, receiver] = await Promise.all([openShop(LOOPBACK), createReceiver()]);
  workspaceId = shop.store.scope.workspaceId;
  for (const role of ['admin', 'manager', 'support', 'developer'] as const)
    await makeAccount(shop.app, { email: `${role}@roles.example`, member: { workspaceId, role } });
  await makeAccount(shop.app, {
    email: 'custom@roles.example',
    member: { workspaceId, role: 'custom', permissions: { orders: 'read', users: 'write' } },
  });
  const parts = {
    sells: { orders: 'write', payments: 'read' },
    refunds: { refunds: 'write', payments: 'read' },
    shows: { elements: 'write' },
  } as const;
  for (const [name, permissions] of Object.entries(parts)) {
    const member = { workspaceId, role: 'custom', permissions } as const;
    await makeAccount(shop.app, { email: `${name}@roles.example`, member });
  }
  await fillStore(shop, receiver);
});
afterAll(async () => {
  await shop?.close();
  await receiver?.close();
});

test.each(
  ['admin', 'manager', 'support', 'developer', 'custom'].flatMap((role) =>
    ['test', 'live'].map((mode) => [role, mode] as const),
  ),
)('D13 %s in %s mode asks for nothing that is refused', async (role, mode) => {
  const { page, leave } = await signIn(shop, `${role}@roles.example`);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${page.url()} ${response.url()}`);
  });
  const base = `/dashboard/${workspaceId}/${mode}`;
  await page.goto(`${shop.origin}${base}`);
  await heading(page, 'Home').waitFor();
  const closed: string[] = [];
  const look = async (screen: string) => {
    if ((await page.locator('h1').first().innerText()) === 'No access') closed.push(screen);
  };
  const screens = await visitScreens(page, base, { look, isWhole: false });
  expect(screens.length).toBeGreaterThan(5);
  expect(closed).toEqual([]);
  expect(refused).toEqual([]);
  await leave();
});

test('D13 who reads taxes and no settings is shown the rates, and asks for nothing that is refused', async () => {
  const member = { workspaceId, role: 'custom', permissions: { tax: 'read' } } as const;
  await makeAccount(shop.app, { email: 'tax@roles.example', member });
  const { page, leave } = await signIn(shop, 'tax@roles.example');
  await page.goto(`${shop.origin}/dashboard/${workspaceId}/test/finance/tax`);
  await page.getByRole('table', { name: 'Rates' }).getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Rates']);
  await leave();
});

test('D18 a Developer gives a key pair what they may do themselves, and touches none that may do more', async () => {
  const { page, leave } = await signIn(shop, 'developer@roles.example');
  await page.goto(`${shop.origin}/dashboard/${workspaceId}/live/developers/api-keys`);
  await heading(page, 'API keys').waitFor();
  // The first pair of the store has no scopes: all there is.
  await button(page, /^Actions for /)
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Revoke']);
  await page.keyboard.press('Escape');
  await button(page, 'Create key pair').first().click();
  const asked = page.getByRole('dialog', { name: 'Create key pair' });
  await asked.getByText('Choose at least one').waitFor();
  const scopes = asked.getByRole('group', { name: 'Scopes' });
  await scopes.getByRole('checkbox', { name: 'Orders: Read', exact: true }).check();
  expect(await scopes.getByRole('checkbox', { name: 'Orders: Write', exact: true }).count()).toBe(0);
  await asked.getByRole('textbox', { name: 'Name' }).fill('Reads orders');
  await button(asked, 'Create key pair').click();
  await button(asked, 'Copy secret key').waitFor();
  await leave();
});

test('D13 a role cut, and a membership ended, while the page stands open shows at what is done next', async () => {
  const member = { workspaceId, role: 'support' } as const;
  const accountId = await makeAccount(shop.app, { email: 'cut@roles.example', member });
  const { page, leave } = await signIn(shop, 'cut@roles.example');
  await page.goto(`${shop.origin}/dashboard/${workspaceId}/test/orders`);
  await page.getByRole('table', { name: 'Orders' }).waitFor();
  const { db } = shop.app.service;
  const main = page.getByRole('navigation', { name: 'Main' });
  /** What was allowed is known by every process for a few seconds. */
  const goUntil = (names: readonly string[], title: string) =>
    expect
      .poll(
        async () => {
          for (const name of names) {
            const link = main.getByRole('link', { name, exact: true }).first();
            // A link can go while it is pressed, since its page hears of the cut: then no press is waited for.
            if (await link.isVisible()) await link.click({ timeout: 1_000 }).catch(() => undefined);
          }
          return heading(page, title).count();
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(1);
  const cut = { role: 'custom' as const, permissions: JSON.stringify({ products: 'read' }) };
  await db.updateTable('memberships').set(cut).where('accountId', '=', accountId).execute();
  await goUntil(['Customers', 'Orders'], 'No access');
  expect(await main.getByRole('link', { name: 'Customers', exact: true }).count()).toBe(0);
  await db.deleteFrom('memberships').where('accountId', '=', accountId).execute();
  await goUntil(['Home', 'Catalogue'], 'There is no such workspace');
  await leave();
});

test('D13 whoever reads no settings sees times in the zone of the store', async () => {
  const { store } = shop;
  const zone = (timezone: string) => store.request('PATCH', '/v0/settings/update', { body: { timezone } });
  expect((await zone('Asia/Kathmandu')).status).toBe(200);
  const { page, leave } = await signIn(shop, 'custom@roles.example');
  await page.goto(`${shop.origin}/dashboard/${workspaceId}/test/orders`);
  await page.getByRole('table', { name: 'Orders' }).waitFor();
  await page.getByText('Asia/Kathmandu').first().waitFor();
  await leave();
  await zone('UTC');
});

test('D13 what is filled in from what a member may not read is not offered, and leads nowhere', async () => {
  const look = async (who: string, path: string, name: string) => {
    const { page, leave } = await signIn(shop, `${who}@roles.example`);
    await page.goto(`${shop.origin}/dashboard/${workspaceId}/test/${path}`);
    await heading(page, name).waitFor();
    await page.locator('.list-table tbody tr').first().waitFor();
    return { page, leave };
  };
  const sells = await look('sells', 'orders', 'Orders');
  expect(await button(sells.page, 'Make test purchase').count()).toBe(0);
  await sells.leave();
  const shows = await look('shows', 'catalogue/checkouts', 'Checkouts');
  expect(await button(shows.page, 'Create checkout').count()).toBe(0);
  await shows.page.locator('.row-link').first().click();
  await button(shows.page, 'Copy link').waitFor();
  expect(await button(shows.page, 'Edit').count()).toBe(0);
  expect(await shows.page.locator('iframe').count()).toBe(0);
  await shows.leave();
  const refunds = await look('refunds', 'orders/refunds', 'Refunds');
  expect(await refunds.page.locator('.row-link').count()).toBe(0);
  await refunds.page.goto(`${shop.origin}/dashboard/${workspaceId}/test/orders/payments`);
  await refunds.page.locator('.row-link').first().click();
  await heading(refunds.page, /^Payment /).waitFor();
  expect(await button(refunds.page, 'Refund').count()).toBe(0);
  await refunds.leave();
});

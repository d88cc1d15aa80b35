/** The installation's screen, for its admins alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { confirmPassword, dialog, lock, openPerson } from './support/dashboard.ts';
import { button, heading } from './support/member.ts';
import { settle } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const ADMIN = 'runs@first.example';
const OWNER = 'ada@first.example';
/** More than a page of them. */
const OTHERS = 51;

let shop: Shop;
let address: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: ADMIN, name: 'Grace', installationAdmin: true });
  await makeAccount(shop.app, { email: OWNER, name: 'Ada' });
  for (let at = 1; at <= OTHERS; at += 1)
    await makeAccount(shop.app, { email: `other-${at}@first.example`, member: null });
  address = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/installation`;
}, 120_000);
afterAll(() => shop?.close());

test('D51 an admin sees how the installation fares, and takes a workspace away only after a question', async () => {
  const { page, close } = await openPerson(shop, ADMIN);
  await page.goto(address);
  await heading(page, 'Installation').waitFor();
  await settle(page);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  for (const fact of [
    'Version',
    'Store',
    'Address',
    'Queue',
    'Oldest overdue work',
    'Mail server',
    'Sign-up',
  ])
    await part('Health').getByText(fact, { exact: true }).waitFor();
  await part('Sweep preview').getByRole('table').waitFor();
  const row = part('Workspaces').getByRole('listitem').first();
  const name = await row.locator('strong').innerText();
  await row.getByText('0 paid orders').waitFor();

  await button(row, 'Suspend').click();
  const asked = dialog(page, `Suspend: ${name}`);
  await asked.getByText('It takes no orders').waitFor();
  await button(asked, 'Keep').click();
  await asked.waitFor({ state: 'detached' });
  await row.getByText('Active', { exact: true }).waitFor();

  await lock(page);
  await button(row, 'Suspend').click();
  await button(asked, 'Suspend').click();
  await confirmPassword(page);
  await asked.waitFor({ state: 'detached' });
  await row.getByText('Suspended', { exact: true }).waitFor();
  await button(row, 'Reactivate').click();
  await row.getByText('Active', { exact: true }).waitFor();
  await button(row, 'Archive').click();
  await button(dialog(page, `Archive: ${name}`), 'Archive').click();
  await row.getByText('Archived', { exact: true }).waitFor();
  await button(row, 'Unarchive').click();
  await row.getByText('Active', { exact: true }).waitFor();
  await close();
});

test('D51 every account can be reached, one is disabled after a question, and the last admin stays', async () => {
  const { page, close } = await openPerson(shop, ADMIN);
  await page.goto(address);
  await settle(page);
  const accounts = page.getByRole('region', { name: 'Accounts', exact: true });
  await button(accounts, 'Show more').click();
  await settle(page);
  expect(await button(accounts, 'Show more').count()).toBe(0);
  const emails = await accounts.getByRole('listitem').locator('strong').allInnerTexts();
  expect(new Set(emails).size).toBe(emails.length);
  expect(emails).toEqual(
    expect.arrayContaining([ADMIN, OWNER, 'other-1@first.example', 'other-51@first.example']),
  );

  const rowOf = (email: string) =>
    accounts.getByRole('listitem').filter({ has: page.locator('strong', { hasText: email }) });
  await button(rowOf('other-7@first.example'), 'Disable').click();
  await button(dialog(page, 'Disable: other-7@first.example'), 'Disable').click();
  await button(rowOf('other-7@first.example'), 'Enable').waitFor();
  await button(rowOf(ADMIN), 'Disable').click();
  const last = dialog(page, `Disable: ${ADMIN}`);
  await button(last, 'Disable').click();
  await last.getByRole('alert').waitFor();
  await button(last, 'Keep').click();
  await button(rowOf(ADMIN), 'Disable').waitFor();
  await close();
});

test('D51 whoever is no admin finds nothing there', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(address);
  await heading(page, 'No access').waitFor();
  await settle(page);
  expect(await page.getByRole('main').innerText()).not.toContain(ADMIN);
  expect(await page.getByRole('alert').count()).toBe(0);
  await button(page, 'Account').click();
  await page.getByRole('menuitem', { name: 'Lock' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Installation' }).count()).toBe(0);
  await close();
});

/** A workspace and its people in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { field } from './support/checkout.ts';
import { button, confirmPassword, dialog, heading, lock, openPerson, signIn } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const OWNER = 'owner@team.example';

let shop: Shop;
let workspaceId: string;
beforeAll(async () => {
  shop = await openShop();
  workspaceId = shop.store.scope.workspaceId;
  await shop.app.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(shop.app, { email: OWNER, name: 'Ada', member: { workspaceId, role: 'owner' } });
  for (const role of ['support', 'manager'] as const)
    await makeAccount(shop.app, { email: `${role}@team.example`, member: { workspaceId, role } });
});
afterAll(() => shop?.close());

const at = (page: string, mode = 'test') => `${shop.origin}/dashboard/${workspaceId}/${mode}/${page}`;
const memberOf = async (email: string) =>
  shop.app.service.db
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.accountId')
    .selectAll('m')
    .where('a.email', '=', email)
    .executeTakeFirst();

/** Opens workspace settings anew until they say this: another's change of one's role holds within 5 s. */
async function openUntil(page: Page, shown: (page: Page) => Locator) {
  await expect
    .poll(async () => {
      await page.goto(at('settings/workspace'));
      await heading(page, 'Workspace').waitFor();
      return shown(page).count();
    })
    .toBe(1);
}

/** Shows what is behind "Copy link": the address of an invitation. */
const linkIn = async (page: Page) => (await page.locator('.once code').first().textContent()) ?? '';

test('D13 Support sees what Support may, and is told so at the address of anything else', async () => {
  const { page, close } = await openPerson(shop, 'support@team.example');
  await page.goto(at(''));
  await heading(page, 'Home').waitFor();
  expect(await page.getByText('Gross').count()).toBe(0);
  await page.goto(at('developers/events'));
  await heading(page, 'Events').waitFor();
  const names = await page.locator('#navigation').innerText();
  expect(names).toContain('Test clock');
  for (const hidden of ['API keys', 'Webhooks', 'Requests', 'Reports', 'Ledger', 'Audit log'])
    expect(names).not.toContain(hidden);
  await page.goto(at('developers/test-clock'));
  await heading(page, 'Test clock').waitFor();
  expect(await button(page, 'Reset test store').count()).toBe(0);
  await page.goto(at('orders'));
  await heading(page, 'Orders').waitFor();
  expect(await button(page, 'Export').count()).toBe(0);
  for (const path of [
    'developers/api-keys',
    'developers/webhooks',
    'finance/reports',
    'settings/audit-log',
  ]) {
    await page.goto(at(path));
    await heading(page, 'No access').waitFor();
  }
  await close();
});

test('D15 somebody is invited by a copied link, accepts, and is given rights of their own', async () => {
  const owner = await openPerson(shop, OWNER);
  const { page } = owner;
  await page.goto(at('settings/team'));
  await heading(page, 'Team').waitFor();
  await button(page, 'Invite member').first().click();
  const asked = dialog(page, 'Invite member');
  await field(page, 'Email').fill('grace@team.example');
  await asked.getByLabel('Role').selectOption('custom');
  await asked.getByRole('radio', { name: 'Orders: Read', exact: true }).check();
  await asked.getByRole('checkbox', { name: 'Disputes' }).check();
  await asked.getByRole('button', { name: 'Invite member' }).click();
  await asked.getByRole('button', { name: 'Copy link' }).waitFor();
  const first = await linkIn(page);
  await asked.getByRole('checkbox').check();
  await button(page, 'Done').click();
  await button(page, 'Resend invitation to grace@team.example').click();
  await dialog(page, 'New invitation link').waitFor();
  const link = await linkIn(page);
  expect(link).not.toBe(first);

  const { context, newTab } = await shop.openBuyer();
  const guest = await newTab();
  await guest.goto(first);
  await heading(guest, 'This link is no longer valid').waitFor();
  await guest.goto('about:blank');
  // What the service cannot say now is not called dead.
  const opening = '**/v0/invitations/open';
  await guest.route(opening, (route) => route.abort());
  await guest.goto(link);
  await button(guest, 'Try again').waitFor();
  await guest.unroute(opening);
  await button(guest, 'Try again').click();
  await heading(guest, 'You are invited').waitFor();
  await field(guest, 'Your name').fill('Grace');
  await guest.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await button(guest, 'Accept invitation').click();
  await guest.locator('#navigation').waitFor({ state: 'attached' });
  const seen = await guest.locator('#navigation').innerText();
  expect(seen).toContain('Orders');
  expect(seen).not.toContain('Customers');
  await context.close();
  expect(await memberOf('grace@team.example')).toMatchObject({
    role: 'custom',
    permissions: { orders: 'read' },
    notifications: ['disputes'],
  });

  await page.goto(at('settings/team'));
  await button(page, 'Actions for grace@team.example').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = dialog(page, 'Edit member');
  await edit.getByRole('radio', { name: 'Customers: Write', exact: true }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect((await memberOf('grace@team.example'))?.permissions).toEqual({ orders: 'read', users: 'write' });
  await owner.close();

  const manager = await openPerson(shop, 'manager@team.example');
  await manager.page.goto(at('settings/team'));
  await heading(manager.page, 'Team').waitFor();
  expect(await button(manager.page, 'Invite member').count()).toBe(0);
  await manager.close();
});

test('an account of no workspace is told what to do, makes one where it may, and can sign out', async () => {
  await makeAccount(shop.app, { email: 'nobody@team.example', member: null });
  await makeAccount(shop.app, { email: 'runs@team.example', member: null, installationAdmin: true });
  const { problems, newTab, context } = await shop.openBuyer();
  const page = await newTab();
  await signIn(shop, page, 'nobody@team.example');
  await heading(page, 'You are in no workspace yet').waitFor();
  await page.getByText('Ask its Owner or an Admin to invite nobody@team.example').waitFor();
  expect(await page.getByRole('link', { name: 'New workspace' }).count()).toBe(0);
  await button(page, 'Sign out').click();
  await heading(page, 'Sign in').waitFor();
  await signIn(shop, page, 'runs@team.example');
  await heading(page, 'You are in no workspace yet').waitFor();
  await page.getByRole('link', { name: 'New workspace' }).click();
  await heading(page, 'New workspace').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('D15 a workspace is offered, withdrawn, offered again and taken over; its former Owner may leave', async () => {
  const owner = await openPerson(shop, OWNER);
  await owner.page.goto(at('settings/workspace'));
  const offer = async () => {
    await button(owner.page, 'Offer workspace').click();
    const asked = dialog(owner.page, 'Offer workspace');
    await asked.getByLabel('Member').selectOption({ label: 'manager@team.example' });
    await asked.getByRole('button', { name: 'Offer workspace' }).click();
  };
  await offer();
  await button(owner.page, 'Withdraw offer').click();
  await button(owner.page, 'Offer workspace').waitFor();
  await offer();
  await button(owner.page, 'Withdraw offer').waitFor();
  const manager = await openPerson(shop, 'manager@team.example');
  await manager.page.goto(at('settings/workspace'));
  await button(manager.page, 'Take over workspace').click();
  await expect.poll(async () => (await memberOf('manager@team.example'))?.role).toBe('owner');
  expect((await memberOf(OWNER))?.role).toBe('admin');
  await manager.page.getByRole('heading', { name: 'Close workspace' }).waitFor();
  expect(await button(manager.page, 'Leave workspace').count()).toBe(0);
  // Back again, for the tests that follow.
  await manager.page.reload();
  await button(manager.page, 'Offer workspace').click();
  const asked = dialog(manager.page, 'Offer workspace');
  await asked.getByLabel('Member').selectOption({ label: OWNER });
  await asked.getByRole('button', { name: 'Offer workspace' }).click();
  await button(manager.page, 'Withdraw offer').waitFor();
  await openUntil(owner.page, (page) => button(page, 'Take over workspace'));
  await button(owner.page, 'Take over workspace').click();
  await expect.poll(async () => (await memberOf(OWNER))?.role).toBe('owner');
  await openUntil(manager.page, (page) => page.getByText('Your role here: Admin'));
  await button(manager.page, 'Leave workspace').click();
  await dialog(manager.page, 'Leave workspace').getByRole('button', { name: 'Leave workspace' }).click();
  await expect.poll(() => memberOf('manager@team.example')).toBeUndefined();
  await manager.close();
  await owner.close();
});

test('D18 a key pair shows its secret once, and is revoked', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(at('developers/api-keys'));
  await button(page, 'Create key pair').first().click();
  const asked = dialog(page, 'Create key pair');
  expect(await asked.getByRole('checkbox', { name: 'Reads with the public key alone' }).isChecked()).toBe(
    false,
  );
  await asked.getByRole('textbox', { name: 'Name' }).fill('Once');
  await asked.getByRole('button', { name: 'Create key pair' }).click();
  await asked.getByRole('button', { name: 'Copy secret key' }).waitFor();
  const shownPublic = (await asked.locator('.once code').first().textContent()) ?? '';
  const secret = (await asked.locator('.once code').last().textContent()) ?? '';
  await expect.poll(() => button(page, 'Done').isDisabled()).toBe(true);
  await asked.getByRole('checkbox', { name: 'I have stored the secret key' }).check();
  await button(page, 'Done').click();
  await page.getByText('Once', { exact: true }).first().waitFor();
  await page.reload();
  await page.getByText('Once', { exact: true }).first().waitFor();
  expect(await page.content()).not.toContain(secret);
  await button(page, 'Actions for Once').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edited = dialog(page, 'Edit key pair');
  await edited.getByRole('checkbox', { name: 'Orders: Read' }).check();
  await edited.getByRole('checkbox', { name: 'Processors: Read' }).check();
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.waitFor({ state: 'detached' });
  await page.getByText('orders:read, processors:read').waitFor();
  const ask = () =>
    fetch(`${shop.origin}/v0/orders/list`, {
      headers: { 'x-svc-public-key': shownPublic, 'x-svc-secret-key': secret },
    }).then(({ status }) => status);
  expect(await ask()).toBe(200);
  await button(page, 'Actions for Once').click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog(page, 'Revoke key pair').getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(ask).toBe(401);
  await close();
});

test('a note is deleted by whoever wrote it, and “Undo” brings it back', async () => {
  const { body } = await shop.store.post('/v0/users/create', { email: 'noted@example.com' });
  const { page, close } = await openPerson(shop, 'support@team.example');
  await page.goto(at(`customers/${body.data.user.id}`));
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Asked by phone.');
  await button(page, 'Add note').click();
  const note = page.locator('.timeline').getByText('Asked by phone.');
  await note.waitFor();
  await button(page, 'Delete note').click();
  await note.waitFor({ state: 'detached' });
  await button(page, 'Undo').click();
  await note.waitFor();
  await close();
});

test('X13 a key pair for browsers reads what any buyer sees, and asks for nothing else', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(at('developers/api-keys'));
  await button(page, 'Create key pair').first().click();
  const asked = dialog(page, 'Create key pair');
  await asked.getByRole('textbox', { name: 'Name' }).fill('Shop window');
  await asked.getByRole('textbox', { name: 'Allowed addresses' }).waitFor();
  await asked.getByText('For browsers', { exact: true }).click();
  await asked.getByRole('textbox', { name: 'Allowed addresses' }).waitFor({ state: 'detached' });
  await asked.getByRole('button', { name: 'Create key pair' }).click();
  const publicKey = (await asked.locator('.once code').first().textContent()) ?? '';
  await asked.getByRole('checkbox', { name: 'I have stored the secret key' }).check();
  await button(page, 'Done').click();
  await close();
  const ask = (path: string) =>
    fetch(`${shop.origin}${path}`, { headers: { 'x-svc-public-key': publicKey } }).then(
      ({ status }) => status,
    );
  expect(await ask('/v0/products/list')).toBe(200);
  expect(await ask('/v0/orders/list')).toBe(403);
});

test('D17 a suspended workspace is read and not written, and its Owner alone reactivates it', async () => {
  const { db } = shop.app.service;
  const change = (state: 'active' | 'suspended', stateBy: 'sweep' | null) =>
    db
      .updateTable('workspaces')
      .set({ state, stateBy, stateSince: state === 'active' ? null : Date.now() })
      .where('id', '=', workspaceId)
      .execute();
  await change('suspended', 'sweep');
  const support = await openPerson(shop, 'support@team.example');
  await support.page.goto(at('catalogue/discounts'));
  await support.page.getByText('This workspace is suspended').waitFor();
  expect(await button(support.page, 'Reactivate').count()).toBe(0);
  await support.close();
  const owner = await openPerson(shop, OWNER);
  await owner.page.goto(at('catalogue/discounts'));
  await heading(owner.page, 'Discounts').waitFor();
  expect(await button(owner.page, 'Create discount').count()).toBe(0);
  await button(owner.page, 'Reactivate').click();
  await button(owner.page, 'Create discount').first().waitFor();
  await owner.close();
});

test('D16 closing asks for the name and a fresh proof, ends key pairs, and reopening restores them', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(at('settings/workspace'));
  await button(page, 'Close workspace').click();
  const asked = dialog(page, 'Close workspace');
  const confirm = asked.getByRole('button', { name: 'Close workspace' });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await asked.getByRole('button', { name: 'Keep' }).click();
  await lock(page);
  await button(page, 'Close workspace').click();
  await asked.getByRole('textbox').fill('First');
  await confirm.click();
  await confirmPassword(page);
  await page.getByText('This workspace is archived').waitFor();
  await expect.poll(async () => (await shop.store.get('/v0/products/list')).status).toBe(403);
  await button(page, 'Reopen workspace').click();
  await page.getByText('This workspace is archived').waitFor({ state: 'detached' });
  await expect.poll(async () => (await shop.store.get('/v0/products/list')).status).toBe(200);
  await close();
});

test('settings of test mode are taken over to live after a look at the difference', async () => {
  await shop.store.patch('/v0/settings/update', { graceDays: 3, seller: { name: 'Nebula Games' } });
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(at('settings/dunning', 'live'));
  await button(page, 'Copy settings from test').click();
  const asked = dialog(page, 'Copy settings from test');
  await asked.getByRole('table', { name: 'Difference' }).getByText('Nebula Games').waitFor();
  await asked.getByRole('button', { name: 'Copy settings', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
  const { settings } = (await shop.app.live.get('/v0/settings')).body.data;
  expect(settings).toMatchObject({ graceDays: 3, seller: { name: 'Nebula Games' } });
  await close();
});

test('members are told of what they wish, and a second factor is asked of everybody', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(at('settings/notifications'));
  const support = page.getByRole('group', { name: /support@team.example/ });
  await support.getByRole('checkbox', { name: 'Low stock' }).check();
  await expect.poll(async () => (await memberOf('support@team.example'))?.notifications).toEqual(['stock']);
  await page.goto(at('settings/security'));
  await page.getByText('You have no second factor yourself').waitFor();
  await page.getByRole('checkbox', { name: 'Require second factor' }).check();
  await expect
    .poll(async () => {
      const [row] = await shop.app.service.db
        .selectFrom('workspaces')
        .select('requireSecondFactor')
        .where('id', '=', workspaceId)
        .execute();
      return row?.requireSecondFactor;
    })
    .toBe(true);
  await close();
});

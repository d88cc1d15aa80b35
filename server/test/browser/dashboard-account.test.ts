/** Accounts in a real browser: the first minutes, the ways in, and what proves who somebody is. */
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMAIL_MS, makeLink } from '../../src/flows/accounts/links.ts';
import { findSetup } from '../../src/flows/accounts/setup-link.ts';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { field } from './support/checkout.ts';
import { button, confirmPassword, dialog, heading, lock, openPerson, signIn } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const OWNER = 'owner@account.example';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  const { workspaceId } = shop.store.scope;
  await shop.app.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(shop.app, { email: OWNER, name: 'Ada', member: { workspaceId, role: 'owner' } });
  await makeOffer(shop.store, { name: 'Nebula Drift' });
});
afterAll(() => shop?.close());

const settingsOf = (page: string) => `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/${page}`;

/** Adds a virtual authenticator that verifies its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...verified } });
}

test('D02 the set-up ends on Home in four clicks, and its link is then worth nothing', async () => {
  const { db } = shop.app.service;
  const email = 'start@account.example';
  const { workspaceId } = shop.store.scope;
  const id = await makeAccount(shop.app, { email, member: { workspaceId, role: 'admin' } });
  await db.updateTable('accounts').set({ setupOpen: true }).where('id', '=', id).execute();
  const url = (await findSetup(shop.app.service))?.url ?? '';
  const { context, problems, newTab } = await shop.openBuyer();
  const page = await newTab();
  await page.goto(`${shop.origin}/dashboard`);
  await page.getByText('printed a set-up link').waitFor();
  await page.goto(url);
  await heading(page, 'Set up Counterfoil').waitFor();
  expect(page.url()).not.toContain('#');
  await field(page, 'Email').fill('first@account.example');
  await field(page, 'Your name').fill('Grace');
  await page.getByLabel('New password', { exact: true }).fill('nine violet harbours keep singing');
  await button(page, 'Create account').click();
  await page.getByRole('radiogroup', { name: 'Start with' }).waitFor();
  await expect.poll(() => page.getByRole('radio', { name: 'The demo shop' }).isChecked()).toBe(true);
  await button(page, 'Open dashboard').click();
  await heading(page, 'Home').waitFor();
  const again = await newTab();
  await again.goto(url);
  await heading(again, 'This link is no longer valid').waitFor();
  const old = await shop.app.app.inject({
    method: 'POST',
    url: '/v0/session',
    headers: { origin: shop.origin },
    payload: { email, password: PASSWORD },
  });
  expect(old.statusCode).toBe(401);
  expect((await shop.store.get('/v0/orders/list')).status).toBe(200);
  expect(problems).toEqual([]);
  await context.close();
});

test('D02 the set-up leads to the workspace that was asked for, and to the field that was refused', async () => {
  const { db } = shop.app.service;
  const { workspaceId } = shop.store.scope;
  const member = { workspaceId, role: 'admin' } as const;
  const id = await makeAccount(shop.app, { email: 'empty@account.example', member });
  await db.updateTable('accounts').set({ setupOpen: true }).where('id', '=', id).execute();
  const { context, newTab } = await shop.openBuyer();
  const page = await newTab();
  // As the service answers where nothing was seeded.
  const json = { status: 'success', data: { demo: false } };
  await page.route('**/v0/account/setup/open', (route) => route.fulfill({ json }));
  await page.goto((await findSetup(shop.app.service))?.url ?? '');
  await button(page, 'Create account').click();
  const isFocused = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => input === input.ownerDocument.activeElement);
  await expect.poll(() => isFocused('Email')).toBe(true);
  await field(page, 'Email').fill('second@account.example');
  await field(page, 'Your name').fill('Joan');
  await page.getByLabel('New password', { exact: true }).fill('password1234');
  await button(page, 'Create account').click();
  await page.getByRole('radio', { name: 'The workspace that is ready' }).waitFor();
  expect(await page.getByRole('radio', { name: 'The demo shop' }).count()).toBe(0);
  await page.getByRole('radio', { name: 'An empty workspace' }).check();
  await field(page, 'Workspace name').fill('Lantern Press');
  await button(page, 'Open dashboard').click();
  await expect.poll(() => isFocused('New password')).toBe(true);
  await page.keyboard.insertText(' among nine violet harbours');
  await button(page, 'Create account').click();
  await button(page, 'Open dashboard').click();
  await heading(page, 'Home').waitFor();
  await button(page, 'Workspace: Lantern Press').waitFor();
  await context.close();
});

test('D10 the link to a new address changes the e-mail by its button alone, once', async () => {
  const { db, ids, config } = shop.app.service;
  const accountId = await makeAccount(shop.app, { email: 'former@account.example' });
  const by = { ids, config, nowMs: Date.now() };
  const params = { email: 'newer@account.example' };
  const url = await makeLink(by, db, { kind: 'email', accountId, lifeMs: EMAIL_MS, params });
  const { context, problems, newTab } = await shop.openBuyer();
  const page = await newTab();
  await page.goto(url);
  await heading(page, 'Confirm your new e-mail').waitFor();
  expect(page.url()).not.toContain('#');
  const emailNow = async () =>
    (await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow())
      .email;
  expect(await emailNow()).toBe('former@account.example');
  await button(page, 'Confirm e-mail').click();
  await heading(page, 'Your e-mail is changed').waitFor();
  expect(await emailNow()).toBe('newer@account.example');
  expect(problems).toEqual([]);
  await context.close();
});

test('D05 a session that is revoked elsewhere is out within 5 seconds; after a sign-out nothing is left', async () => {
  const email = 'two@account.example';
  await makeAccount(shop.app, { email });
  const here = await openPerson(shop, email);
  const there = await openPerson(shop, email);
  await here.page.goto(settingsOf('account/sessions'));
  await heading(here.page, 'Sessions').waitFor();
  await here.page.getByText('This session').waitFor();
  await expect.poll(() => here.page.locator('.session-list li').count()).toBe(2);
  await here.page.getByRole('button', { name: 'Sign out Chrome, Linux' }).click();
  await expect.poll(() => here.page.locator('.session-list li').count()).toBe(1);
  await expect
    .poll(async () => (await there.page.request.get(`${shop.origin}/v0/session`)).status())
    .toBe(401);
  await there.page.goto(settingsOf('orders'));
  await heading(there.page, 'Sign in').waitFor();
  await button(here.page, 'Account').click();
  await here.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(here.page, 'Sign in').waitFor();
  await here.page.goBack();
  await heading(here.page, 'Sign in').waitFor();
  expect(await here.page.locator('#navigation').count()).toBe(0);
  await here.close();
  await there.close();
});

test('D08 an app is enrolled by its picture, asked for after the password, and a recovery code stands in', async () => {
  const email = 'totp@account.example';
  await makeAccount(shop.app, { email });
  const { page, close } = await openPerson(shop, email);
  await page.goto(settingsOf('account/security'));
  await button(page, 'Set up an app').click();
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  const secret = (await page.locator('.copyable code').textContent()) ?? '';
  const used = generateSync({ secret });
  await field(page, 'Code').fill(used);
  await button(page, 'Confirm').click();
  const codes = ((await page.locator('pre.code').textContent()) ?? '').split('\n');
  expect(codes).toHaveLength(10);
  await close();

  const { context, newTab } = await shop.openBuyer();
  const again = await newTab();
  await signIn(shop, again, email);
  await again.getByText('npm run accounts -- reset-second-factor').waitFor();
  await field(again, 'Code').fill(used);
  await button(again, 'Sign in').click();
  await again.getByRole('alert').waitFor();
  await button(again, 'Use a recovery code').click();
  await field(again, 'Recovery code').fill(codes[0] ?? '');
  await button(again, 'Sign in').click();
  await again.locator('#navigation').waitFor({ state: 'attached' });
  await again.goto(settingsOf('account/security'));
  await again.getByText('9 recovery codes are left.').waitFor();
  await context.close();
});

test('D09 a passkey with a name signs in without another factor, and can be removed', async () => {
  const email = 'passkey@account.example';
  await makeAccount(shop.app, { email });
  const { page, close } = await openPerson(shop, email);
  await addAuthenticator(page);
  await page.goto(settingsOf('account/security'));
  await field(page, 'Name of the passkey').fill('Work laptop');
  await button(page, 'Add passkey').click();
  await page.getByText('Work laptop', { exact: true }).waitFor();
  await button(page, 'Account').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await button(page, 'Use a passkey').click();
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await page.goto(settingsOf('account/security'));
  await button(page, 'Remove passkey Work laptop').click();
  await page.getByText('None yet. A passkey').waitFor();
  await close();
});

test('D20 after Lock each sensitive step asks, and goes through once it is confirmed', async () => {
  const { page, close } = await openPerson(shop, OWNER);
  const done = () => page.getByText('Saved', { exact: true }).first().waitFor();
  const steps: Array<[string, () => Promise<void>, () => Promise<void>]> = [
    [
      'account/security',
      async () => {
        await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
        await button(page, 'Change password').click();
      },
      done,
    ],
    [
      'account/security',
      () => button(page, 'Set up an app').click(),
      () => page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor(),
    ],
    [
      'settings/business',
      async () => {
        await field(page, 'City').fill('Berlin');
        await button(page, 'Save').click();
      },
      done,
    ],
    [
      'settings/tax',
      async () => {
        await button(page, 'Add Registration').click();
        await page.getByRole('group', { name: 'Registration 1' }).getByLabel('Country').selectOption('EU');
        await button(page, 'Save').click();
      },
      done,
    ],
    [
      'developers/api-keys',
      async () => {
        await button(page, 'Create key pair').first().click();
        await dialog(page, 'Create key pair').getByRole('textbox', { name: 'Name' }).fill('Shop');
        await dialog(page, 'Create key pair').getByRole('button', { name: 'Create key pair' }).click();
      },
      () => page.getByText('Secret key').first().waitFor(),
    ],
  ];
  for (const [at, act, wentThrough] of steps) {
    await page.goto(settingsOf(at));
    await lock(page);
    await act();
    await confirmPassword(page);
    await wentThrough();
  }
  const { body } = await shop.store.get('/v0/settings');
  expect(body.data.settings.seller.city).toBe('Berlin');
  expect(body.data.settings.registrations).toEqual([{ country: 'EU', region: null, number: null }]);
  await close();
});

/** The dashboard for everybody: all of it by keyboard, in the dark, and on paper. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { readPdf } from '../support/read-pdf.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { button, heading, signIn } from './support/member.ts';
import { type Filled, fillStore, LOOPBACK, settle, visitScreens } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
let receiver: Receiver;
let base: string;
let filled: Filled;
beforeAll(async () => {
  [shop, receiver] = await Promise.all([openShop(LOOPBACK), createReceiver()]);
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada', installationAdmin: true });
  base = `/dashboard/${shop.store.scope.workspaceId}/test`;
  filled = await fillStore(shop, receiver);
});
afterAll(async () => {
  await shop?.close();
  await receiver?.close();
});

/** Presses Tab until what is wanted has the focus, and sees to it that nothing covers it on the way. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const [label] = await page.evaluate<[string, boolean]>(FOCUSED);
    // What slides into sight is there a moment later.
    await expect.poll(() => page.evaluate<[string, boolean]>(FOCUSED)).toEqual([label, true]);
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    seen.push(label);
  }
  throw new Error(`${name} was not reached: ${seen.join(' | ')}`);
}

/** The name of what has the focus, and whether its middle is what one would hit there. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '';
  const box = element.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const isSeen = element === document.body || hit === element || element.contains(hit) || hit?.contains(element)
    || (element.labels?.length > 0 && element.labels[0].contains(hit));
  return [label.trim(), Boolean(isSeen)];
})()`;

/** What has the focus, once it has come to rest there. */
const expectFocus = (page: Page, name: string | RegExp) =>
  expect.poll(() => page.evaluate<[string, boolean]>(FOCUSED).then(([label]) => label)).toMatch(name);

test('D44 the focus goes back to where it was, and is never lost', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${shop.origin}${base}/orders`);
  await heading(page, 'Orders').waitFor();
  await settle(page);
  await page.keyboard.press('j');
  const [row] = await page.evaluate<[string, boolean]>(FOCUSED);
  // The export, the list of keys, the search.
  for (const key of ['e', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, row);
  }
  // The first press loads the menu, and draws its button anew.
  for (const name of ['Account', /Workspace:/]) {
    await page.getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expectFocus(page, name);
  }
  // A filter's dialog outlives the menu that opened it.
  await page.getByRole('button', { name: 'Add filter' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectFocus(page, /^Add filter$/);
  // A note goes away with the button that deleted it.
  await page.goto(`${shop.origin}${base}/orders/${filled.orderNumber}?tab=timeline`);
  await page.getByLabel('Note').fill('Called back');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Called back').waitFor();
  const remove = page.getByRole('listitem').filter({ hasText: 'Called back' }).getByRole('button');
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Called back').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  await leave();
});

test('D44 a refund is given by keyboard alone', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(filled.orderNumber);
  await page.keyboard.press('Enter');
  await heading(page, `Order ${filled.orderNumber}`).waitFor();
  await settle(page);
  await tabTo(page, 'Refund');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).waitFor();
  await tabTo(page, /^Amount/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('3.21');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Partially refunded').first().waitFor();
  const { body } = await shop.store.get(`/v0/orders/${filled.orderNumber}`);
  expect(body.data.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([321]);
  await leave();
});

test('D44 a day is typed by keyboard alone, in a filter and over the reports', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${shop.origin}${base}/orders`);
  await heading(page, 'Orders').waitFor();
  await settle(page);
  await tabTo(page, 'Add filter');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Paid from' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Paid from' });
  await dialog.getByLabel('Paid from').waitFor();
  await expectFocus(page, 'Paid from');
  await page.keyboard.type('02022020');
  await page.keyboard.press('Enter');
  const paramOf = (name: string) => Number(new URL(page.url()).searchParams.get(name));
  await expect.poll(() => paramOf('paidFrom')).toBe(Date.parse('2020-02-02T00:00:00Z'));
  await page.goto(`${shop.origin}${base}/finance/reports`);
  await heading(page, 'Reports').waitFor();
  await settle(page);
  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.type('01012025');
  await page.getByLabel('To', { exact: true }).focus();
  await page.keyboard.type('02022025');
  await expect.poll(() => paramOf('to')).toBe(Date.parse('2025-02-03T00:00:00Z'));
  expect(paramOf('from')).toBe(Date.parse('2025-01-01T00:00:00Z'));
  await leave();
});

test('D44 a plan is changed by keyboard alone', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${shop.origin}${base}/subscriptions/${filled.subscriptionId}`);
  await settle(page);
  await tabTo(page, 'Change plan');
  await page.keyboard.press('Enter');
  const plans = page.getByRole('dialog').getByRole('combobox', { name: 'Plan' });
  // What it is called grows by its options, which come later.
  await plans.getByRole('option', { name: /A large plan/ }).waitFor({ state: 'attached' });
  await tabTo(page, /^Plan/);
  await page.keyboard.type('A large plan');
  await page.getByRole('region', { name: 'Preview' }).getByText('Due now').waitFor();
  await settle(page);
  await tabTo(page, /^Change plan/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await shop.store.get(`/v0/subscriptions/${filled.subscriptionId}`);
  expect(body.data.subscription.items[0].offerId).toBe(filled.plans[1]);
  await leave();
});

test('single keys go to places and rows, and none acts while somebody types or once they are off', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  const focused = () => page.evaluate<string>(FOCUSED);
  for (const [key, name] of [
    ['o', 'Orders'],
    ['s', 'Subscriptions'],
    ['c', 'Customers'],
    ['p', 'Products'],
    ['f', 'Invoices'],
    ['m', 'Mail'],
    ['d', 'API keys'],
    [',', 'Business'],
    ['h', 'Home'],
    ['o', 'Orders'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await heading(page, name).waitFor();
  }
  await settle(page);
  await page.keyboard.press('j');
  const first = await focused();
  await page.keyboard.press('j');
  expect(await focused()).not.toEqual(first);
  await page.keyboard.press('k');
  expect(await focused()).toEqual(first);
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search Orders' });
  expect(await search.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.type('gh?');
  expect(await search.inputValue()).toBe('gh?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.getByLabel('Keys without Ctrl').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await settle(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await heading(page, 'Orders').waitFor();
  await leave();
});

/** Presses `g` and `o` once there is a navigation to see; the second, pressed at the same time, is heard late. */
const PRESS_AT_ONCE = `new MutationObserver((_, observer) => {
  if (document.getElementById('navigation') === null) return;
  observer.disconnect();
  const [first, second] = ['g', 'o'].map((key) => new KeyboardEvent('keydown', { key, bubbles: true }));
  document.body.dispatchEvent(first);
  setTimeout(() => document.body.dispatchEvent(second), 1_300);
}).observe(document, { childList: true, subtree: true })`;

test('single keys act as soon as the screen is there, however busy the page is between two of them', async () => {
  const { page, newTab, leave } = await signIn(shop, EMAIL);
  await page.close();
  const fresh = await newTab();
  await fresh.addInitScript(PRESS_AT_ONCE);
  await fresh.goto(`${shop.origin}${base}/settings/team`);
  await heading(fresh, 'Orders').waitFor({ timeout: 10_000 });
  await leave();
});

/** Every list, by its path and name. */
const LISTS: Array<[path: string, name: string]> = [
  ['orders', 'Orders'],
  ['orders/payments', 'Payments'],
  ['orders/refunds', 'Refunds'],
  ['orders/disputes', 'Disputes'],
  ['orders/withdrawals', 'Withdrawals'],
  ['orders/cancellation-notices', 'Cancellation notices'],
  ['subscriptions', 'Subscriptions'],
  ['customers', 'Customers'],
  ['catalogue/products', 'Products'],
  ['catalogue/discounts', 'Discounts'],
  ['catalogue/checkouts', 'Checkouts'],
  ['catalogue/files', 'Files'],
  ['catalogue/custom-fields', 'Custom fields'],
  ['finance/invoices', 'Invoices'],
  ['finance/ledger', 'Ledger'],
  ['mail', 'Mail'],
  ['developers/api-keys', 'API keys'],
  ['developers/webhooks', 'Webhooks'],
  ['developers/events', 'Events'],
  ['developers/requests', 'Requests'],
  ['settings/team', 'Team'],
  ['settings/audit-log', 'Audit log'],
];

test('D21 every list is searched by words, which its address keeps', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  for (const [path, name] of LISTS) {
    await page.goto(`${shop.origin}${base}/${path}`);
    await heading(page, name).waitFor();
    const box = page.getByRole('searchbox', { name: `Search ${name}` });
    await box.fill('no such words');
    await box.press('Enter');
    await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
    expect(page.url(), name).toMatch(/\?(term|number)=no(\+|%20)such(\+|%20)words$/);
  }
  // An address that was cut short.
  await page.goto(`${shop.origin}${base}/settings`);
  await heading(page, 'Business').waitFor();
  expect(page.url()).toMatch(/\/settings\/business$/);
  await leave();
});

test('D45 an order of ten lines is printed on one page, without the navigation', async () => {
  const offersIds: string[] = [];
  for (let line = 1; line <= 10; line += 1) {
    offersIds.push(await makeOffer(shop.store, { name: `Line ${line} of ten` }));
  }
  const bought = await shop.store.post('/v0/test-purchases/create', {
    offersIds,
    userEmail: 'prints@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  const { number } = bought.body.data.order;
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${shop.origin}${base}/orders/${number}`);
  await settle(page);
  const { pages, text } = await readPdf(await page.pdf({ format: 'A4' }));
  expect(pages).toBe(1);
  for (let line = 1; line <= 10; line += 1) expect(text).toContain(`Line ${line} of ten`);
  expect(text).toContain(number);
  expect(text).not.toMatch(/Customers|Developers|Correct order|Timeline|Test mode/);
  await leave();
});

test('D45 paper shows no control, cuts no text, and is dark on white for those who look at dark screens', async () => {
  const userEmail = 'somebody.with.a.rather.long.name.of.theirs@example.com';
  const offersIds = [
    await makeOffer(shop.store, { name: 'A thing whose name is far too long for its column' }),
  ];
  const bought = await shop.store.post('/v0/test-purchases/create', {
    offersIds,
    userEmail,
    billingDetails: { countryCode: 'DE' },
  });
  const { page, leave } = await signIn(shop, EMAIL, { colorScheme: 'dark' });
  for (const path of ['/orders', `/orders/${bought.body.data.order.number}`, '/finance/reports']) {
    await page.goto(`${shop.origin}${base}${path}`);
    await settle(page);
    await page.emulateMedia({ media: 'print' });
    const [controls, cut, ink] = await page.evaluate<[string[], string[], string]>(`[
      [...document.querySelectorAll('main :is(input[type="checkbox"], button)')]
        .filter((one) => one.checkVisibility() && !one.matches('.figure')).map((one) => one.textContent),
      [...document.querySelectorAll('main *')]
        .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth)
        .filter((one) => getComputedStyle(one).display !== 'inline').map((one) => one.textContent),
      getComputedStyle(document.querySelector('h1')).color]`);
    expect([path, controls, cut, ink]).toEqual([path, [], [], 'rgb(27, 31, 26)']);
    await page.emulateMedia({ media: null });
  }
  await leave();
});

test('dark is there with the first paint, and nothing moves for those who want it still', async () => {
  const { page, leave } = await signIn(shop, EMAIL, { colorScheme: 'dark' });
  await page.goto(`${shop.origin}${base}/orders`, { waitUntil: 'commit' });
  await page.locator('body').waitFor({ state: 'attached' });
  const before = await page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
  expect(before).toBe('dark');
  await settle(page);
  const [scheme, moves] = await page.evaluate<[string, string[]]>(`[
    document.documentElement.getAttribute('data-mantine-color-scheme'),
    [...document.querySelectorAll('*')].map((element) => getComputedStyle(element))
      .flatMap((style) => [style.transitionDuration, style.animationDuration])
      .filter((duration) => duration.split(',').some((one) => parseFloat(one) > 0.001))]`);
  expect([scheme, moves]).toEqual(['dark', []]);
  await button(page, 'Account').click();
  await page.getByRole('menuitem', { name: 'Light' }).click();
  await page.reload({ waitUntil: 'commit' });
  await page.locator('body').waitFor({ state: 'attached' });
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
  await leave();
});

test('D44 forced colours leave it seen which store is open, where one is, and what is chosen', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${shop.origin}${base}`);
  await settle(page);
  const look = (selector: string, property: string, pseudo = '') =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('${selector}'), '${pseudo}').getPropertyValue('${property}')`,
    );
  const paper = await look('body', 'background-color');
  expect(await look('.mantine-Switch-thumb', 'background-color')).not.toBe(paper);
  expect(await look('.nav-section.here > a', 'background-color', '::before')).not.toBe(paper);
  expect(await look('.figure[aria-pressed="true"]', 'border-bottom-style')).toBe('solid');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('ord');
  await page.locator('.palette-hit').first().waitFor();
  expect(await look('.palette-hit[aria-selected="true"]', 'outline-style')).toBe('solid');
  await page.goto(`${shop.origin}${base}/orders/${filled.orderNumber}`);
  await settle(page);
  const edgeOf = (isSelected: boolean) =>
    look(`[role="tab"][aria-selected="${isSelected}"]`, 'border-bottom-color');
  expect(await edgeOf(true)).not.toBe(await edgeOf(false));
  await leave();
});

/** A phone of 375 px on which everything is shown at twice the size, in a language of long words. */
const AT_TWICE_THE_SIZE = { viewport: { width: 188, height: 370 }, locale: 'de-DE' };

test('D45 a phone at twice the size scrolls no screen sideways', async () => {
  const { page, leave } = await signIn(shop, EMAIL, AT_TWICE_THE_SIZE);
  const findings: string[] = [];
  const look = async (screen: string) => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > AT_TWICE_THE_SIZE.viewport.width) findings.push(`${screen} is ${width} wide`);
  };
  await visitScreens(page, base, { look });
  expect(findings).toEqual([]);
  await leave();
});

/** The merchant's dashboard in a real browser, by the names that assistive tools see. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { type BuyerOptions, PHONE } from './support/browser.ts';
import { field } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
let base: string;
let number: string;
let subscriptionId: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  const offerId = await makeOffer(shop.store, { name: 'Nebula <b>Drift</b>' });
  const planId = await makePlanOffer(shop.store, {});
  for (const [index, country] of ['DE', 'FR', 'US'].entries()) {
    await buy(offerId, `buyer${index}@example.com`, country);
  }
  const { body } = await buy(offerId, 'last@example.com', 'DE');
  number = body.data.order.number;
  const bought = await buy(planId, 'plan@example.com', 'DE');
  subscriptionId = bought.body.data.order.subscriptionId;
});
afterAll(() => shop?.close());

const buy = (offerId: string, userEmail: string, countryCode: string) =>
  shop.store.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail,
    billingDetails: { countryCode },
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Runs as a signed-in member; whatever the pages did wrong fails the test. */
async function asMember(options: Omit<BuyerOptions, 'origin'>, work: (page: Page) => Promise<void>) {
  const { context, problems, newTab } = await shop.openBuyer(options);
  const page = await newTab();
  await page.goto(`${shop.origin}/dashboard`);
  await page.locator('input[name="email"]').fill(EMAIL);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await work(page);
  expect(problems).toEqual([]);
  await context.close();
}

/** Screens that every admin has, each with its heading. */
const screens = (): Array<[string, string | RegExp]> => [
  ['', /^(Home|Start)$/],
  ['/orders', /^(Orders|Bestellungen)$/],
  [`/orders/${number}`, new RegExp(number)],
  ['/orders/payments', /^(Payments|Zahlungen)$/],
  ['/subscriptions', /^(Subscriptions|Abonnements)$/],
  [`/subscriptions/${subscriptionId}`, new RegExp(subscriptionId)],
  ['/customers', /^(Customers|Kunden)$/],
  ['/catalogue/products', /^(Products|Produkte)$/],
  ['/catalogue/discounts', /^(Discounts|Rabatte)$/],
  ['/finance/ledger', /^(Ledger|Hauptbuch)$/],
  ['/mail', /^(Mail|E-Mails)$/],
  ['/developers/webhooks', /^Webhooks$/],
  ['/developers/events', /^(Events|Ereignisse)$/],
  ['/developers/test-clock', /^(Test clock|Testuhr)$/],
  ['/settings/business', /^(Business|Unternehmen)$/],
  ['/account/profile', /^(Profile|Profil)$/],
];

async function visitAll(page: Page, look: (path: string) => Promise<void>) {
  for (const [path, title] of screens()) {
    await page.goto(base + path);
    await heading(page, title).waitFor();
    await page.waitForLoadState('networkidle');
    await look(path);
  }
}

test('D01 without a session every address leads to the sign-in, with all its ways', async () => {
  const { context, problems, newTab } = await shop.openBuyer();
  const page = await newTab();
  await page.goto(`${base}/orders`);
  await heading(page, 'Sign in').waitFor();
  await field(page, 'Email').waitFor();
  await page.getByLabel('Password', { exact: true }).waitFor();
  for (const name of ['Sign in', 'Email me a link', 'Use a passkey']) await button(page, name).waitFor();
  await page.getByRole('link', { name: 'Forgot password?' }).waitFor();
  // This store waits for nobody to set it up.
  expect(await page.getByText('set-up link').count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('D21 a filter is in the address by the API’s own name, and a reload shows the same rows', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/orders`);
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await button(page, 'Add filter').click();
    await page.getByRole('menuitem', { name: 'Status' }).click();
    await page.getByRole('dialog', { name: 'Status' }).getByLabel('Paid', { exact: true }).check();
    await button(page, 'Apply').click();
    await button(page, 'Status: PAID').waitFor();
    expect(new URL(page.url()).search).toBe('?statuses=PAID');
    const rows = await page.getByRole('row').count();
    await page.reload();
    await button(page, 'Status: PAID').waitFor();
    await page.getByRole('link', { name: number }).waitFor();
    expect(await page.getByRole('row').count()).toBe(rows);
    await button(page, 'Remove Status').click();
    await button(page, 'Status: PAID').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  }));

test('D23 a number that is pasted into the search opens its page', () =>
  asMember({}, async (page) => {
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.fill(number);
    await page.keyboard.press('Enter');
    await heading(page, `Order ${number}`).waitFor();
  }));

test('D23 the number of an invoice leads to its payment, a code to the list that shows it', () =>
  asMember({}, async (page) => {
    const { body } = await shop.store.get('/v0/invoices/list', { query: { take: '1' } });
    const [invoice] = body.data.invoices;
    const code = { type: 'code', discountCode: 'SPRING10', amountType: 'percentage', amount: 10 };
    await shop.store.post('/v0/discounts/create', code);
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      // At once: what was not answered yet is opened when it is.
      await page.keyboard.press('Enter');
    };
    await open(invoice.number);
    await page.waitForURL(`**/orders/payments/${invoice.paymentId}`);
    await page.getByRole('link', { name: invoice.number }).waitFor();
    await open('SPRING10');
    await heading(page, 'Discounts').waitFor();
    await page.getByRole('table', { name: 'Discounts' }).getByText('SPRING10').waitFor();
    await open('Create webh');
    await page
      .getByRole('dialog', { name: 'Create webhook' })
      .getByRole('textbox', { name: 'URL' })
      .waitFor();
  }));

test('D28 each line of a timeline says what it is of', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/orders/${number}`);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const charge = page.locator('.timeline li[data-kind="charge"]').first();
    await charge.getByText('Charge', { exact: true }).waitFor();
    await charge.getByText('Succeeded · ').waitFor();
  }));

test('what is low on stock is a filter, and all of one user a file', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/catalogue/products?lowStock=true&statuses=ACTIVE,HIDDEN`);
    await button(page, 'Low stock: Yes').waitFor();
    await button(page, 'Status: ACTIVE, HIDDEN').waitFor();
    const { body } = await shop.store.get('/v0/users/list', { query: { take: '1' } });
    await page.goto(`${base}/customers/${body.data.users[0].id}`);
    await button(page, 'Export data').click();
    await page.getByRole('dialog', { name: 'Export data' }).getByText('All that this store has of').waitFor();
  }));

test('D34 what the API refuses stands at its field, and the first has the focus', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/catalogue/products`);
    await button(page, 'Create product').first().click();
    const dialog = page.getByRole('dialog', { name: 'Create product' });
    await dialog.getByRole('button', { name: 'Create product' }).click();
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await dialog.locator('[aria-invalid="true"]').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  }));

test('D34 a field that cannot be emptied is said to be empty, and not to be no text', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/settings/workspace`);
    const address = page.locator('input[name="portalSlug"]');
    await address.fill('');
    await address.press('Enter');
    await page.getByText('is required', { exact: true }).waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
  }));

test('D34 the focus stays in a field that is mended, whatever else is wrong', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/catalogue/products`);
    await button(page, 'Create product').click();
    const form = page.getByRole('dialog', { name: 'Create product' });
    const wrong = ['name', 'cover'].map((path) => ({ path, message: 'is wrong' }));
    await page.route('**/v0/products/create', (route) =>
      route.fulfill({
        status: 400,
        json: { status: 'error', error: { message: 'Wrong.', code: 'invalid_input', details: wrong } },
      }),
    );
    await form.getByRole('button', { name: 'Create product' }).click();
    await expect.poll(() => form.locator('[aria-invalid="true"]').count()).toBe(2);
    await page.keyboard.type('Bell');
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Bell');
  }));

test('D34 what a dialog is refused for stands at its field, or above them all', () =>
  asMember({}, async (page) => {
    await page.goto(`${base}/subscriptions/${subscriptionId}`);
    await button(page, 'Cancel subscription').click();
    const ending = page.getByRole('dialog', { name: 'Cancel subscription' });
    const reason = ending.getByRole('textbox', { name: 'Reason' });
    await reason.fill('x'.repeat(2_001));
    await ending.getByRole('button', { name: 'Cancel subscription' }).click();
    await ending.locator('.field-error').waitFor();
    await expect.poll(() => reason.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await button(page, 'Drop it').click();
    await button(page, 'Change plan').click();
    const changing = page.getByRole('dialog', { name: 'Change plan' });
    await changing.getByRole('spinbutton', { name: 'Quantity' }).fill('10001');
    await changing
      .getByRole('alert')
      .getByText(/quantity/)
      .waitFor();
  }));

test('D29 a refund is given once by a German amount and a double press', () =>
  asMember({ locale: 'de-DE' }, async (page) => {
    await page.goto(`${base}/orders/${number}`);
    await button(page, 'Erstatten').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Betrag' }).fill('12,34');
    await dialog.getByRole('button', { name: /^12,34/ }).dblclick();
    await page.getByText('Teilweise erstattet').first().waitFor();
    const { body } = await shop.store.get(`/v0/orders/${number}`);
    expect(body.data.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([1234]);
  }));

test('D45 on a phone nothing scrolls sideways, and a button opens the navigation', () =>
  asMember({ viewport: PHONE }, async (page) => {
    await visitAll(page, async (path) => {
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, PHONE.width]);
    });
    await button(page, 'Navigation').click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click();
    await heading(page, 'Customers').waitFor();
  }));

test('D45 neither a name of one long word nor an amount of millions leaves its place on a phone', () =>
  asMember({ viewport: PHONE }, async (page) => {
    await makeAccount(shop.app, {
      email: 'long@first.example',
      name: 'Ada Elektrizitätenhauptbetriebswerkbau',
    });
    await buy(await makeOffer(shop.store, { price: 1_234_567_890 }), 'dear@example.com', 'DE');
    await page.goto(`${base}/settings/notifications`);
    await page.getByText('Elektrizitätenhauptbetriebswerkbau').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.goto(base);
    const figures = page.locator('.figure-value');
    await figures
      .getByText(/^€1\d,\d{3},\d{3}/)
      .first()
      .waitFor();
    const overhangs = figures.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(await overhangs).toEqual([0, 0, 0, 0]);
  }));

test('D45 an amount of millions is whole on a desk, on its stub and beside the last orders', () =>
  asMember({}, async (page) => {
    const price = 123_456_789_000;
    const { body } = await buy(await makeOffer(shop.store, { price }), 'dearest@example.com', 'DE');
    const overhangOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth)));
    await page.goto(base);
    await page.locator('.small-sheet .amount').first().waitFor();
    await page
      .locator('.figure-value')
      .getByText(/^€\d,\d{3},\d{3},\d{3}/)
      .first()
      .waitFor();
    expect(await overhangOf('.figure-value')).toBeLessThanOrEqual(0);
    expect(await overhangOf('.small-sheet .row-list li')).toBeLessThanOrEqual(0);
    await page.goto(`${base}/orders/${body.data.order.number}`);
    await page.locator('.stub-amount .amount').waitFor();
    expect(await overhangOf('.stub-amount')).toBeLessThanOrEqual(0);
  }));

test('D46 what is refused is said in German, of the whole and at its field', () =>
  asMember({ locale: 'de-DE' }, async (page) => {
    await page.goto(`${base}/orders/NQ5UCHNUMBER`);
    await page.getByRole('alert').getByText('Das gibt es hier nicht.').waitFor();
    await page.goto(`${base}/catalogue/products`);
    await button(page, 'Produkt anlegen').first().click();
    const form = page.getByRole('dialog', { name: 'Produkt anlegen' });
    await form.getByRole('button', { name: 'Produkt anlegen' }).click();
    await form.getByText('Bitte ausfüllen.').waitFor();
  }));

test('D46 in German the document says so, and no text stays a key', () =>
  asMember({ locale: 'de-DE' }, (page) =>
    visitAll(page, async (path) => {
      expect([path, await page.evaluate<string>('document.documentElement.lang')]).toEqual([path, 'de']);
      const text = await page.locator('#app').innerText();
      expect([path, /\b(nav|list|column|field|action|settings)\.[a-z]/.exec(text)]).toEqual([path, null]);
    }),
  ));

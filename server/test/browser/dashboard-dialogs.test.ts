/** Dialogs of the dashboard, as somebody meets them who reads German and has a keyboard alone. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import { PHONE } from './support/browser.ts';
import { button, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const readTexts = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../web/dashboard/${file}.json`, import.meta.url), 'utf8'));
const textsOf = (language: string) => ({
  ...readTexts(`app/texts/${language}`),
  ...readTexts(`work/texts/${language}`),
});
const [german, english] = [textsOf('de'), textsOf('en')];

let shop: Shop;
let dialogs: Array<{ path: string; opener: string }>;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  const offersIds = [await makeOffer(shop.store)];
  const bought = await shop.store.post('/v0/test-purchases/create', {
    ...{ offersIds, userEmail: 'buyer@example.com', billingDetails: { countryCode: 'DE' } },
  });
  const order = `/orders/${bought.body.data.order.number}`;
  dialogs = [
    { path: order, opener: 'action.refund' },
    { path: '/orders', opener: 'form.testPurchase' },
    { path: '/customers', opener: 'form.createCustomer' },
    { path: '/catalogue/products', opener: 'form.createProduct' },
    { path: '/catalogue/discounts', opener: 'form.createDiscount' },
    { path: '/catalogue/checkouts', opener: 'form.createCheckout' },
    { path: '/catalogue/custom-fields', opener: 'form.createCustomField' },
    { path: '/developers/api-keys', opener: 'form.createKeyPair' },
    { path: '/developers/webhooks', opener: 'form.createWebhook' },
    { path: '/settings/team', opener: 'form.inviteMember' },
  ];
});
afterAll(() => shop?.close());

/** What is asked of a dialog that is open, by the page itself. */
interface Seen {
  text: string;
  name: string;
  /** Which of its fields has the focus; -1 = none, so that "Close" may have it. */
  fieldAt: number;
  /** What each field is called; empty where no label names it. */
  labels: string[];
  /** Pixels that the page is wider than its window. */
  overhang: number;
}

const LOOK = `(() => {
  const dialog = document.querySelector('[role="dialog"]');
  const nameOf = (field) => [...(field.labels ?? [])].map((label) => label.innerText.trim()).join(' ')
    || field.getAttribute('aria-label') || field.getAttribute('aria-labelledby') || '';
  const fields = [...dialog.querySelectorAll('input:not([type="hidden"]), select, textarea')];
  return {
    text: dialog.innerText,
    name: dialog.getAttribute('aria-label')
      ?? document.getElementById(dialog.getAttribute('aria-labelledby'))?.innerText ?? '',
    fieldAt: fields.indexOf(document.activeElement),
    labels: fields.map(nameOf),
    overhang: document.documentElement.scrollWidth - window.innerWidth,
  };
})()`;
const look = (page: Page) => page.evaluate<Seen>(LOOK);

for (const viewport of [undefined, PHONE]) {
  const place = viewport ? 'on a phone' : 'on a desk';
  test(`D46 a dialog is German, named, takes the focus and gives it back: ${place}`, async () => {
    const { page, leave } = await signIn(shop, EMAIL, { locale: 'de-DE', ...(viewport ? { viewport } : {}) });
    const base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
    for (const { path, opener } of dialogs) {
      await page.goto(`${base}${path}`);
      const open = button(page, german[opener] ?? opener).first();
      await open.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await expect.poll(async () => (await look(page)).fieldAt, { message: path }).toBeGreaterThan(-1);
      const seen = await look(page);
      expect([path, seen.name]).not.toEqual([path, '']);
      expect([path, seen.labels.includes(''), seen.overhang]).toEqual([path, false, 0]);
      expect([path, /\b(nav|list|column|field|form|dialog|action|option)\.[a-z]/.exec(seen.text)]).toEqual([
        path,
        null,
      ]);
      expect([path, seen.labels.filter(isEnglish)]).toEqual([path, []]);
      expect([path, await findViolations(page)]).toEqual([path, []]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(() => open.evaluate((one) => one === one.ownerDocument.activeElement), { message: path })
        .toBe(true);
    }
    await leave();
  });
}

/** A text of the English page that the German one has another one for. */
function isEnglish(label: string): boolean {
  const keys = Object.keys(english).filter((key) => english[key] === label);
  return keys.length > 0 && keys.every((key) => german[key] !== undefined && german[key] !== label);
}

test('what is left after a refund of somebody else is said as money', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  const price = 12_345;
  const bought = await shop.store.post('/v0/test-purchases/create', {
    ...{ offersIds: [await makeOffer(shop.store, { price })], userEmail: 'twice@example.com' },
    billingDetails: { countryCode: 'DE' },
  });
  expect(bought.status, bought.text).toBe(200);
  const { number, value } = bought.body.data.order;
  const toMajor = (minor: number) => (minor / 100).toFixed(2);
  await page.goto(`${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/orders/${number}`);
  await button(page, 'Refund').click();
  const dialog = page.getByRole('dialog', { name: `Refund order ${number}` });
  await button(dialog, `Refund ${toMajor(value)} EUR`).waitFor();
  const amount = dialog.getByRole('textbox', { name: 'Amount', exact: true });
  for (const unread of ['abc', '12.345', '']) {
    await amount.fill(unread);
    await dialog.getByText(`This is no amount of EUR, such as ${toMajor(value)}.`).waitFor();
  }
  await amount.fill(toMajor(value));
  await shop.store.post(`/v0/orders/${number}/refunds`, { amount: 456, reason: 'other' });
  await button(dialog, `Refund ${toMajor(value)} EUR`).click();
  await dialog.getByText(`An amount up to €${toMajor(value - 456)}.`).waitFor();
  await leave();
});

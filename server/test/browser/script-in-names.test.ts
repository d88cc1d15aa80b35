/** Whatever a merchant or a buyer calls something is text: on the checkout, the receipt, in mails and documents. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { card, openPage, VISA } from '../support/buying.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import type { Buyer } from './support/browser.ts';
import { SCRIPT_NAMES as NAMES } from './support/script-names.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let elementIds: string[];
beforeAll(async () => {
  shop = await openShop();
  const offerIds: string[] = [];
  for (const name of NAMES) offerIds.push(await makeOffer(shop.store, { name, price: 100 }));
  elementIds = await Promise.all(
    [offerIds.slice(0, 100), offerIds.slice(100)].map(async (offersIds) => {
      const { body } = await shop.store.post('/v0/elements/checkout/create', { offersIds });
      return body.data.checkoutElement.id;
    }),
  );
  for (const [index, label] of NAMES.slice(0, 50).entries()) {
    const field = { key: `field${index}`, label, type: 'text', required: false };
    expect((await shop.store.post('/v0/custom-fields/create', field)).status).toBe(200);
  }
  await shop.changeSettings({ seller: { name: NAMES[0] ?? '' } });
});
afterAll(() => shop?.close());

/** Nothing ran, nothing was asked of anybody, and each name is there to be read. */
async function expectText(page: Page, buyer: Buyer, names: readonly string[]): Promise<void> {
  const text = (await page.evaluate<string>('document.body.textContent')) ?? '';
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
  expect(await page.evaluate('window.hit')).toBeUndefined();
  expect(buyer.problems).toEqual([]);
}

async function openTab(buyer: Buyer): Promise<Page> {
  const page = await buyer.newTab();
  page.on('dialog', (dialog) => {
    buyer.problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return page;
}

it('T41 200 names that are scripts are shown as text, and nothing of them runs', {
  timeout: 300_000,
}, async () => {
  expect(NAMES).toHaveLength(200);
  const buyer = await shop.openBuyer();
  const page = await openTab(buyer);
  for (const [half, elementId] of elementIds.entries()) {
    const names = NAMES.slice(half * 100, half * 100 + 100);
    const link = `/checkout-element/${elementId}`;
    await page.goto(shop.origin + link);
    await page.locator('.line-name').nth(99).waitFor();
    await expectText(page, buyer, [...names, ...NAMES.slice(0, 50)]);

    const checkout = await openPage(shop.app, link);
    const email = `script-${half}@example.com`;
    const person = { firstName: names[3], lastName: names[6], customFields: { field0: names[1] } };
    const bought = await checkout.submit({ email, card: card(VISA), ...person });
    expect(bought.body.data.checkout.status).toBe('paid');
    await page.goto(shop.origin + checkout.pagePath);
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    await expectText(page, buyer, names);

    await shop.app.wired.worker.runDue();
    const mails = await shop.store.get('/v0/mails/list', { query: { recipient: email, kinds: 'receipt' } });
    const letter = await openTab(buyer);
    await letter.setContent(mails.body.data.mails[0].html);
    await expectText(letter, buyer, names);

    const { invoiceUrl } = bought.body.data.checkout.receipt;
    const pdf = await shop.app.app.inject({ method: 'GET', url: invoiceUrl });
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(pdf.rawPayload.toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch|SubmitForm)\b/);
  }
  await buyer.context.close();
});

it('T41 a payment’s page shows such a name as text', async () => {
  const name = NAMES[4] ?? '';
  const { body } = await shop.store.post('/v0/test-purchases/create', {
    offersIds: [await makeOffer(shop.store, { name })],
    ...{ userEmail: 'pays@example.com', card: '4000000000000002', billingDetails: { countryCode: 'DE' } },
  });
  const buyer = await shop.openBuyer();
  const page = await openTab(buyer);
  await page.goto(body.data.payment.payUrl);
  await page.locator('.line-name').first().waitFor();
  await expectText(page, buyer, [name]);
  await buyer.context.close();
});

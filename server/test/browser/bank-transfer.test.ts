/** The buyer's pages where the money is sent by hand: chosen, told where to, and paid once it has come. */
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations, keepGrave } from './support/axe.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { CARDS, choice, field, settlePrice, thanks } from './support/checkout.ts';
import { listOrders, openShop, type Shop } from './support/shop.ts';

const IBAN = 'DE89370400440532013000';
const SHOWN_IBAN = 'DE89 3704 0044 0532 0130 00';
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
const ACCOUNT = { kind: 'manual', name: 'Bank', iban: IBAN, bic: 'COBADEFFXXX', holder: 'Muster GmbH' };
const WORDS = { en: 'Please pay from an account in your own name.', de: 'Bitte vom eigenen Konto zahlen.' };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const { status } = await shop.store.post('/v0/processors/connect', { ...ACCOUNT, instructions: WORDS });
  expect(status).toBe(200);
});
afterAll(async () => {
  if (!shop) return;
  await expectInvariants(shop.app);
  await shop.close();
});

const transferChoice = (page: Page) => page.getByRole('radio', { name: 'Bank transfer' });
const transferHeading = (page: Page, level: number) =>
  page.getByRole('heading', { level, name: 'Send €19.99 by bank transfer' });

/** What the page says of the transfer, by the names that it gives. */
async function readFacts(page: Page): Promise<Record<string, string>> {
  const rows = page.locator('.transfer-facts > div');
  const names = await rows.locator('dt').allTextContents();
  const values = await rows.locator('dd:first-of-type').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** The dots that are drawn, row by row. */
async function readCode(page: Page): Promise<boolean[][]> {
  const picture = page.getByRole('img', { name: 'QR code of the transfer' });
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await picture.locator('path').getAttribute('d')) ?? '';
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => dark.has(`${x} ${y}`)),
  );
}

async function findGraveFindings(page: Page) {
  return keepGrave(await findViolations(page)).map(({ id }) => id);
}

async function receiveFor(email: string): Promise<void> {
  const [order] = await listOrders(shop, email);
  const { body } = await shop.store.get(`/v0/orders/${order?.id}`);
  const [payment] = body.data.payments;
  const receivedAt = Math.floor((await shop.store.get('/v0/test-clock')).body.data.testClock.now);
  const money = { amount: payment.value, receivedAt, reference: 'T-1' };
  const answer = await shop.store.post(`/v0/payments/${payment.id}/receive`, money);
  expect(answer.body.data.payment).toMatchObject({ status: 'PAID' });
}

describe('P45 in the browser', () => {
  it.each([
    ['a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a phone, dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('a transfer is chosen, told and waited for at checkout, on %s', async (name, options) => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1999, ...EUROS });
    const email = `${name.split(' ')[1]?.replace(',', '')}@example.com`;
    const buyer = await shop.openBuyer(options);
    await buyer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await buyer.newTab();
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Card number').waitFor();
    await field(page, 'Email').fill(email);
    await choice(page, 'Country').selectOption('DE');
    await transferChoice(page).check();
    await field(page, 'Card number').waitFor({ state: 'detached' });
    expect(await findGraveFindings(page)).toEqual([]);
    await settlePrice(page);
    await page.getByRole('button', { name: 'Pay €19.99 by bank transfer' }).click();
    await transferHeading(page, 2).waitFor();
    const [order] = await listOrders(shop, email);
    expect(await readFacts(page)).toEqual({
      Amount: '€19.99',
      Recipient: 'Muster GmbH',
      IBAN: SHOWN_IBAN,
      BIC: 'COBADEFFXXX',
      Reference: order?.number,
    });
    await page.getByText(WORDS.en).waitFor();
    const lines = ['BCD', '002', '1', 'SCT', ACCOUNT.bic, ACCOUNT.holder, IBAN, 'EUR19.99', '', ''];
    const drawn = encode([...lines, String(order?.number)].join('\n'), { ecc: 'M', border: 3 });
    expect(await readCode(page)).toEqual(drawn.data);
    const copy = page.getByRole('button', { name: 'Copy: IBAN' });
    expect(await copy.innerText()).toBe('Copy');
    await copy.click();
    await copy.getByText('Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(IBAN);
    expect(await findGraveFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport.width);
    await page.reload();
    await transferHeading(page, 2).waitFor();
    await receiveFor(email);
    await thanks(page).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });

  it('it is read in the language that the buyer chooses', async () => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1999, ...EUROS });
    const buyer = await shop.openBuyer({ locale: 'de-DE' });
    const page = await buyer.newTab();
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'E-Mail').fill('gerda@example.com');
    await choice(page, 'Land').selectOption('DE');
    await page.getByRole('radio', { name: 'Überweisung' }).check();
    await settlePrice(page);
    await page.getByRole('button', { name: '19,99 € per Überweisung zahlen' }).click();
    await page.getByRole('heading', { level: 2, name: '19,99 € per Überweisung senden' }).waitFor();
    await page.getByText(WORDS.de).waitFor();
    expect(Object.keys(await readFacts(page))).toEqual([
      'Betrag',
      'Empfänger',
      'IBAN',
      'BIC',
      'Verwendungszweck',
    ]);
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });

  it('a declined order is paid by it on the page of its payment', async () => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1999, ...EUROS });
    const userEmail = 'declined@example.com';
    const bought = await buy(shop.store, { card: CARDS.declined, userEmail, offersIds: [offerId] });
    const buyer = await shop.openBuyer();
    const page = await buyer.newTab();
    await page.goto(bought.body.data.payment.payUrl);
    await transferChoice(page).check();
    await page.getByRole('button', { name: 'Pay €19.99 by bank transfer' }).click();
    await transferHeading(page, 1).waitFor();
    expect(await readFacts(page)).toMatchObject({
      IBAN: SHOWN_IBAN,
      Reference: bought.body.data.order.number,
    });
    expect(await findGraveFindings(page)).toEqual([]);
    await receiveFor(userEmail);
    await page.getByRole('heading', { level: 1, name: 'This is paid' }).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });

  it('it is not offered for what others may wait for', async () => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1999, limit: 3, ...EUROS });
    const buyer = await shop.openBuyer();
    const page = await buyer.newTab();
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Card number').waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
    await buyer.context.close();
  });
});

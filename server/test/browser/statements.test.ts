/** The pages on which buyers withdraw and cancel without signing in. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import { PHONE } from './support/browser.ts';
import { field } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  const { body } = await shop.store.get('/v0/settings');
  base = `${shop.origin}/portal/${body.data.settings.portalSlug}/test`;
});
afterAll(() => shop?.close());

async function atPage(path: string, locale: string, look: (page: Page) => Promise<void>): Promise<void> {
  const buyer = await shop.openBuyer({ viewport: PHONE, locale });
  const page = await buyer.newTab();
  await page.goto(base + path);
  await look(page);
  expect(await findViolations(page)).toEqual([]);
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
}

const subscribe = async () => {
  const { body } = await buy(shop.store, { offersIds: [await makePlanOffer(shop.store)], userEmail: EMAIL });
  return body.data.subscription as { id: string; currentIntervalEnd: number };
};
const subscriptionOf = async (id: string) =>
  (await shop.store.get(`/v0/subscriptions/${id}`)).body.data.subscription;
const listNotices = async (term: string) =>
  (await shop.store.get('/v0/cancellation-notices/list', { query: { term } })).body.data.notices;

describe('S32 the page that cancels', () => {
  it('is German for a German, takes all at once and tells what has come in', async () => {
    const { id } = await subscribe();
    await atPage('/cancel-contract', 'de-DE', async (page) => {
      await field(page, 'Name').fill('Ada Lovelace');
      await field(page, 'E-Mail').fill(EMAIL);
      await field(page, 'Vertrags- oder Bestellnummer').fill(id);
      await page.getByRole('button', { name: 'jetzt kündigen', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: /eingegangen|erhalten/ }).waitFor();
      await page.getByRole('link', { name: 'Bestätigung herunterladen' }).waitFor();
    });
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active', cancelAtIntervalEnd: true });
  });

  it('takes a later date, and none that it cannot read for as early as possible', async () => {
    const { id } = await subscribe();
    await atPage('/cancel-contract?svc-language=en', 'en-US', async (page) => {
      await field(page, 'Name').fill('Ada Lovelace');
      await field(page, 'Email').fill(EMAIL);
      await field(page, 'Contract or order number').fill(id);
      const date = page.getByLabel('End date');
      const press = () => page.getByRole('button', { name: 'Cancel now', exact: true }).click();
      const refused = page.getByText('Enter the whole date', { exact: false });
      // Typed in part, it has no value.
      await date.pressSequentially('03');
      await press();
      await refused.waitFor();
      // A browser without such a field takes words.
      await date.evaluate((input) => input.setAttribute('type', 'text'));
      await date.fill('31.12.2099');
      await press();
      await refused.waitFor();
      expect(await listNotices(id)).toEqual([]);
      await date.fill('2099-12-31');
      await press();
      await page.getByRole('heading', { level: 1, name: /^We have received/ }).waitFor();
      await page.getByText('Dec 31, 2099').waitFor();
    });
    expect(await listNotices(id)).toMatchObject([
      { status: 'received', endDate: Date.UTC(2099, 11, 31, 23, 59, 59, 999) },
    ]);
    expect(await subscriptionOf(id)).toMatchObject({ cancelAtIntervalEnd: false });
  });
});

describe('S29 the page that withdraws', () => {
  it('asks for no reason, and answers to the second', async () => {
    const { body } = await buy(shop.store, { offersIds: [await makeOffer(shop.store)], userEmail: EMAIL });
    await atPage(`/withdraw?order=${body.data.order.number}`, 'en-US', async (page) => {
      await field(page, 'Name').fill('Ada Lovelace');
      expect(await field(page, 'Order number').inputValue()).toBe(body.data.order.number);
      await field(page, 'Email for the confirmation').fill(EMAIL);
      await page.getByRole('button', { name: 'Confirm withdrawal', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'We have received your withdrawal' }).waitFor();
      await page.getByText(/\d{1,2}:\d{2}:\d{2}/).waitFor();
      await page.getByText(/^W-/).waitFor();
    });
  });
});

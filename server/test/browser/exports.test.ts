/** Lists as files, and the books, in a real browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD } from '../support/browser.ts';
import { parseCsv } from '../support/exporting.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const OWNER = 'owner@exports.example';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  const { workspaceId } = shop.store.scope;
  await shop.app.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  await makeAccount(shop.app, { email: OWNER, member: { workspaceId, role: 'owner' } });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  await shop.store.post('/v0/custom-fields/create', {
    ...{ key: 'guild', label: 'Guild', type: 'text', required: false },
  });
  const offerId = await makeOffer(shop.store, { name: '=1+1', price: 1000 });
  for (const [index, countryCode] of ['DE', 'PL', 'DE'].entries()) {
    await shop.store.post('/v0/test-purchases/create', {
      ...{
        offersIds: [offerId],
        userEmail: `buyer${index}@example.com`,
        customFields: { guild: `G${index}` },
      },
      billingDetails: { countryCode },
    });
  }
  shop.app.wired.worker.start();
});
afterAll(async () => {
  await shop?.app.wired.worker.stop();
  await shop?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function asMember(work: (page: Page) => Promise<void>, email = EMAIL) {
  const { context, problems, newTab } = await shop.openBuyer();
  const page = await newTab();
  await page.goto(`${shop.origin}/dashboard`);
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await work(page);
  expect(problems).toEqual([]);
  await context.close();
}

test('D26 an export of a filter shows how far it is, and holds the rows and the sum of the list', () =>
  asMember(async (page) => {
    const [first] = (await shop.store.get('/v0/orders/list?country=DE')).body.data.orders;
    await shop.app.service.db
      .updateTable('orders')
      .set({ value: -500n })
      .where('id', '=', first.id)
      .execute();
    const { orders } = (await shop.store.get('/v0/orders/list?country=DE')).body.data;
    await page.goto(`${base}/orders?country=DE`);
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('Times in the file are UTC.').waitFor();
    await button(page, 'Start export').click();
    await dialog.getByRole('progressbar', { name: 'Export' }).waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    const rows = parseCsv(readFileSync(await (await download).path(), 'utf8'));
    const sum = (list: Array<Record<string, unknown>>) =>
      list.reduce((total, { value }) => total + Number(value), 0);
    expect(rows.map(({ number }) => number)).toEqual(orders.map(({ number }: { number: string }) => number));
    expect(sum(rows)).toBe(sum(orders));
    expect(rows[0]).toMatchObject({ value_major: '-5.00', itemNames: "'=1+1", 'customFields.guild': 'G2' });
    expect(rows[0]?.createdAt_utc).toMatch(/Z$/);
  }));

test('D26 a file is found again once its dialog is closed; all of the store is its Owner’s to take', () =>
  asMember(async (page) => {
    await page.goto(`${base}/customers`);
    await page.getByRole('table', { name: 'Customers' }).waitFor();
    await button(page, 'Export').click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await button(page, 'Start export').click();
    await dialog.getByRole('link', { name: 'Download' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${base}/settings/exports`);
    const row = page.getByRole('table', { name: 'Exports' }).getByRole('row', { name: /Customers/ });
    await row.getByText('Done').waitFor();
    expect(await button(page, 'Export the store').count()).toBe(0);

    // Of buyers only for whoever has just proved who they are.
    await page.request.delete(`${shop.origin}/v0/session/reauthenticate`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    await page.reload();
    await row.getByRole('button', { name: 'Download Customers' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm it is you' });
    await asked.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download Customers' }).click();
    const rows = parseCsv(readFileSync(await (await download).path(), 'utf8'));
    expect(rows.map(({ email }) => email).sort()).toEqual([0, 1, 2].map((one) => `buyer${one}@example.com`));
  }));

test('D55 the Owner takes all of the store, and is told at the field what it cannot be sealed for', () =>
  asMember(async (page) => {
    await page.goto(`${base}/settings/exports`);
    await button(page, 'Export the store').click();
    const dialog = page.getByRole('dialog', { name: 'Export the store' });
    await dialog.getByRole('checkbox', { name: 'With secrets' }).check();
    await button(page, 'Start export').click();
    await dialog.getByText('a file with secrets is sealed for whoever reads it').waitFor();
    await dialog.getByRole('checkbox', { name: 'With secrets' }).uncheck();
    await button(page, 'Start export').click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.tar\.gz$/);
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /The whole store/ })
      .getByText('Done')
      .waitFor();
  }, OWNER));

test('D35 the books balance, an invoice’s PDF opens, and the tax comes to the figure', () =>
  asMember(async (page) => {
    await page.goto(`${base}/finance/ledger`);
    await page.getByText('The books balance').waitFor();
    await page.goto(`${base}/finance/invoices`);
    await page.getByRole('table', { name: 'Invoices' }).waitFor();
    const { invoices } = (await shop.store.get('/v0/invoices/list')).body.data;
    const pdf = await page.request.get(String(invoices[0].url ?? invoices[0].pdfUrl));
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await page.goto(`${base}/finance/tax?tab=summary`);
    const table = page.getByRole('table', { name: 'Summary' });
    await table.waitFor();
    const span = { from: String(Date.now() - 86_400_000), to: String(Date.now() + 86_400_000) };
    const { rows } = (await shop.store.get('/v0/tax/summary', { query: span })).body.data;
    const told = (await shop.store.get('/v0/reports/overview', { query: { ...span, currency: 'EUR' } })).body
      .data;
    const { value } = told.metrics.find(({ metric }: { metric: string }) => metric === 'taxCollected');
    expect(rows.reduce((total: number, { tax }: { tax: number }) => total + tax, 0)).toBe(value);
    for (const { tax } of rows)
      await table
        .getByText((tax / 100).toFixed(2), { exact: false })
        .first()
        .waitFor();
    await page.getByRole('tab', { name: 'Thresholds' }).click();
    await page.getByRole('table', { name: 'Thresholds' }).getByText('Article 59c').waitFor();
    await page.goto(`${base}/finance/tax?tab=rates&country=EE`);
    await page.getByRole('table', { name: 'Rates' }).getByText('24%').first().waitFor();
  }));

test('invoices that are selected come as one archive of their documents', () =>
  asMember(async (page) => {
    const { invoices } = (await shop.store.get('/v0/invoices/list')).body.data;
    expect(invoices).toHaveLength(3);
    await page.goto(`${base}/finance/invoices`);
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    const downloading = page.waitForEvent('download');
    await button(page, 'Download as ZIP').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('invoices.zip');
    const zip = readFileSync(await download.path());
    expect(zip.readUInt16LE(zip.length - 12)).toBe(3);
    for (const { number } of invoices) expect(zip.includes(`${number}.pdf`)).toBe(true);
    expect(zip.toString('latin1').match(/%PDF-/g)).toHaveLength(3);
    await page.getByRole('status').getByText('3').waitFor();
  }));

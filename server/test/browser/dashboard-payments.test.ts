/** Payments in the dashboard: who takes the money, what has come, and what came otherwise than it was asked for. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { buy, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { takeOtherNext } from '../support/faulty-processor.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const OWNER = 'ada@first.example';
const MANAGER = 'mia@first.example';
const IBAN = 'DE89370400440532013000';
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };

let shop: Shop;
let base: string;
beforeAll(async () => {
  // As with a PostgreSQL of one's own: nobody made a key to seal by.
  shop = await openShop({ DATABASE_URL: 'postgres://127.0.0.1/its-own' });
  await makeAccount(shop.app, { email: OWNER, name: 'Ada' });
  const { workspaceId } = shop.store.scope;
  await makeAccount(shop.app, { email: MANAGER, member: { workspaceId, role: 'manager' } });
  base = `${shop.origin}/dashboard/${workspaceId}/test`;
});
afterAll(async () => {
  if (!shop) return;
  await expectInvariants(shop.app);
  await shop.close();
});

const table = (page: Page) => page.getByRole('table', { name: 'Processors' });
const listKinds = async () =>
  (await shop.store.get('/v0/processors/list')).body.data.processors as Array<Record<string, unknown>>;

/** The order of a page that was submitted with a transfer. */
async function orderByTransfer(offerId: string): Promise<{ id: string; number: string }> {
  const page = await openPage(shop.app, `/checkout/${offerId}`);
  const answer = await page.submit({ card: undefined, payment: { option: 'transfer' } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.checkout.order;
}

const saveIn = async (page: Page, name: string, press: string) => {
  await dialog(page, name).getByRole('button', { name: press, exact: true }).click();
  await dialog(page, name).waitFor({ state: 'detached' });
};

test('P48 bank transfer is connected, changed, paused and resumed by the dashboard alone', async () => {
  const { page, close } = await openPerson(shop, OWNER, { viewport: DESKTOP });
  await page.goto(`${base}/settings/payments`);
  await heading(page, 'Payments').waitFor();
  await table(page).getByRole('link', { name: 'Sandbox' }).waitFor();
  await button(page, 'Connect a processor').click();
  const asked = dialog(page, 'Connect a processor');
  await asked.getByRole('combobox', { name: 'Kind' }).selectOption('manual');
  await asked.getByLabel('Name', { exact: true }).fill('House bank');
  await asked.getByLabel(/^IBAN/).fill('DE00370400440532013000');
  await asked.getByLabel(/^Account holder/).fill('Muster GmbH');
  await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
  await asked.locator('input[name="iban"][aria-invalid="true"]').waitFor();
  await asked.getByLabel(/^IBAN/).fill(IBAN);
  await asked.getByRole('button', { name: 'Add Instruction' }).click();
  await asked.getByLabel('Text', { exact: true }).fill('Pay from your own account.');
  await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
  await heading(page, 'House bank').waitFor();
  await page.getByText('DE89 3704 0044 0532 0130 00').waitFor();
  await page.getByText('Pay from your own account.').waitFor();
  expect((await listKinds()).at(-1)).toMatchObject({
    kind: 'manual',
    name: 'House bank',
    iban: IBAN,
    dueDays: 14,
    instructions: { en: 'Pay from your own account.' },
  });

  await button(page, 'Edit').click();
  const edit = dialog(page, 'Edit processor');
  await edit.getByLabel(/^Countries/).fill('DE\nAT');
  await edit.getByLabel(/^Days to pay/).fill('10');
  await saveIn(page, 'Edit processor', 'Save');
  await page.getByText('Germany, Austria').waitFor();
  expect((await listKinds()).at(-1)).toMatchObject({
    countries: ['DE', 'AT'],
    dueDays: 10,
    instructions: { en: 'Pay from your own account.' },
  });

  await button(page, 'Pause').click();
  await saveIn(page, 'Pause', 'Pause');
  await button(page, 'Resume').waitFor();
  expect((await listKinds()).at(-1)).toMatchObject({ status: 'paused' });
  await button(page, 'Resume').click();
  await saveIn(page, 'Resume', 'Resume');
  await button(page, 'Pause').waitFor();
  await close();
});

test.each([DESKTOP, PHONE])(
  'P48 why a processor is not connected stands where the merchant looks: %o',
  async (viewport) => {
    const { page, close } = await openPerson(shop, OWNER, { viewport });
    await page.goto(`${base}/settings/payments`);
    await button(page, 'Connect a processor').click();
    const asked = dialog(page, 'Connect a processor');
    const press = asked.getByRole('button', { name: 'Connect a processor', exact: true });
    // All that is missing, and not the name alone.
    await press.click();
    await asked.locator('input[name="name"][aria-invalid="true"]:focus').waitFor();
    const head = await asked.locator('.mantine-Modal-header').boundingBox();
    const field = await asked.locator('input[name="name"]').boundingBox();
    expect(field?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0));
    await asked.locator('input[name="credentials.secretKey"][aria-invalid="true"]').waitFor();
    await asked.locator('input[name="credentials.publishableKey"][aria-invalid="true"]').waitFor();
    await asked.getByLabel('Name', { exact: true }).fill('Cards');
    await press.click();
    await asked.locator('input[name="credentials.secretKey"][aria-invalid="true"]:focus').waitFor();
    await asked.locator('input[name="credentials.publishableKey"][aria-invalid="true"]').waitFor();
    await asked.getByLabel(/^Secret key/).fill('sk_test_1');
    await asked.getByLabel(/^Publishable key/).fill('pk_test_1');
    // This installation has no key to seal them by.
    await press.click();
    const notice = asked.getByRole('alert');
    await notice.waitFor();
    const [said, title] = await Promise.all(
      [notice, asked.getByRole('heading')].map((one) => one.boundingBox()),
    );
    expect(said?.y).toBeGreaterThan((title?.y ?? 0) + (title?.height ?? 0));
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(viewport.height);
    await close();
  },
);

test('P48 something is bought over one connection by its “Test checkout”, whatever the checkout takes', async () => {
  const offerId = await makeOffer(shop.store, { price: 2_345, name: 'Tried', ...EUROS });
  const { page, close } = await openPerson(shop, OWNER, { viewport: DESKTOP });
  await page.goto(`${base}/settings/payments`);
  await table(page).getByRole('link', { name: 'House bank' }).click();
  await button(page, 'Test checkout').click();
  const asked = dialog(page, 'Test checkout');
  await asked.getByRole('checkbox', { name: /^Tried/ }).check();
  await asked.getByLabel('Email', { exact: true }).fill('tries@example.com');
  await asked.getByRole('button', { name: 'Test checkout', exact: true }).click();
  await heading(page, /^Order /).waitFor();
  await button(page, 'Mark as received').waitFor();
  const { orders } = (await shop.store.get('/v0/orders/list', { query: { offerIds: offerId } })).body.data;
  expect(orders).toMatchObject([{ status: 'PENDING', value: 2_345 }]);
  await close();
});

test('P48 a transfer that has come is marked as received, and no other amount', async () => {
  const { number } = await orderByTransfer(await makeOffer(shop.store, { price: 1999, ...EUROS }));
  const { page, close } = await openPerson(shop, OWNER, { viewport: PHONE, colorScheme: 'dark' });
  await page.goto(`${base}/orders/${number}`);
  await button(page, 'Mark as received').click();
  const asked = dialog(page, 'Mark as received');
  await asked.getByText('The payment asks for €19.99').waitFor();
  await asked.getByLabel('Amount', { exact: true }).fill('19.98');
  await asked.getByLabel('Reference', { exact: true }).fill('T-4711');
  await asked.getByRole('button', { name: 'Mark as received', exact: true }).click();
  await asked.getByText(/must be what the payment asks for in EUR: €19\.99/).waitFor();
  await asked.getByLabel('Amount', { exact: true }).fill('19.99');
  await saveIn(page, 'Mark as received', 'Mark as received');
  await button(page, 'Refund').waitFor();
  expect(await button(page, 'Mark as received').count()).toBe(0);
  const { order } = (await shop.store.get(`/v0/orders/${number}`)).body.data;
  expect(order).toMatchObject({ status: 'PAID' });

  const refunded = await shop.store.post(`/v0/orders/${order.id}/refunds`, {});
  expect(refunded.body.data.refund).toMatchObject({ status: 'pending', byHand: true });
  await page.reload();
  await button(page, 'Mark as settled').click();
  await dialog(page, 'Mark as settled').getByLabel('Reference', { exact: true }).fill('T-4712');
  await saveIn(page, 'Mark as settled', 'Mark as settled');
  await page.getByText('Refunded', { exact: true }).first().waitFor();
  await close();
});

test('P48 held charges stand on Payments until they are accepted or sent back', async () => {
  const offersIds = [await makeOffer(shop.store, { price: 1999, ...EUROS })];
  const held: string[] = [];
  for (const amountMinor of [2000n, 1998n]) {
    takeOtherNext(shop.app, { amountMinor });
    held.push((await buy(shop.store, { offersIds })).body.data.payment.id);
  }
  const statusOf = async (id?: string) =>
    (await shop.store.get(`/v0/payments/${id}`)).body.data.payment.status as string;
  const { page, close } = await openPerson(shop, OWNER, { viewport: DESKTOP });
  await page.goto(`${base}/settings/payments`);
  const part = page.getByRole('region', { name: 'Held charges' });
  const rowOf = (taken: string) => part.getByRole('listitem').filter({ hasText: `Taken ${taken}` });
  await rowOf('€20.00').getByRole('button', { name: 'Accept', exact: true }).click();
  await dialog(page, 'Accept held charge').getByLabel('Note', { exact: true }).fill('Agreed by phone.');
  await saveIn(page, 'Accept held charge', 'Accept');
  await rowOf('€20.00').waitFor({ state: 'detached' });
  expect(await statusOf(held[0])).toBe('PAID');
  await rowOf('€19.98').getByRole('button', { name: 'Send back', exact: true }).click();
  await dialog(page, 'Send held charge back').getByLabel('Note', { exact: true }).fill('Too little.');
  await saveIn(page, 'Send held charge back', 'Send back');
  await part.waitFor({ state: 'detached' });
  expect(await statusOf(held[1])).toBe('FAILED');
  await close();
});

test('P48 a processor that subscriptions renew over is archived only by whoever says so', async () => {
  const { id } = await orderByTransfer(await makePlanOffer(shop.store, { price: 1000, ...EUROS }));
  const [payment] = (await shop.store.get(`/v0/orders/${id}`)).body.data.payments;
  const receivedAt = Math.floor((await shop.store.get('/v0/test-clock')).body.data.testClock.now);
  const money = { amount: 1000, receivedAt, reference: 'T-1' };
  expect((await shop.store.post(`/v0/payments/${payment.id}/receive`, money)).status).toBe(200);
  const { page, close } = await openPerson(shop, OWNER, { viewport: DESKTOP });
  await page.goto(`${base}/settings/payments`);
  await table(page).getByRole('link', { name: 'House bank' }).click();
  await button(page, 'Invite cards').click();
  await saveIn(page, 'Invite cards', 'Invite cards');
  const toast = page.getByRole('alert').filter({ hasText: 'Mails sent: 1' });
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
  await button(page, 'Archive').click();
  const asked = dialog(page, 'Archive');
  await asked.getByRole('button', { name: 'Archive', exact: true }).click();
  await asked.getByRole('alert').getByText('1 subscription renews over this processor.').waitFor();
  await asked.getByLabel('Archive it although subscriptions renew over it').check();
  await saveIn(page, 'Archive', 'Archive');
  await button(page, 'Edit').waitFor({ state: 'detached' });
  expect((await listKinds()).at(-1)).toMatchObject({ status: 'retired' });
  await close();
});

test('D13 who may only read processors has no control of them; in live a banner leads there', async () => {
  const { page, close } = await openPerson(shop, MANAGER, { viewport: DESKTOP });
  await page.goto(`${base}/settings/payments`);
  await table(page).getByRole('link', { name: 'Sandbox' }).waitFor();
  expect(await button(page, 'Connect a processor').count()).toBe(0);
  await page.goto(`${base.replace(/test$/, 'live')}/`);
  await page.getByText('Nobody can pay in live mode until a processor is connected.').waitFor();
  await close();
});

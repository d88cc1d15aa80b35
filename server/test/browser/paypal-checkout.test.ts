/** A buyer who pays by PayPal in a real browser, and a merchant who connects it by the dashboard alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type PayPalDouble, startPayPalDouble } from '../support/paypal-double.ts';
import { findViolations } from './support/axe.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { choice, field, payButton, settlePrice, thanks } from './support/checkout.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const OWNER = 'ada@first.example';
let double: PayPalDouble;
let shop: Shop;
beforeAll(async () => {
  double = await startPayPalDouble();
  shop = await openShop({
    PAYPAL_SANDBOX_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '30000',
  });
  await makeAccount(shop.app, { email: OWNER, name: 'Ada' });
});
afterAll(async () => {
  if (shop) await expectInvariants(shop.app);
  await shop?.close();
  await double?.close();
});

test('P44 PayPal is connected by the dashboard', async () => {
  const account = await double.openAccount();
  const { page, close } = await openPerson(shop, OWNER, { viewport: DESKTOP });
  await page.goto(`${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/settings/payments`);
  await heading(page, 'Payments').waitFor();
  await button(page, 'Connect a processor').click();
  const asked = dialog(page, 'Connect a processor');
  await asked.getByRole('combobox', { name: 'Kind' }).selectOption('paypal');
  await asked.getByLabel('Name', { exact: true }).fill('PayPal');
  await asked.getByLabel(/^Client ID/).fill(account.clientId);
  await asked.getByLabel(/^Secret/).fill('wrong');
  await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
  await asked.getByRole('alert').waitFor();
  await asked.getByLabel(/^Secret/).fill(account.clientSecret);
  await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
  await heading(page, 'PayPal').waitFor();
  await page.getByText(account.id).waitFor();
  await shop.changeSettings({ testCheckout: 'processors' });
  await close();
});

test.each([
  ['a desktop', DESKTOP, 'Approve'],
  ['a phone', PHONE, 'Cancel'],
] as const)('P44 a buyer pays at PayPal, on %s', async (name, viewport, first) => {
  const offerId = await makeOffer(shop.store, { currency: 'EUR', taxBehavior: 'inclusive' });
  const { context, newTab } = await shop.openBuyer({ viewport });
  const page = await newTab();
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await field(page, 'Email').fill(`${name.split(' ')[1]}@example.com`);
  await choice(page, 'Country').selectOption('DE');
  await settlePrice(page);
  await page.getByText('You confirm the payment at PayPal and come back here.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await payButton(page).click();
  await page.getByRole('heading', { name: 'PayPal' }).waitFor();
  await page.getByRole('button', { name: first }).click();
  if (first === 'Cancel') {
    // Back without a yes: the way to PayPal stands there still, and so does every other.
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await payButton(page).click();
    await page.getByRole('heading', { name: 'PayPal' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'PayPal', exact: true }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
  }
  await thanks(page).waitFor();
  await context.close();
});

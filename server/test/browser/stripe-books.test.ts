/** Stripe's books beside ours, as the dashboard shows them to whoever has to look. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { buy } from '../support/buying.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openStripeShop, type StripeShop } from './support/stripe.ts';

const OWNER = 'ada@books.example';
let stripe: StripeShop;
beforeAll(async () => {
  stripe = await openStripeShop();
  const { workspaceId } = stripe.shop.store.scope;
  await stripe.shop.app.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(stripe.shop.app, { email: OWNER, name: 'Ada', member: { workspaceId, role: 'owner' } });
});
afterAll(() => stripe?.close());

/** Money that bears our name there, and that no row of ours knows. */
async function takeUnknown(): Promise<void> {
  const { shop, double, account } = stripe;
  const { workspaceId } = shop.store.scope;
  const { installId } = await shop.app.service.db
    .selectFrom('stores')
    .select('installId')
    .where('workspaceId', '=', workspaceId)
    .where('testMode', '=', true)
    .executeTakeFirstOrThrow();
  const answer = await fetch(`${double.apiUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams({
      ...{ amount: '700', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa' },
      ...{ 'allowed_payment_method_types[0]': 'card', return_url: 'https://shop.example/' },
      ...{ 'metadata[cf_install]': installId, 'metadata[cf_store]': `${workspaceId}:test` },
      ...{ 'metadata[cf_charge]': '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f' },
    }),
  });
  expect(answer.status).toBe(200);
}

test('P48 a report of what the books do not share is looked at and acknowledged', async () => {
  const { shop, processorId } = stripe;
  const offerId = await makeOffer(shop.store, { currency: 'EUR', taxBehavior: 'inclusive' });
  await buy(shop.store, { offersIds: [offerId], processorId, paymentMethod: 'pm_card_visa' });
  await takeUnknown();
  const { page, close } = await openPerson(shop, OWNER);
  await page.goto(
    `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/settings/payments/${processorId}`,
  );
  await heading(page, 'Cards').waitFor();
  await button(page, 'Reconcile').click();
  const comparing = dialog(page, 'Reconcile');
  await comparing.getByRole('button', { name: 'Reconcile', exact: true }).click();
  await comparing.waitFor({ state: 'detached' });
  const books = page.getByRole('region', { name: 'Books' });
  await books.getByText('To be looked at').waitFor();
  await books.getByText('Unknown here').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Acknowledge').click();
  const asked = dialog(page, 'Acknowledge');
  await asked.getByRole('textbox').fill('Paid by hand, ticket 4711.');
  await asked.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
  await books.getByText('Paid by hand, ticket 4711.').waitFor();
  await books.getByText('Acknowledged').waitFor();
  await close();
});

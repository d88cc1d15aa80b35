/** Where a buyer lives and is reached, as they say it in the portal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { portalOf, readCode, readMails } from '../support/portal.ts';
import { findViolations } from './support/axe.ts';
import { choice, field } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

it('S23 asks for the state where tax hangs on it, and forgets it with the place', async () => {
  const billingDetails = { countryCode: 'US', postalCode: '10001', state: 'NY' };
  const offersIds = [await makePlanOffer(shop.store, { price: 10_000 })];
  const { body } = await buy(shop.store, { offersIds, userEmail: EMAIL, billingDetails });
  const session = await shop.store.post('/v0/portal-sessions/create', {
    ...{ email: EMAIL, flow: 'billing_details' },
  });
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(session.body.data.portalSession.url);
  const state = choice(page, 'State');
  await state.waitFor();
  expect(await state.inputValue()).toBe('NY');
  await field(page, 'Postal code').fill('90001');
  expect(await state.inputValue()).toBe('');
  await state.selectOption('CA');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
  const detailsOf = async () =>
    (await shop.store.get(`/v0/subscriptions/${body.data.subscription.id}`)).body.data.subscription
      .billingDetails;
  expect(await detailsOf()).toMatchObject({ countryCode: 'US', postalCode: '90001', state: 'CA' });
  await choice(page, 'Country').selectOption('DE');
  expect(await state.count()).toBe(0);
  await field(page, 'Postal code').fill('10115');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(detailsOf).toMatchObject({ countryCode: 'DE', postalCode: '10115', state: null });
  expect(buyer.problems).toEqual([]);
});

it('S24 lets a new address that was mistyped be mended where its code is asked for', async () => {
  const [wrong, right] = ['grace@exmaple.com', 'grace@example.com'];
  await buy(shop.store, { offersIds: [await makePlanOffer(shop.store)], userEmail: 'grace@old.example' });
  const { store } = await portalOf(shop.app, shop.store);
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto(`${shop.origin}/portal/${store}/test/account`);
  await field(page, 'Email').fill('grace@old.example');
  await press('Continue');
  await field(page, 'Code').fill((await readCode(shop.app, 'grace@old.example', shop.store)).code);
  await press('Sign in');
  for (const email of [wrong, right]) {
    await field(page, 'Email').fill(email);
    await press('Change email');
    await page.getByText(`A code is on its way to ${email}`).waitFor();
    if (email === right) continue;
    await press('Another address');
    expect(await field(page, 'Email').inputValue()).toBe(wrong);
  }
  expect(await findViolations(page)).toEqual([]);
  const [mail] = (await readMails(shop.app, right, shop.store)).filter(({ text }) => /\b\d{8}\b/.test(text));
  await field(page, 'Code from the new mailbox').fill(/\b\d{8}\b/.exec(mail?.text ?? '')?.[0] ?? '');
  await press('Use this address');
  await page.getByText(`go to ${right}.`).waitFor();
  expect(buyer.problems).toEqual([]);
});

it('S13 promises whoever owes a payment neither access until the end nor that nothing is charged', async () => {
  const email = 'owes@example.com';
  const offersIds = [await makePlanOffer(shop.store)];
  const { order } = (await buy(shop.store, { offersIds, userEmail: email, card: PAYS_ONCE })).body.data;
  await advance(shop.app, shop.store.scope, 32 * DAY_MS);
  const { store } = await portalOf(shop.app, shop.store);
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(`${shop.origin}/portal/${store}/test/subscriptions/${order.number}/cancel`);
  await field(page, 'Email').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await field(page, 'Code').fill((await readCode(shop.app, email, shop.store)).code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(/^The subscription ends on .* only what is owed is charged\.$/).waitFor();
  expect(await page.getByText(/You keep access|Nothing more is charged/).count()).toBe(0);
  expect(buyer.problems.filter((problem) => !/\b401\b/.test(problem))).toEqual([]);
  await buyer.context.close();
});

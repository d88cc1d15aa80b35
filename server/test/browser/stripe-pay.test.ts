/** What is owed, paid over an account of Stripe on the page behind a mail's link. */

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toCardPath } from '../../src/flows/dunning/card-link.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listProofLinks } from '../support/paying.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';
import { findViolations } from './support/axe.ts';
import type { Buyer } from './support/browser.ts';
import { choice, field, payButton, thanks } from './support/checkout.ts';
import {
  answerBank,
  listProblems,
  openStripeShop,
  pressPay,
  type StripeShop,
  typeCard,
} from './support/stripe.ts';

const WEEKLY = { price: 900, currency: 'EUR', taxBehavior: 'inclusive', recurringInterval: 'week' };
/** It can be kept, and refuses each charge. */
const REFUSES = 'pm_card_chargeCustomerFail';
const AUTHENTICATED = '4000002760003184';

let stripe: StripeShop;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  stripe = await openStripeShop();
});
afterAll(() => stripe?.close());
beforeEach(async () => {
  buyer = await stripe.shop.openBuyer();
  page = await buyer.newTab();
});
afterEach(async () => {
  expect(listProblems(stripe, buyer.problems)).toEqual([]);
  await buyer.context.close();
  await expectInvariants(stripe.shop.app);
});

const paid = () => page.getByRole('heading', { level: 1, name: 'This is paid' });
const go = (days: number) => advance(stripe.shop.app, stripe.shop.store.scope, days * DAY_MS);
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(stripe.shop.app, subscribed)).map(({ status }) => status);

async function payUrlOf(number: string): Promise<string> {
  const { body } = await stripe.shop.store.get(`/v0/payments/${number}`);
  return String(body.data.payment.payUrl);
}

/** A trial has ended, and its card refuses what comes behind it. */
async function startOwing(userEmail: string): Promise<Subscribed> {
  const offerId = await makePlanOffer(stripe.shop.store, {
    ...{ ...WEEKLY, trialInterval: 'week', trialIntervalCount: 1 },
  });
  const { processorId } = stripe;
  const bought = { processorId, paymentMethod: REFUSES, card: undefined, userEmail };
  const subscribed = await subscribe(stripe.shop.app, offerId, bought);
  await go(7.1);
  expect((await show(stripe.shop.app, subscribed)).status).toBe('past_due');
  return subscribed;
}

describe('what is owed', () => {
  it('P28 is paid by a new card in Stripe’s fields at once, and the next renewal by the same', async () => {
    const subscribed = await startOwing('owes@example.com');
    const before = (await stripe.listTaken()).length;
    await page.goto(await payUrlOf(`${subscribed.number}-1`));
    await typeCard(page, '4242424242424242');
    await pressPay(page);
    await paid().waitFor();
    expect((await stripe.listTaken()).slice(before)).toEqual([900]);
    expect((await show(stripe.shop.app, subscribed)).status).toBe('active');
    await go(7);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect((await stripe.listTaken()).slice(before)).toEqual([900, 900]);
  });

  it('P28 is asked for once where its page is left in the middle of an authentication', async () => {
    const subscribed = await startOwing('leaves@example.com');
    const before = (await stripe.listTaken()).length;
    await page.goto(await payUrlOf(`${subscribed.number}-1`));
    await typeCard(page, AUTHENTICATED);
    await pressPay(page);
    await page
      .frameLocator('iframe')
      .last()
      .getByRole('button', { name: 'Complete authentication' })
      .waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Continue to your bank' }).press('Enter');
    await answerBank(page, 'Complete authentication');
    await paid().waitFor();
    expect((await stripe.listTaken()).slice(before)).toEqual([900]);
  });

  it('is declined in the words of a decline, and paid by another card', async () => {
    const subscribed = await startOwing('declined@example.com');
    await page.goto(await payUrlOf(`${subscribed.number}-1`));
    await typeCard(page, '4000000000000002');
    await pressPay(page);
    await page
      .getByRole('alert')
      .filter({ hasText: /declined/i })
      .first()
      .waitFor();
    await typeCard(page, '4242424242424242');
    await pressPay(page);
    await paid().waitFor();
  });
});

describe('the page of a subscription’s card', () => {
  it('P28 takes a new card, asks its bank in the page, and collects what is owed', async () => {
    const { shop } = stripe;
    const subscribed = await startOwing('card@example.com');
    const before = (await stripe.listTaken()).length;
    await page.goto(`${shop.origin}${await toCardPath(shop.app.service, shop.store.scope, subscribed.id)}`);
    await page.getByText('Now charged: Visa ending in 0341').waitFor();
    expect(await findViolations(page, { exclude: 'iframe' })).toEqual([]);
    // It is asked once, when it is given, and pays by itself from then on.
    await typeCard(page, '4000002500003155');
    await page.getByRole('button', { name: 'Use this method' }).press('Enter');
    await answerBank(page, 'Complete authentication');
    await page.getByRole('heading', { name: 'Your payment method is changed' }).waitFor();
    await page.getByText(/charged to Visa ending in 3155/).waitFor();
    expect((await stripe.listTaken()).slice(before)).toEqual([900]);
    await go(7);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    await page.reload();
    await page.getByText('Now charged: Visa ending in 3155').waitFor();
  });
});

describe('the methods in a buyer’s portal', () => {
  it('S22 takes a card in Stripe’s fields, asks its bank in the page, and says what one is refused for', async () => {
    const { shop, processorId } = stripe;
    const email = 'portal@example.com';
    const offerId = await makePlanOffer(shop.store, WEEKLY);
    const bought = { processorId, paymentMethod: 'pm_card_visa', card: undefined, userEmail: email };
    const subscribed = await subscribe(shop.app, offerId, bought);
    const { body } = await shop.store.post('/v0/portal-sessions/create', { email, flow: 'payment_method' });
    await page.goto(body.data.portalSession.url);
    await page.getByRole('heading', { level: 1, name: 'Payment methods' }).waitFor();
    const add = page.getByRole('button', { name: 'Add card' });
    await typeCard(page, '4000000000000002');
    await add.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /declined/i })
      .waitFor();
    expect(await findViolations(page, { exclude: 'iframe' })).toEqual([]);
    await typeCard(page, '4000002500003155');
    await add.press('Enter');
    await answerBank(page, 'Complete authentication');
    await page.getByRole('heading', { level: 2, name: /Visa ending in 3155/ }).waitFor();
    await page.getByText(/^Pays (?!\w{12}$)/).waitFor();
    const before = (await stripe.listTaken()).length;
    await go(7);
    expect(await statusesOf(subscribed)).toEqual(['PAID']);
    // Others of this file renew that day, too.
    expect(new Set((await stripe.listTaken()).slice(before))).toEqual(new Set([900]));
  });
});

describe('a card whose bank wants to hear of each charge', () => {
  it('P26 is tried once a period, mailed, authenticated behind the mail’s link, and not tried again', async () => {
    const { shop } = stripe;
    const offerId = await makePlanOffer(shop.store, WEEKLY);
    const email = 'asked@example.com';
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Email').fill(email);
    await choice(page, 'Country').selectOption('DE');
    await typeCard(page, AUTHENTICATED);
    await pressPay(page);
    await answerBank(page, 'Complete authentication');
    await thanks(page).waitFor();
    const { body } = await shop.store.get('/v0/subscriptions/list', { query: { term: email } });
    const number = String(body.data.subscriptions[0].id);
    const chargesOf = async () =>
      (await shop.store.get(`/v0/payments/${number}-1`)).body.data.payment.charges as unknown[];
    await go(7.1);
    expect(await chargesOf()).toHaveLength(1);
    expect(await chargesOf()).toMatchObject([{ failure: { decline: 'authentication' } }]);
    await go(5);
    expect(await chargesOf()).toHaveLength(1);

    const [link = ''] = await listProofLinks(shop.app, email, 'payment_failed');
    const payUrl = await payUrlOf(`${number}-1`);
    await page.goto(`${payUrl}/prove/${link}`);
    await page.locator('.pay-stored').getByRole('button').first().press('Enter');
    const before = (await stripe.listTaken()).length;
    await page.getByRole('button', { name: /^Pay .*3184/ }).press('Enter');
    await answerBank(page, 'Complete authentication');
    await paid().waitFor();
    expect((await stripe.listTaken()).slice(before)).toEqual([900]);
    expect(await chargesOf()).toHaveLength(2);
  });
});

describe('a declined order', () => {
  it('is paid on its own page, to which a bank’s page comes back', async () => {
    const { shop, processorId } = stripe;
    const offerId = await makePlanOffer(shop.store, WEEKLY);
    const { body } = await buy(shop.store, {
      ...{ offersIds: [offerId], processorId, paymentMethod: 'pm_card_visa_chargeDeclined', card: undefined },
    });
    const { number } = body.data.payment ?? {};
    await page.goto(await payUrlOf(String(number)));
    await typeCard(page, '4242424242424242');
    await payButton(page)
      .or(page.getByRole('button', { name: /^Subscribe/ }))
      .press('Enter');
    await paid().waitFor();
  });
});

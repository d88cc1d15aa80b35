import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, card, openPage } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';

const TRIAL = { recurringInterval: 'month', trialInterval: 'day', trialIntervalCount: 14, price: 1000 };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

let made = 0;
const newEmail = () => `trial${++made}@example.com`;

/** Another plan of the same product. */
async function makeSibling(offerId: string): Promise<string> {
  const { body } = await app.test.get(`/v0/offers/${offerId}`);
  const { productId } = body.data.offer;
  return makePlanOffer(app.test, { ...TRIAL, price: 2000, productId });
}

it('Y25 gives a buyer one trial of a product: a second is refused at the submit, with the price without it', async () => {
  const offerId = await makePlanOffer(app.test, TRIAL);
  const email = newEmail();
  const first = await openPage(app, `/checkout/${offerId}`);
  expect((await first.submit({ email })).body.data.checkout.status).toBe('paid');
  // Of the same product by another offer, under another spelling.
  const page = await openPage(app, `/checkout/${await makeSibling(offerId)}`);
  const spelled = email.toUpperCase();
  // Before the submit nobody is told whether somebody had a trial.
  const before = (await page.quote({ email: spelled })).body.data.quote;
  expect(before).toMatchObject({ dueNow: 0 });
  await expectRefusal(page.submit({ email: spelled, fingerprint: before.fingerprint }), 409, 'price_changed');
  const after = (await page.quote({ email: spelled })).body.data.quote;
  expect(after).toMatchObject({ dueNow: 2380, total: 2380 });
  expect((await page.quote({ email: newEmail() })).body.data.quote.dueNow).toBe(0);
  const { body } = await page.submit({ email: spelled, fingerprint: after.fingerprint });
  expect(body.data.checkout.status).toBe('paid');
});

it('Y25 asks also a page that names no price, and charges nothing before it was shown', async () => {
  const offerId = await makePlanOffer(app.test, TRIAL);
  const email = newEmail();
  await (await openPage(app, `/checkout/${offerId}`)).submit({ email });
  const page = await openPage(app, `/checkout/${offerId}`);
  await expectRefusal(page.submit({ email, card: card(VISA) }), 409, 'price_changed');
  expect((await page.show()).body.data.checkout.status).toBe('open');
});

it('Y25 counts trials that have ended or were cancelled, and not those of another product', async () => {
  const offerId = await makePlanOffer(app.test, TRIAL);
  const email = newEmail();
  const { body } = await buy(app.test, { offersIds: [offerId], userEmail: email });
  await app.test.patch(`/v0/subscriptions/${body.data.subscription.id}/cancel`, {});
  await advance(app, app.test.scope, 40 * DAY_MS);
  await expectRefusal((await openPage(app, `/checkout/${offerId}`)).submit({ email }), 409, 'price_changed');
  const other = await openPage(app, `/checkout/${await makePlanOffer(app.test, TRIAL)}`);
  expect((await other.submit({ email })).body.data.checkout.status).toBe('paid');
});

it('Y25 lets two submits at once begin one trial', async () => {
  const offerId = await makePlanOffer(app.test, TRIAL);
  const email = newEmail();
  const pages = await Promise.all([1, 2, 3].map(() => openPage(app, `/checkout/${offerId}`)));
  const answers = await Promise.all(pages.map((page) => page.submit({ email })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

it('Y25 does not ask over the API, nor where the store does not want it', async () => {
  const offerId = await makePlanOffer(app.test, TRIAL);
  const userEmail = newEmail();
  for (let times = 0; times < 2; times += 1) {
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail });
    expect(body.data.subscription.status).toBe('trialing');
  }
  const created = await app.test.post('/v0/subscriptions/create', { userEmail, offerId });
  expect(created.body.data.subscription.status).toBe('trialing');
  await app.test.patch('/v0/settings/update', { oneTrial: false });
  const page = await openPage(app, `/checkout/${offerId}`);
  expect((await page.submit({ email: userEmail })).body.data.checkout.status).toBe('paid');
  await app.test.patch('/v0/settings/update', { oneTrial: true });
});

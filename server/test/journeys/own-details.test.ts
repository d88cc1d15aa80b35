import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { buy, card, listTaken, openPage } from '../support/buying.ts';
import { DECLINED, PAYS_ONCE, VISA } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';
const FRENCH = { firstName: 'Marie', countryCode: 'FR', city: 'Lyon' };

let app: TestApp;
let offerId: string;
let planId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test, { price: 1000 });
  planId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'month' });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

let made = 0;
const newEmail = () => `own${++made}@example.com`;

async function makeUser(fields: Record<string, unknown> = {}) {
  const { body } = await app.test.post('/v0/users/create', { email: newEmail(), ...fields });
  return body.data.user as { id: string; email: string; details: Record<string, string | null> };
}

async function readUser(id: string) {
  const { body } = await app.test.get(`/v0/users/${id}`);
  return body.data as {
    user: { details: Record<string, string | null> };
    paymentMethods: Array<{ id: string; last4: string; isDefault: boolean; brand: string }>;
  };
}

const months = (count: number) => advance(app, app.test.scope, count * 31 * DAY_MS);
const update = ({ number }: Subscribed, body: Record<string, unknown>) =>
  app.test.patch(`/v0/subscriptions/${number}/update`, body);

/** What the invoice of a payment says of its buyer. */
async function readBuyer(paymentId: string) {
  const { snapshot } = await app.service.db
    .selectFrom('invoices')
    .select('snapshot')
    .where(inScope(app.test.scope))
    .where('paymentId', '=', paymentId)
    .where('kind', '=', 'invoice')
    .executeTakeFirstOrThrow();
  return snapshot;
}

/** A company as the page asks for it. */
const MALLORY = {
  ...{ type: 'company', companyName: 'Mallory SARL', countryCode: 'FR' },
  ...{ address: 'Rue de la Paix 1', postalCode: '75002', city: 'Paris' },
};

describe("a purchase under somebody else's e-mail", () => {
  it('Y01 writes neither details nor a card where the user has details, not even where fields are empty', async () => {
    const details = { type: 'individual', firstName: 'Vera', countryCode: 'DE' };
    const victim = await makeUser({ billingDetails: details });
    const before = await readUser(victim.id);
    const page = await openPage(app, `/checkout/${planId}`);
    const stranger = { ...MALLORY, email: victim.email };
    const { body } = await page.submit({ ...stranger, taxNumber: 'FR40303265045', card: card(MASTERCARD) });
    expect(body.data.checkout.status).toBe('paid');
    await buy(app.test, { offersIds: [offerId], userEmail: victim.email, billingDetails: FRENCH });
    expect(await readUser(victim.id)).toEqual(before);
    expect(before.paymentMethods).toEqual([]);
    // The stranger's card is charged for nothing else.
    const created = app.test.post('/v0/subscriptions/create', { userId: victim.id, offerId: planId });
    await expectRefusal(created, 400, 'payment_method_required');
  });

  it('Y01 learns nothing of the user from its invoice', async () => {
    const details = { firstName: 'Vera', address: '1 Secret Street', city: 'Bonn', countryCode: 'DE' };
    const victim = await makeUser({ billingDetails: details });
    const { body } = await buy(app.test, {
      offersIds: [offerId],
      userEmail: victim.email,
      billingDetails: { countryCode: 'DE' },
    });
    const said = await readBuyer(body.data.payment.id);
    expect(said).not.toContain('Secret Street');
    expect(said).not.toContain('Vera');
  });

  it('Y01 makes a user without details, and one that nobody paid for leaves none', async () => {
    const email = newEmail();
    const page = await openPage(app, `/checkout/${offerId}`);
    const typed = { ...MALLORY, email };
    expect((await page.submit({ ...typed, card: card(DECLINED) })).body.data.checkout.status).not.toBe(
      'paid',
    );
    // The one whose mailbox it is buys, and is billed by their own words from then on.
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail: email, billingDetails: FRENCH });
    const { user } = await readUser(body.data.order.userId);
    expect(user.details).toMatchObject({ ...FRENCH, companyName: null });
  });

  it('Y01 keeps nothing of a free claim but the order', async () => {
    const free = await makeOffer(app.test, { price: 0, freeProduct: true });
    const email = newEmail();
    const { body } = await buy(app.test, { offersIds: [free], userEmail: email, billingDetails: FRENCH });
    expect(body.data.order.status).toBe('PAID');
    const { user, paymentMethods } = await readUser(body.data.order.userId);
    expect(Object.values(user.details).every((value) => value === null)).toBe(true);
    expect(paymentMethods).toEqual([]);
  });
});

describe('the details and the card of a subscription', () => {
  it('Y02 are those of its purchase, whatever its user says elsewhere and whatever is bought later', async () => {
    const userEmail = newEmail();
    const subscribed = await subscribe(app, planId, { userEmail, billingDetails: FRENCH, card: VISA });
    await buy(app.test, {
      offersIds: [planId],
      userEmail,
      billingDetails: { countryCode: 'US', postalCode: '97201' },
      card: MASTERCARD,
    });
    const before = await show(app, subscribed);
    expect(before.billingDetails).toMatchObject({ ...FRENCH, postalCode: null });
    expect(before.paymentMethod).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12 });
    await months(1);
    const { lastPayment } = await show(app, subscribed);
    expect(lastPayment).toMatchObject({ type: 'subscription_interval', status: 'PAID', value: 1200 });
    const { body } = await app.test.get(`/v0/payments/${lastPayment.number}`);
    expect(body.data.payment).toMatchObject({ value: 1200, tax: 200 });
    expect(body.data.payment.charges[0].paymentMethod).toMatchObject({ last4: '4242' });
    expect(await readBuyer(lastPayment.id)).toContain('Marie');
  });

  it('Y02 change for this one alone, field by field, and its next tax and invoice take them', async () => {
    const userEmail = newEmail();
    const billingDetails = { ...FRENCH, companyName: 'Elle SA', type: 'company' };
    const subscribed = await subscribe(app, planId, { userEmail, billingDetails });
    const other = await subscribe(app, planId, { userEmail, billingDetails: FRENCH });
    const answer = await update(subscribed, { billingDetails: { countryCode: 'DE', city: null } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.subscription.billingDetails).toMatchObject({
      ...{ countryCode: 'DE', city: null, firstName: 'Marie', companyName: 'Elle SA' },
    });
    expect((await show(app, other)).billingDetails).toMatchObject(FRENCH);
    expect((await readUser(subscribed.userId)).user.details).toMatchObject(FRENCH);
    const { body } = await app.test.get(`/v0/subscriptions/${subscribed.number}/upcoming-payment`);
    expect(body.data.upcomingPayment).toMatchObject({ value: 1190, tax: 190 });
    await months(1);
    expect((await show(app, subscribed)).lastPayment).toMatchObject({ status: 'PAID', value: 1190 });
    expect((await show(app, other)).lastPayment).toMatchObject({ status: 'PAID', value: 1200 });
  });

  it('Y02 tax a change of the plan that comes with them, in the preview as in the update', async () => {
    const dearId = await makePlanOffer(app.test, { price: 3000, recurringInterval: 'month' });
    const subscribed = await subscribe(app, planId, { userEmail: newEmail(), billingDetails: FRENCH });
    const change = {
      items: [{ offerId: dearId }],
      prorationBehavior: 'always_invoice',
      billingDetails: { countryCode: 'DE' },
    };
    const path = `/v0/subscriptions/${subscribed.number}/preview-update`;
    const preview = await app.test.post(path, change);
    const { billingDetails: _german, ...french } = change;
    const untold = await app.test.post(path, french);
    const { payment, subscription } = (await update(subscribed, change)).body.data;
    expect(preview.body.data.preview.amountDue).toBe(payment.value);
    // The French credit bears another tax than the German charge: it goes back by itself.
    expect(preview.body.data.preview.amountReturned).toBeGreaterThan(0);
    expect(untold.body.data.preview).toMatchObject({ amountReturned: 0 });
    expect(untold.body.data.preview.amountDue).toBeLessThan(payment.value);
    expect(subscription.billingDetails.countryCode).toBe('DE');
  });

  it('Y02 take a method of the user, no other, in every state but an ended one', async () => {
    const subscribed = await subscribe(app, planId, { userEmail: newEmail(), card: VISA });
    const stranger = await makeUser({ paymentData: { sandboxCustomerId: `card_${AMEX}` } });
    const [foreign] = (await readUser(stranger.id)).paymentMethods;
    const refused = update(subscribed, { paymentMethodId: foreign?.id });
    await expectRefusal(refused, 400, 'unknown_reference');
    await expectRefusal(update(subscribed, { billingDetails: { countryCode: 'US' } }), 400, 'invalid_input');
    await expectRefusal(update(subscribed, { billingDetails: { countryCode: null } }), 400, 'invalid_input');
    const second = await subscribe(app, planId, { userEmail: stranger.email, card: VISA });
    await app.test.patch(`/v0/subscriptions/${second.number}/pauseCollection`, {});
    const taken = await update(second, { paymentMethodId: foreign?.id });
    expect(taken.body.data.subscription.paymentMethod).toMatchObject({ brand: 'amex', last4: '0005' });
    await app.test.patch(`/v0/subscriptions/${second.number}/cancel`, {});
    for (const body of [{ paymentMethodId: foreign?.id }, { billingDetails: { city: 'Ulm' } }])
      await expectRefusal(update(second, body), 409, 'subscription_state');
  });

  it('Y02 a new card of this one is tried at once where something is owed', async () => {
    const user = await makeUser({
      billingDetails: FRENCH,
      paymentData: { sandboxCustomerId: `card_${VISA}` },
    });
    const subscribed = await subscribe(app, planId, { userEmail: user.email, card: PAYS_ONCE });
    await months(1);
    expect((await show(app, subscribed)).status).toBe('past_due');
    const [own] = (await readUser(user.id)).paymentMethods;
    expect(own).toMatchObject({ last4: '4242', isDefault: true });
    await update(subscribed, { paymentMethodId: own?.id });
    await app.wired.worker.runDue();
    expect(await show(app, subscribed)).toMatchObject({
      status: 'active',
      paymentMethod: { last4: '4242' },
      lastPayment: { status: 'PAID' },
    });
  });

  it("Y02 follow the merchant's word of the user, and only in what it says", async () => {
    const userEmail = newEmail();
    const first = await subscribe(app, planId, { userEmail, billingDetails: FRENCH, card: VISA });
    const second = await subscribe(app, planId, {
      ...{ userEmail, card: VISA },
      billingDetails: { countryCode: 'DE', companyName: 'Own GmbH', type: 'company' },
    });
    const ended = await subscribe(app, planId, { userEmail, billingDetails: FRENCH, card: VISA });
    await app.test.patch(`/v0/subscriptions/${ended.number}/cancel`, {});
    const path = `/v0/users/${first.userId}/update`;
    await app.test.patch(path, { billingDetails: { city: 'Nice' } });
    expect((await show(app, first)).billingDetails).toMatchObject({ ...FRENCH, city: 'Nice' });
    expect((await show(app, second)).billingDetails).toMatchObject({
      ...{ countryCode: 'DE', companyName: 'Own GmbH', city: 'Nice', firstName: null },
    });
    expect((await show(app, ended)).billingDetails).toMatchObject({ city: 'Lyon' });
    await app.test.patch(path, {
      billingDetails: { countryCode: 'US', postalCode: '97201' },
      paymentData: { sandboxCustomerId: `card_${MASTERCARD}` },
    });
    for (const one of [first, second]) {
      expect(await show(app, one)).toMatchObject({
        billingDetails: { countryCode: 'US', postalCode: '97201' },
        paymentMethod: { brand: 'mastercard', last4: '4444' },
      });
    }
    expect((await show(app, ended)).paymentMethod).toMatchObject({ last4: '4242' });
  });

  it('Y02 on its own /pay page change for this one, and the card that is kept there is its alone', async () => {
    const userEmail = newEmail();
    const subscribed = await subscribe(app, planId, { userEmail, billingDetails: FRENCH, card: PAYS_ONCE });
    const other = await subscribe(app, planId, { userEmail, billingDetails: FRENCH, card: VISA });
    const before = await readUser(subscribed.userId);
    await months(1);
    const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    const path = new URL(body.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
    const paid = await app.test.request('POST', `${path}/pay`, {
      keys: 'none',
      body: { card: card(AMEX), keep: true, billingDetails: { firstName: 'Manon' } },
    });
    expect(paid.body.data.debt.status).toBe('paid');
    expect(await show(app, subscribed)).toMatchObject({
      status: 'active',
      billingDetails: { ...FRENCH, firstName: 'Manon' },
      paymentMethod: { brand: 'amex', last4: '0005' },
    });
    expect(await show(app, other)).toMatchObject({
      billingDetails: FRENCH,
      paymentMethod: { last4: '4242' },
    });
    expect(await readUser(subscribed.userId)).toEqual(before);
    const foreign = update(other, { paymentMethodId: (await show(app, subscribed)).paymentMethod.id });
    await expectRefusal(foreign, 400, 'unknown_reference');
  });

  it('Y02 were copied once for those that lived before they had their own', async () => {
    const userEmail = newEmail();
    const living = await subscribe(app, planId, { userEmail, billingDetails: FRENCH });
    const ended = await subscribe(app, planId, { userEmail, billingDetails: FRENCH });
    await app.test.patch(`/v0/subscriptions/${ended.number}/cancel`, {});
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(
      new URL('../../src/db/migrations/0034_own_details.sql', import.meta.url),
      'utf8',
    );
    const copying = text.slice(
      text.indexOf('update subscriptions'),
      text.indexOf('alter table payment_methods'),
    );
    await app.service.pool.query('update subscriptions set billing_details = null where id = any($1)', [
      [living.id, ended.id],
    ]);
    await app.service.pool.query(copying);
    expect((await show(app, living)).billingDetails).toMatchObject(FRENCH);
    expect((await show(app, ended)).billingDetails).toBeNull();
  });
});

describe('the default of the methods of a user', () => {
  it('Y03 is the first one kept, and no purchase takes its place', async () => {
    const userEmail = newEmail();
    const first = await subscribe(app, planId, { userEmail, card: VISA });
    const { paymentMethods } = await readUser(first.userId);
    expect(paymentMethods).toMatchObject([{ brand: 'visa', last4: '4242', isDefault: true }]);
    await subscribe(app, planId, { userEmail, card: MASTERCARD });
    expect((await readUser(first.userId)).paymentMethods).toEqual(paymentMethods);
    const { body } = await app.test.post('/v0/subscriptions/create', { userEmail, offerId: planId });
    expect(body.data.subscription.paymentMethod.last4).toBe('4242');
    // By the merchant's word it changes.
    const paymentData = { sandboxCustomerId: `card_${AMEX}` };
    await app.test.patch(`/v0/users/${first.userId}/update`, { paymentData });
    expect((await readUser(first.userId)).paymentMethods).toMatchObject([
      { brand: 'amex', isDefault: true },
      { brand: 'visa', isDefault: false },
    ]);
  });

  it('Y03 is charged where none is named, another where it is, and without one the answer is 400', async () => {
    const user = await makeUser({ billingDetails: FRENCH });
    const create = (body: Record<string, unknown> = {}) =>
      app.test.post('/v0/subscriptions/create', { userId: user.id, offerId: planId, ...body });
    await expectRefusal(create(), 400, 'payment_method_required');
    for (const number of [VISA, MASTERCARD]) {
      const paymentData = { sandboxCustomerId: `card_${number}` };
      await app.test.patch(`/v0/users/${user.id}/update`, { paymentData });
    }
    const { paymentMethods } = await readUser(user.id);
    expect((await create()).body.data.subscription.paymentMethod.last4).toBe('4444');
    const visa = paymentMethods.find(({ last4 }) => last4 === '4242');
    const named = await create({ paymentMethodId: visa?.id });
    expect(named.body.data.subscription.paymentMethod).toMatchObject({ id: visa?.id, last4: '4242' });
    const foreign = await makeUser({ paymentData: { sandboxCustomerId: `card_${AMEX}` } });
    const [amex] = (await readUser(foreign.id)).paymentMethods;
    await expectRefusal(create({ paymentMethodId: amex?.id }), 400, 'unknown_reference');
    expect((await listTaken(app)).length).toBeGreaterThan(0);
  });

  it('Y03 is shown to the secret key alone', async () => {
    const { userId } = await subscribe(app, planId, { userEmail: newEmail(), card: VISA });
    const { body } = await app.test.get(`/v0/users/${userId}`, { keys: 'public' });
    expect(body.data.paymentMethods).toBeNull();
  });
});

/** Kept methods over Stripe whose bank renews them, that expire, and whose mandate is taken back. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';

const EUROS = { price: 1999, currency: 'EUR', taxBehavior: 'inclusive' };
let double: StripeDouble;
let account: StripeAccount;
let app: TestApp;
let processorId: string;
let planId: string;

let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, processorId, close } = await openStripeApp());
  planId = await makePlanOffer(app.test, { ...EUROS, recurringInterval: 'year' });
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

const nowOf = async () => app.service.realNowMs() + (await getClock(app.service.db, app.test.scope)).offsetMs;

/** A subscription of a year, paid by a method that expires in five months. */
async function subscribe(userEmail: string, paymentMethod = 'pm_card_visa') {
  const { body, text } = await buy(app.test, { offersIds: [planId], processorId, paymentMethod, userEmail });
  expect(body.data?.subscription, text).toBeDefined();
  return findSubscribed(body.data.subscription, userEmail);
}

async function findSubscribed({ id, userId }: { id: string; userId: string }, userEmail: string) {
  const [method] = await app.service.db
    .selectFrom('paymentMethods')
    .selectAll()
    .where('userId', '=', userId)
    .execute();
  if (!method) throw new Error('the method is kept');
  const name = String(method.reference.split('/')[1]);
  return { subscriptionId: String(id), userEmail, method, name };
}

/** By a debit on the page, which needs its bank's word. */
async function subscribeByDebit() {
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  const page = await openPage(app, `/checkout/${planId}`);
  const typed = {
    'payment_method_data[type]': 'sepa_debit',
    'payment_method_data[sepa_debit][iban]': 'DE89370400440532013000',
    'payment_method_data[billing_details][name]': 'Ada',
    'payment_method_data[billing_details][email]': 'ada@example.com',
  };
  const answer = await fetch(`${double.apiUrl}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams(typed),
  });
  const { id: token } = (await answer.json()) as { id: string };
  await page.submit({ card: undefined, payment: { option: 'token', token } });
  const { processorId: object } = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await double.control(`POST /objects/${object}/settle`, {});
  await advance(app, app.test.scope, 2 * DAY_MS);
  const { receipt } = (await page.show()).body.data.checkout;
  const { order, subscription } = (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data;
  const found = await findSubscribed({ id: subscription.id, userId: order.userId }, order.userEmail ?? '');
  const user = (await app.test.get(`/v0/users/${order.userId}`)).body.data.user;
  return { ...found, userEmail: String(user.email), object };
}

type Subscribed = Awaited<ReturnType<typeof findSubscribed>>;

async function read<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${account.secretKey}` };
  return (await fetch(`${double.apiUrl}${path}`, { headers })).json() as Promise<T>;
}

async function mandateOf(intent: string | null): Promise<string> {
  const { data } = await read<{
    data: Array<{ payment_method_details: Record<string, { mandate: string }> }>;
  }>(`/v1/charges?payment_intent=${intent}`);
  return data[0]?.payment_method_details.sepa_debit?.mandate ?? '';
}

let told = 0;
async function tell(
  type: string,
  { name }: Pick<Subscribed, 'name'>,
  mandate: string | null = null,
): Promise<void> {
  const nowMs = await nowOf();
  told += 1;
  const object = { kind: 'method' as const, processorId: name, ofCharge: mandate, ownId: null };
  const notification = { id: `evt_${told}`, type, happenedAtMs: app.service.realNowMs(), object };
  const kept = { connectionId: processorId, notifications: [notification], wasRead: false };
  const ctx = { ...app.service, nowMs };
  await inTransaction(app.service.db, (tx) => keepNotifications(ctx, app.test.scope, { tx, ...kept }));
  await advance(app, app.test.scope, 1000);
}

/** Its bank makes another of it, which the processor tells. */
async function update(subscribed: Subscribed, card: object): Promise<void> {
  await double.control(`POST /objects/${subscribed.name}/update`, { card });
  await tell('payment_method.automatically_updated', subscribed);
}

const mailsOf = async (userEmail: string, kind: string) =>
  app.service.db
    .selectFrom('mails')
    .select(['params', 'createdAt'])
    .where('recipient', '=', userEmail)
    .where('kind', '=', kind)
    .orderBy('createdAt')
    .execute();

/** The month that lies so many months behind now. */
async function monthAfter(months: number) {
  const now = new Date(await nowOf());
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return { exp_year: at.getUTCFullYear(), exp_month: at.getUTCMonth() + 1 };
}

describe('P29 a card that expires before it is charged again', () => {
  it('is told of 30 and 7 days before, with the way to another card', async () => {
    const subscribed = await subscribe('expires@example.com');
    const card = await monthAfter(3);
    await update(subscribed, card);
    await advance(app, app.test.scope, 150 * DAY_MS);
    const mails = await mailsOf(subscribed.userEmail, 'card_expiring');
    const lastDayMs = Date.UTC(card.exp_year, card.exp_month, 1) - DAY_MS;
    expect(mails.map(({ createdAt }) => (lastDayMs - createdAt) / DAY_MS)).toEqual([30, 7]);
    const expires = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
    const cardUrl = expect.stringContaining('/card/');
    expect(mails[0]?.params).toMatchObject({ brand: 'visa', last4: '4242', expires, cardUrl });
  });

  it('is not told of where its bank renews it in time, and shown as it is then', async () => {
    const subscribed = await subscribe('renewed@example.com');
    await update(subscribed, await monthAfter(3));
    await advance(app, app.test.scope, 20 * DAY_MS);
    const renewed = { ...(await monthAfter(40)), last4: '1881' };
    await update(subscribed, renewed);
    await advance(app, app.test.scope, 130 * DAY_MS);
    expect(await mailsOf(subscribed.userEmail, 'card_expiring')).toEqual([]);
    const { body } = await app.test.get(`/v0/subscriptions/${subscribed.subscriptionId}`);
    expect(body.data.subscription.paymentMethod).toMatchObject({
      ...{ last4: '1881', expMonth: renewed.exp_month, expYear: renewed.exp_year },
    });
  });

  it('is not told of where nothing is charged any more', async () => {
    const subscribed = await subscribe('leaves@example.com');
    await update(subscribed, await monthAfter(3));
    const path = `/v0/subscriptions/${subscribed.subscriptionId}`;
    await app.test.patch(`${path}/cancel`, { cancelOption: 'endInterval' });
    const { body } = await app.test.get(path);
    expect(body.data.subscription.cancelAtIntervalEnd).toBe(true);
    await advance(app, app.test.scope, 150 * DAY_MS);
    expect(await mailsOf(subscribed.userEmail, 'card_expiring')).toEqual([]);
  });
});

describe('P29 a method that is gone', () => {
  const triesOf = ({ method }: Subscribed) =>
    app.service.db
      .selectFrom('charges')
      .innerJoin('payments', 'payments.id', 'charges.paymentId')
      .select(['charges.processor', 'charges.declineReason', 'charges.decline'])
      .where('payments.userId', '=', method.userId)
      .where('charges.offSession', '=', true)
      .execute();
  const NOT_TRIED = { processor: 'none', declineReason: 'no_payment_method', decline: 'hard' };

  it('whose mandate was taken back is not tried, and its holder is told', async () => {
    const subscribed = await subscribeByDebit();
    const { userEmail, object } = subscribed;
    const mandate = await mandateOf(object);
    await tell('mandate.updated', subscribed, mandate);
    const { subscription } = (await app.test.get(`/v0/subscriptions/${subscribed.subscriptionId}`)).body.data;
    expect(subscription.paymentMethod).toMatchObject({ type: 'sepa_debit', brand: null, last4: '3000' });
    await double.control(`POST /objects/${mandate}/update`, { status: 'inactive' });
    await tell('mandate.updated', subscribed, mandate);
    await advance(app, app.test.scope, 366 * DAY_MS);
    const shown = await app.test.get(`/v0/subscriptions/${subscribed.subscriptionId}`);
    expect(shown.body.data.subscription.status).toBe('past_due');
    const tries = await triesOf(subscribed);
    expect(tries).toEqual(tries.map(() => NOT_TRIED));
    expect(tries).not.toEqual([]);
    expect(await mailsOf(userEmail, 'payment_failed')).not.toEqual([]);
    const { lastPaymentId } = shown.body.data.subscription;
    const [charge] = (await app.test.get(`/v0/payments/${lastPaymentId}`)).body.data.payment.charges;
    expect(charge.paymentMethod).toMatchObject({ type: 'sepa_debit', last4: '3000' });
  });

  it('whose mandate was refused before its first payment was settled is not tried either', async () => {
    const email = 'refused@example.com';
    const paid = { processorId, paymentMethod: 'pm_success_de', userEmail: email };
    const bought = await buy(app.test, { offersIds: [planId], ...paid });
    expect(bought.body.data?.payment.status, bought.text).toBe('PENDING');
    const { processorId: object } = await app.service.db
      .selectFrom('charges')
      .select('processorId')
      .where('paymentId', '=', bought.body.data.payment.id)
      .executeTakeFirstOrThrow();
    const { payment_method: name } = await read<{ payment_method: string }>(`/v1/payment_intents/${object}`);
    const mandate = await mandateOf(object);
    await double.control(`POST /objects/${mandate}/update`, { status: 'inactive' });
    await tell('mandate.updated', { name }, mandate);
    await double.control(`POST /objects/${object}/settle`, {});
    await advance(app, app.test.scope, 4 * DAY_MS);
    const { subscription } = (await app.test.get(`/v0/orders/${bought.body.data.order.number}`)).body.data;
    expect(subscription.status).toBe('active');
    expect(await mailsOf(email, 'payment_method_gone')).toHaveLength(1);
  });

  it('since it was detached is not tried', async () => {
    const subscribed = await subscribe('detached@example.com');
    await double.control(`POST /objects/${subscribed.name}/update`, { customer: null });
    await tell('payment_method.detached', subscribed);
    await advance(app, app.test.scope, 366 * DAY_MS);
    expect(await triesOf(subscribed)).toEqual([NOT_TRIED]);
    expect(await mailsOf(subscribed.userEmail, 'payment_failed')).toHaveLength(1);
    // Its holder is reminded on the days of the retries, on which there is nothing to try.
    await advance(app, app.test.scope, 8 * DAY_MS);
    expect(await triesOf(subscribed)).toEqual([NOT_TRIED]);
    expect(await mailsOf(subscribed.userEmail, 'payment_failed')).toHaveLength(1);
    expect(await mailsOf(subscribed.userEmail, 'payment_overdue')).toHaveLength(2);
    const [asked, ...others] = await mailsOf(subscribed.userEmail, 'payment_method_gone');
    expect([asked?.params, others]).toEqual([
      expect.objectContaining({ url: expect.stringContaining('/card/') }),
      [],
    ]);
  });
});

describe('a customer of Stripe', () => {
  const ask = async (path: string, fields: Record<string, string> = {}) => {
    const answer = await fetch(`${double.apiUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.secretKey}` },
      body: new URLSearchParams(fields),
    });
    return (await answer.json()) as { id: string };
  };
  const newEmail = () => `${randomUUID()}@example.com`;
  const naming = (stripeCustomerId: string) => ({ email: newEmail(), paymentData: { stripeCustomerId } });
  const methodsOf = async (id: string) => {
    const { paymentMethods } = (await app.test.get(`/v0/users/${id}`)).body.data;
    return paymentMethods.map(({ brand }: { brand: string }) => brand);
  };

  it('whom Stripe does not know is refused, and no user is made', async () => {
    const asked = naming('cus_nobody');
    await expectRefusal(app.test.post('/v0/users/create', asked), 400, 'unknown_processor_customer');
    expect((await app.test.post('/v0/users/create', { email: asked.email })).status).toBe(200);
  });

  it('brings the method that they chose there, else the newest, once', async () => {
    const { id } = await ask('/v1/customers');
    const visa = await ask('/v1/payment_methods/pm_card_visa/attach', { customer: id });
    await ask('/v1/payment_methods/pm_card_mastercard/attach', { customer: id });
    await ask(`/v1/customers/${id}`, { 'invoice_settings[default_payment_method]': visa.id });
    const asked = naming(id);
    const { body, text } = await app.test.post('/v0/users/create', asked);
    expect(body.data?.user.paymentData.stripeCustomerId, text).toBe(id);
    const { id: userId } = body.data.user;
    expect(await methodsOf(userId)).toEqual(['visa']);
    await ask(`/v1/customers/${id}`, { 'invoice_settings[default_payment_method]': '' });
    const update = (paymentData: object) => app.test.patch(`/v0/users/${userId}/update`, { paymentData });
    // Sent back as it was read it is not asked for.
    expect((await update({ stripeCustomerId: id })).status).toBe(200);
    expect(await methodsOf(userId)).toEqual(['visa']);
    const other = await ask('/v1/customers');
    await ask('/v1/payment_methods/pm_card_amex/attach', { customer: other.id });
    const named = { stripeCustomerId: other.id, connectionId: processorId };
    expect((await update(named)).body.data.user.paymentData.stripeCustomerId).toBe(other.id);
    expect((await methodsOf(userId)).sort()).toEqual(['amex', 'visa']);
    await expectRefusal(update({ stripeCustomerId: 'cus_nobody' }), 400, 'unknown_processor_customer');
    const elsewhere = { stripeCustomerId: id, connectionId: randomUUID() };
    await expectRefusal(update(elsewhere), 400, 'unknown_reference');
  });
});

/** The page of a subscription's card: another method is given for 0, charged from then on, and at once for what is owed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toCardPath } from '../../src/flows/dunning/card-link.ts';
import { card } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { startOwing } from '../support/paying.ts';
import { type PortalBrowser, signIn } from '../support/portal.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let double: StripeDouble;
let account: StripeAccount;
let processorId: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, processorId, close } = await openStripeApp());
});
afterEach(() => putToRest(app));
afterAll(async () => {
  await expectInvariants(app);
  await close?.();
});

async function openCard({ id }: Subscribed) {
  const path = await toCardPath(app.service, app.test.scope, id);
  const base = path.replace('/card/', '/card-pages/');
  const ask = (method: string, action: string, body?: object) =>
    app.test.request(method, base + action, { keys: 'none', ...(body ? { body } : {}) });
  return {
    path,
    look: () => ask('GET', ''),
    give: (body: object) => ask('POST', '/give', body),
    confirm: () => ask('POST', '/confirm', {}),
    action: () => ask('POST', '/action', {}),
  };
}

const listSetups = (subscribed: Subscribed) =>
  app.service.db
    .selectFrom('methodSetups')
    .selectAll()
    .where('subscriptionId', '=', subscribed.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);
const setting = (testCheckout: 'sandbox' | 'processors') =>
  app.test.patch('/v0/settings/update', { testCheckout });

interface Books {
  charges: Record<string, { taken: number }>;
}
const listTaken = async () => {
  const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
  return Object.values(charges).flatMap(({ taken }) => (taken > 0 ? [taken] : []));
};

describe('a card of the sandbox', () => {
  it('P28 pays what is owed at once and the next renewal, and is no charge of 0', async () => {
    const { subscribed } = await startOwing(app);
    const page = await openCard(subscribed);
    expect((await page.look()).body.data.card).toMatchObject({
      ...{ status: 'open', method: { last4: '0341' }, owed: { amount: expect.any(Number) } },
    });
    const given = await page.give({ card: card(VISA) });
    expect(given.body.data.card).toMatchObject({ isTaken: true, method: { last4: '4242' }, owed: null });
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect((await show(app, subscribed)).status).toBe('active');
    const charges = await app.service.db.selectFrom('charges').select('amount').execute();
    expect(charges.every(({ amount }) => amount > 0n)).toBe(true);
  });

  it('is the subscription’s alone: the user’s own stays as it is', async () => {
    const { subscribed } = await startOwing(app);
    const page = await openCard(subscribed);
    await page.give({ card: card(VISA) });
    const kept = await app.service.db
      .selectFrom('paymentMethods')
      .select(['kept', 'reference'])
      .where('userId', '=', subscribed.userId)
      .orderBy('createdAt')
      .execute();
    // It is charged at the sandbox by the number that startOwing has put there, and by another one from now on.
    expect(kept.map((one) => one.kept)).toEqual([true, false]);
  });

  it('that is declined changes nothing, and says so', async () => {
    const { subscribed } = await startOwing(app);
    const page = await openCard(subscribed);
    const given = await page.give({ card: card('4000000000000002') });
    expect(given.body.data.card).toMatchObject({ isTaken: false, failure: expect.anything() });
    expect((await page.look()).body.data.card.method).toEqual({
      ...{ type: 'card', brand: 'visa', name: 'Visa', last4: '0341' },
    });
    expect(await listSetups(subscribed)).toMatchObject([{ status: 'failed' }]);
  });

  it('is given by nothing but a true link, and in a way that is offered there', async () => {
    const { subscribed } = await startOwing(app);
    const page = await openCard(subscribed);
    const forged = `${page.path.slice(0, -1)}${page.path.endsWith('A') ? 'B' : 'A'}`;
    const ask = (url: string) => app.app.inject({ method: 'GET', url });
    expect((await ask(forged)).statusCode).toBe(404);
    expect((await ask(page.path)).statusCode).toBe(200);
    await expectRefusal(page.give({}), 400, 'method_not_offered');
    await expectRefusal(page.give({ payment: { option: 'transfer' } }), 400, 'method_not_offered');
    await expectRefusal(page.give({ payment: { option: 'token' } }), 400, 'invalid_input');
    await expectRefusal(
      page.give({ payment: { option: 'token', token: 'ctoken_1' } }),
      409,
      'processor_not_configured',
    );
  });

  it('is asked for no more once the subscription has ended, and its page goes a month later', async () => {
    const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'year' });
    const subscribed = await subscribe(app, offerId, { userEmail: 'ends@example.com' });
    const page = await openCard(subscribed);
    const timing = { cancelOption: 'immediately' };
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/cancel`, timing);
    expect((await page.give({ card: card(VISA) })).body.data.card.status).toBe('closed');
    expect(await listSetups(subscribed)).toEqual([]);
    await advance(app, app.test.scope, 31 * DAY_MS);
    await expectRefusal(page.look(), 404, 'not_found');
  });
});

describe('a method taken by Stripe', () => {
  async function startTrial(paymentMethod: string): Promise<Subscribed> {
    const offerId = await makePlanOffer(app.test, {
      ...{ price: 900, currency: 'EUR', taxBehavior: 'inclusive', recurringInterval: 'week' },
      ...{ trialInterval: 'week', trialIntervalCount: 1 },
    });
    const userEmail = `trial-${crypto.randomUUID()}@example.com`;
    return subscribe(app, offerId, { processorId, paymentMethod, card: undefined, userEmail });
  }
  const token = (name: string) => ({ payment: { option: 'token', token: name } });

  it('P28 pays what is owed at once and the next renewal', async () => {
    await setting('processors');
    const subscribed = await startTrial('pm_card_chargeCustomerFail');
    await advance(app, app.test.scope, 7.1 * DAY_MS);
    expect((await show(app, subscribed)).status).toBe('past_due');
    const before = (await listTaken()).length;
    const page = await openCard(subscribed);
    const given = await page.give(token('pm_card_visa'));
    expect(given.body.data.card).toMatchObject({ isTaken: true, owed: null, method: { last4: '4242' } });
    expect((await listTaken()).slice(before)).toEqual([900]);
    await advance(app, app.test.scope, 7 * DAY_MS);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    await setting('sandbox');
  });

  it.each([
    ['the object is made', 'POST', '/v1/setup_intents'],
    ['it is asked for', 'POST', '/v1/setup_intents/*/confirm'],
  ])('one whose answer is lost after %s is taken once or not at all', async (_when, method, path) => {
    await setting('processors');
    const subscribed = await startTrial('pm_card_visa');
    const page = await openCard(subscribed);
    for (const drop of ['before', 'after']) {
      const match = { account: account.id, method, path };
      const { id } = await double.control('POST /faults', { match, do: { drop }, times: 1 });
      await page.give(token('pm_card_mastercard'));
      await double.control(`DELETE /faults/${String(id)}`);
      await advance(app, app.test.scope, 60_000);
      const last = (await listSetups(subscribed)).at(-1);
      expect(['succeeded', 'failed']).toContain(last?.status);
      const { status, method: charged } = (await page.look()).body.data.card;
      expect(status).toBe('open');
      if (last?.status === 'succeeded') expect(charged).toMatchObject({ brand: 'mastercard' });
    }
    await setting('sandbox');
  });

  it('whose bank asks its holder waits for them, and lapses after a day', async () => {
    await setting('processors');
    const subscribed = await startTrial('pm_card_visa');
    const page = await openCard(subscribed);
    const given = await page.give(token('pm_card_authenticationRequired'));
    expect(given.body.data.card).toMatchObject({ status: 'requires_action', isActionAsked: true });
    const { action } = (await page.action()).body.data;
    expect(action).toMatchObject({ kind: 'script', clientSecret: expect.stringMatching(/^seti_/) });
    expect((await page.confirm()).body.data.card.status).toBe('requires_action');
    // Another one takes its place.
    expect((await page.give(token('pm_card_visa'))).body.data.card).toMatchObject({ isTaken: true });
    expect(await listSetups(subscribed)).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
    await page.give(token('pm_card_authenticationRequired'));
    await advance(app, app.test.scope, 1.1 * DAY_MS);
    expect((await listSetups(subscribed)).at(-1)).toMatchObject({
      ...{ status: 'failed', declineReason: 'authentication_failed' },
    });
    await setting('sandbox');
  });
});

describe('a method that a buyer adds in their portal', () => {
  const email = 'portal-methods@example.com';
  let subscribed: Subscribed;
  let browser: PortalBrowser;
  beforeAll(async () => {
    await setting('processors');
    const offerId = await makePlanOffer(app.test, {
      ...{ price: 900, currency: 'EUR', taxBehavior: 'inclusive', recurringInterval: 'week' },
    });
    const bought = { processorId, paymentMethod: 'pm_card_visa', card: undefined, userEmail: email };
    subscribed = await subscribe(app, offerId, bought);
    browser = await signIn(app, email);
  });
  afterAll(() => setting('sandbox'));
  const add = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
    browser.post('/payment-methods/create', { payment: { option: 'token', token }, ...more }, { headers });
  const list = async () => (await browser.get('/payment-methods/list')).body.data.paymentMethods;
  const ask = (method: 'GET' | 'POST', action: string, headers: Record<string, string> = {}) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `/portal/${browser.store}/payment-methods/${action}`;
    const site = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    return app.app.inject({
      ...{ method, url, headers: { cookie, ...(method === 'POST' ? site : {}), ...headers } },
      ...(method === 'POST' ? { payload: '{}' } : {}),
    });
  };

  it('S22 is theirs, pays the subscriptions that are named, and the next renewal', async () => {
    const shown = (await ask('GET', 'adding')).json().data.adding;
    expect(shown).toMatchObject({
      ...{ status: 'open', methods: ['token'], subscriptionIds: [subscribed.number] },
      processorFields: { publishableKey: account.publishableKey },
    });
    const added = await add('pm_card_mastercard', { subscriptionIds: [subscribed.number] });
    expect(added.body.data).toMatchObject({
      paymentMethod: { last4: '4444', isDefault: false, subscriptionIds: [subscribed.number] },
      ...{ action: null, failure: null },
    });
    await advance(app, app.test.scope, 7 * DAY_MS);
    expect(await statusesOf(subscribed)).toEqual(['PAID']);
    const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    expect(body.data.payment.charges).toMatchObject([{ paymentMethod: { last4: '4444' } }]);
  });

  it('S22 that is refused is told, and changes nothing', async () => {
    const before = await list();
    const { status, body } = await add('pm_card_chargeDeclined');
    expect({ status, ...body.data }).toMatchObject({
      ...{ status: 200, paymentMethod: null, action: null },
      failure: { reason: expect.any(String), message: expect.any(String) },
    });
    expect(await list()).toEqual(before);
  });

  it('S22 whose bank asks is kept once its buyer has answered, and its secret is told in no answer that is kept', async () => {
    const key = { 'idempotency-key': 'add-once' };
    const first = await add('pm_card_authenticationRequired', {}, key);
    expect(first.body.data).toMatchObject({ paymentMethod: null, failure: null });
    const { url } = first.body.data.action;
    expect(new URL(url).pathname).toBe(`/portal/${browser.store}/payment-methods/authenticate`);
    expect((await add('pm_card_authenticationRequired', {}, key)).body.data).toEqual(first.body.data);
    const { action } = (await ask('POST', 'action')).json().data;
    expect(action).toMatchObject({ kind: 'script', clientSecret: expect.stringMatching(/^seti_/) });
    expect(first.text).not.toContain(action.clientSecret);
    expect((await ask('POST', 'confirm')).json().data.adding.status).toBe('requires_action');
    const [, setupId] = /^(seti_\w+)_secret/.exec(action.clientSecret) ?? [];
    await double.control(`POST /objects/${setupId}/settle`, {});
    const back = await ask('GET', 'return?setup_intent=x&setup_intent_client_secret=y');
    expect(back.statusCode).toBe(303);
    expect(back.headers.location).toBe(`/portal/${browser.store}/payment-methods`);
    expect((await list()).map((one: { last4: string }) => one.last4)).toContain('3184');
  });

  it('S10 is asked about by no other site’s page and by nobody who is not in', async () => {
    for (const action of ['confirm', 'action']) {
      const foreign = await ask('POST', action, { 'sec-fetch-site': 'cross-site' });
      expect([foreign.statusCode, foreign.json().error.code]).toEqual([403, 'cross_site_request']);
      expect((await ask('POST', action, { cookie: '' })).statusCode).toBe(401);
    }
    expect((await ask('GET', 'adding', { cookie: '' })).statusCode).toBe(401);
    expect((await ask('GET', 'authenticate', { cookie: '' })).statusCode).toBe(303);
  });

  it('S22 is given by one way, that is offered', async () => {
    const bodies = [
      {},
      { payment: { option: 'token' } },
      { payment: { option: 'card' } },
      { card: '4242424242424242', payment: { option: 'token', token: 'x' } },
    ];
    for (const body of bodies) {
      const answer = await browser.post('/payment-methods/create', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    }
  });
});

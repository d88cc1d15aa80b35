/** What a stranger learns who found a public key in a page: every read of the API, played with it alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOperations } from '../contract/operations.ts';
import { buy } from '../support/buying.ts';
import { DECLINED } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

/** Pays the first time, and never again. */
const DECLINED_LATER = '4000000000000341';
const CODE = 'HUSHHUSH42';
const ADDRESS = '127.0.0.1';

let app: TestApp;
let receiver: Receiver;
/** Ids by the parameter of a path that takes them. */
const ids: Record<string, string> = {};
/** What P alone must never be told, by what it is. */
const secrets: Record<string, string> = {};

const alone = { keys: 'public' } as const;
const get = (path: string, query: Record<string, string> = {}): Promise<Answer> =>
  app.test.get(path, { ...alone, query });

beforeAll(async () => {
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
  const { test, service } = app;
  receiver.script({ status: 500, body: '{"answer":"of-the-receiver"}' });
  const hook = await test.post('/v0/webhooks/create', {
    url: `${receiver.url}/hook?token=query-of-the-url`,
    events: ['payment_success', 'payment_failed', 'payment_refunded', 'subscription_cancelled'],
  });
  ids.webhookId = hook.body.data.webhook.id;
  await test.post('/v0/custom-fields/create', {
    key: 'nick',
    label: 'Nick',
    type: 'text',
    required: false,
    validationUrl: `${receiver.url}/validator-of-ours`,
  });
  await test.post('/v0/discounts/create', {
    type: 'code',
    discountCode: CODE,
    amount: 10,
    amountType: 'percentage',
    includesAllOffers: true,
  });
  const offerId = await makeOffer(test, { limit: 471104711 });
  const bought = (await buy(test, { offersIds: [offerId], discountCode: CODE })).body.data;
  await test.post(`/v0/orders/${bought.order.id}/refunds`, { amount: 100, note: 'a-note-about-the-buyer' });
  const planId = await makePlanOffer(test);
  const subscribed = (await buy(test, { offersIds: [planId], userEmail: 'eve@example.com' })).body.data;
  await test.patch(`/v0/subscriptions/${subscribed.subscription.id}/cancel`, {
    reason: 'a-reason-for-leaving',
  });
  const failed = (await buy(test, { offersIds: [offerId], card: DECLINED, userEmail: 'bob@example.com' }))
    .body.data;
  await app.wired.worker.runDue();
  const element = await test.post('/v0/elements/checkout/create', { offersIds: [offerId] });
  const events = (await test.get('/v0/events/list')).body.data.events;
  Object.assign(ids, {
    offerId,
    productId: (await test.get(`/v0/offers/${offerId}`)).body.data.offer.productId,
    elementId: element.body.data.checkoutElement.id,
    discountId: (await test.get('/v0/discounts/list')).body.data.discounts[0].id,
    orderIdOrNumber: bought.order.id,
    paymentIdOrNumber: failed.payment.id,
    subscriptionIdOrNumber: subscribed.subscription.id,
    userId: bought.order.userId,
    eventId: events[0].id,
  });
  const tokens = await service.db.selectFrom('payments').select('payToken').execute();
  tokens.forEach(({ payToken }, index) => {
    secrets[`pay link ${index}`] = payToken;
  });
  const documents = await service.db.selectFrom('invoices').select('token').execute();
  documents.forEach(({ token }, index) => {
    secrets[`document ${index}`] = token;
  });
  Object.assign(secrets, {
    'address of a buyer': `"ipAddress":"${ADDRESS}"`,
    'note of a refund': 'a-note-about-the-buyer',
    'reason of a cancel': 'a-reason-for-leaving',
    'text of a code': CODE,
    'query of a webhook': 'query-of-the-url',
    'answer of a receiver': 'of-the-receiver',
    'address of a validator': 'validator-of-ours',
    'limit of an offer': '471104711',
  });
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await app.close();
});

/** Every read that P alone may send, with ids of what is there. */
function listReads(): string[] {
  return listOperations(app)
    .filter(({ method, needsSecret }) => method === 'GET' && !needsSecret)
    .flatMap(({ path, params }) => {
      const isFilled = params.every(({ name }) => name in ids);
      const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
      return isFilled ? [url] : [];
    });
}

describe('Y06 the public key alone', () => {
  it('is told no link that opens or pays, no code, no address, no note and no text of a receiver, in any read', async () => {
    const reads = listReads();
    expect(reads.length).toBeGreaterThan(18);
    const all = { take: '100', returnCount: 'true' };
    const shown: Record<string, string> = {};
    for (const path of reads) {
      const answer = await get(path, all);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      for (const [what, secret] of Object.entries(secrets)) {
        if (answer.text.includes(secret)) shown[what] = path;
      }
    }
    expect(shown).toEqual({});
  });

  it('would be told each of them with its secret beside it, so that the test looks for what is there', async () => {
    const texts = [];
    for (const path of listReads()) texts.push((await app.test.get(path, { query: { take: '100' } })).text);
    const whole = texts.join('\n');
    const hidden = Object.keys(secrets).filter((what) => !what.startsWith('pay link'));
    for (const what of hidden)
      expect({ what, there: whole.includes(secrets[what] ?? '') }).toEqual({ what, there: true });
    expect(
      Object.keys(secrets).some((what) => what.startsWith('pay link') && whole.includes(secrets[what] ?? '')),
    ).toBe(true);
  });

  it('sees of a code its last two characters, and of a webhook where it leads', async () => {
    const discount = (await get(`/v0/discounts/${ids.discountId}`)).body.data.discount;
    expect(discount.discountCode).toBe('••••42');
    const order = (await get(`/v0/orders/${ids.orderIdOrNumber}`)).body.data.order;
    expect(order.discount.discountCode).toBe('••••42');
    const webhook = (await get(`/v0/webhooks/${ids.webhookId}`)).body.data.webhook;
    expect(webhook.url).toBe(`${receiver.url}/hook`);
  });

  it('finds no code by searching for its letters', async () => {
    expect((await get('/v0/discounts/list', { term: 'HUSH' })).body.data).toMatchObject({
      count: 0,
      discounts: [],
    });
    const own = await app.test.get('/v0/discounts/list', { query: { term: 'HUSH' } });
    expect(own.body.data.count).toBe(1);
  });

  it('learns of attempts that they were made, and not what was said', async () => {
    const { attempts } = (await get(`/v0/webhooks/${ids.webhookId}/attempts`)).body.data;
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts)
      expect(attempt).toMatchObject({
        statusCode: expect.any(Number),
        request: null,
        response: null,
        responseText: null,
      });
  });

  it('learns that nobody answered, and not at which address', async () => {
    const url = 'http://127.0.0.1:1/';
    const hook = await app.test.post('/v0/webhooks/create', { url, events: ['payment_success'] });
    const { id: webhookId } = hook.body.data.webhook;
    await app.test.post('/v0/webhooks/sendTestEvent', { webhookId });
    await app.wired.worker.runDue();
    const path = `/v0/webhooks/${webhookId}/attempts`;
    const [own] = (await app.test.get(path)).body.data.attempts;
    expect(own).toMatchObject({ error: 'connection', errorDetail: expect.stringContaining('127.0.0.1') });
    const [seen] = (await get(path)).body.data.attempts;
    expect(seen).toMatchObject({ error: 'connection', errorDetail: null });
  });

  it('finds no pay link in an event, which nobody is told from now on', async () => {
    const { rows } = await app.service.pool.query<{ body: string }>(
      "select body from events where type = 'payment_failed'",
    );
    expect(rows).not.toEqual([]);
    for (const { body } of rows) expect(JSON.parse(body).data.payment.payUrl).toBeNull();
    expect(receiver.requests.length).toBeGreaterThan(0);
  });

  it('leaves the pay link in the mail to its own buyer', async () => {
    const offersIds = [await makePlanOffer(app.test)];
    await buy(app.test, { offersIds, card: DECLINED_LATER, userEmail: 'kay@example.com' });
    await advance(app, app.test.scope, 32 * DAY_MS);
    const mails = (await app.test.get('/v0/mails/list', { query: { take: '100' } })).body.data.mails;
    const { id } = mails.find(({ kind }: { kind: string }) => kind === 'payment_failed');
    const { mail } = (await app.test.get(`/v0/mails/${id}`)).body.data;
    const { rows } = await app.service.pool.query<{ payToken: string }>(
      `select pay_token as "payToken" from payments where type = 'subscription_interval' and status = 'FAILED'`,
    );
    expect(mail.html).toContain(`/pay/${rows[0]?.payToken}`);
  });
});

describe('Y07 lists by the public key alone', () => {
  const LISTS = [
    'products',
    'offers',
    'discounts',
    'elements/checkout',
    'users',
    'webhooks',
    'custom-fields',
    'orders',
    'payments',
  ];

  it.each(LISTS)('of %s leave archived rows out, and may not ask for them', async (name) => {
    const path = `/v0/${name}/list`;
    const shown = await get(path, { returnCount: 'true' });
    const withArchived = await get(path, { withArchived: 'true', returnCount: 'true' });
    expect(withArchived.body.data.count).toBe(shown.body.data.count);
    await expectRefusal(get(path, { archived: 'true' }), 401, 'secret_key_required');
    expect((await get(path, { archived: 'false' })).status).toBe(200);
  });

  it.each(['products', 'offers', 'discounts', 'webhooks'])(
    'of %s may not name archived as a status',
    async (name) => {
      await expectRefusal(get(`/v0/${name}/list`, { statuses: 'archived' }), 401, 'secret_key_required');
      await expectRefusal(get(`/v0/${name}/list`, { status: 'archived' }), 401, 'secret_key_required');
    },
  );

  it('and single reads know no draft and no archived row', async () => {
    const { test } = app;
    const draftId = await makeProduct(test, { status: 'DRAFT', name: 'Unannounced' });
    const productId = await makeProduct(test, { name: 'Announced' });
    const draftOfferId = await makeOffer(test, { productId, status: 'DRAFT', name: 'Secret price' });
    const openOfferId = await makeOffer(test, { productId });
    for (const kind of ['products', 'offers']) {
      await expectRefusal(get(`/v0/${kind}/list`, { statuses: 'DRAFT' }), 401, 'secret_key_required');
      await expectRefusal(get(`/v0/${kind}/list`, { statuses: 'ACTIVE,DRAFT' }), 401, 'secret_key_required');
      const listed = await get(`/v0/${kind}/list`, { take: '100' });
      expect(listed.text).not.toMatch(/Unannounced|Secret price/);
      const own = await test.get(`/v0/${kind}/list`, { query: { take: '100' } });
      expect(own.body.data.count).toBe(listed.body.data.count + 1);
    }
    await expectRefusal(get(`/v0/products/${draftId}`), 404, 'not_found');
    await expectRefusal(get(`/v0/offers/${draftOfferId}`), 404, 'not_found');
    const product = (await get(`/v0/products/${productId}`)).body.data;
    const offerIds = (offers: Array<{ id: string }>) => offers.map(({ id }) => id);
    expect(offerIds(product.offers)).toEqual([openOfferId]);
    expect(offerIds(product.product.offers)).toEqual([openOfferId]);
    expect((await test.get(`/v0/products/${productId}`)).body.data.offers).toHaveLength(2);
    await test.patch(`/v0/products/${productId}/archive`, {});
    await expectRefusal(get(`/v0/products/${productId}`), 404, 'not_found');
    await expectRefusal(get(`/v0/offers/${openOfferId}`), 404, 'not_found');
    expect((await test.get(`/v0/offers/${openOfferId}`)).status).toBe(200);
  });

  it('and single reads tell of no offer whose product is a draft: an offer names its product', async () => {
    const { test } = app;
    const productId = await makeProduct(test, { status: 'DRAFT', name: 'Not told of yet' });
    const offerId = await makeOffer(test, { productId });
    const query = { ids: offerId };
    const listed = await get('/v0/offers/list', query);
    expect(listed.body.data).toMatchObject({ offers: [], count: 0 });
    await expectRefusal(get(`/v0/offers/${offerId}`), 404, 'not_found');
    expect((await test.get('/v0/offers/list', { query })).body.data.count).toBe(1);
    await test.patch(`/v0/products/${productId}/update`, { status: 'ACTIVE' });
    expect((await get('/v0/offers/list', query)).body.data.count).toBe(1);
    expect((await get(`/v0/offers/${offerId}`)).body.data.offer.product.name).toBe('Not told of yet');
    await test.patch(`/v0/products/${productId}/archive`, {});
  });

  it('Y06 find nothing by what they do not show', async () => {
    const { test } = app;
    const url = `${receiver.url}/asked?token=of-the-receiver#part`;
    const { webhook } = (await test.post('/v0/webhooks/create', { url, events: ['payment_success'] })).body
      .data;
    const discountCode = 'HIDDEN-LETTERS';
    const code = { type: 'code', amount: 1, amountType: 'percentage', discountCode };
    await test.post('/v0/discounts/create', code);
    const found = async (path: string, term: string) => [
      (await get(path, { term })).body.data.count,
      (await test.get(path, { query: { term } })).body.data.count,
    ];
    expect(await found('/v0/webhooks/list', '/asked')).toEqual([1, 1]);
    for (const term of ['of-the-receiver', 'asked?t', '#part'])
      expect(await found('/v0/webhooks/list', term)).toEqual([0, 1]);
    expect(await found('/v0/discounts/list', 'HIDDEN-L')).toEqual([0, 1]);
    await test.patch(`/v0/webhooks/${webhook.id}/archive`, {});
  });

  it('and reads of an archived discount, element, user or webhook are 404', async () => {
    const { test } = app;
    const made = [
      ['/v0/discounts', { type: 'sale', amount: 1, amountType: 'percentage', name: 'Gone' }, 'discount'],
      ['/v0/elements/checkout', { offersIds: [ids.offerId] }, 'checkoutElement'],
      ['/v0/users', { email: 'gone@example.com' }, 'user'],
      ['/v0/webhooks', { url: `${receiver.url}/gone`, events: ['payment_success'] }, 'webhook'],
    ] as const;
    for (const [path, body, name] of made) {
      const { id } = (await test.post(`${path}/create`, body)).body.data[name];
      expect((await get(`${path}/${id}`)).status).toBe(200);
      await test.patch(`${path}/${id}/archive`, {});
      await expectRefusal(get(`${path}/${id}`), 404, 'not_found');
      expect((await test.get(`${path}/${id}`)).status).toBe(200);
      if (name === 'user') await expectRefusal(get(`${path}/${id}/inventory`), 404, 'not_found');
      if (name === 'webhook') await expectRefusal(get(`${path}/${id}/attempts`), 404, 'not_found');
    }
  });

  it('Y07 nor is its name told with its tax', async () => {
    const { test } = app;
    const archived = await makeProduct(test);
    await test.patch(`/v0/products/${archived}/archive`, {});
    const draft = await makeProduct(test, { status: 'DRAFT' });
    for (const productId of [archived, draft]) {
      const body = { productId, amount: 100, currency: 'EUR', customer: { countryCode: 'DE' } };
      await expectRefusal(test.post('/v0/tax/calculate', body, alone), 404, 'not_found');
      expect((await test.post('/v0/tax/calculate', body)).status).toBe(200);
    }
  });

  it('and the ledger needs the secret key', async () => {
    await expectRefusal(get('/v0/ledger/balances'), 401, 'secret_key_required');
    await expectRefusal(get('/v0/ledger/proof'), 401, 'secret_key_required');
    expect((await app.test.get('/v0/ledger/proof')).status).toBe(200);
  });

  it('and the stock of an offer is null', async () => {
    const { offer } = (await get(`/v0/offers/${ids.offerId}`)).body.data;
    expect(offer).toMatchObject({ keys: null, soldItems: null, limit: null });
    const own = (await app.test.get(`/v0/offers/${ids.offerId}`)).body.data.offer;
    expect(own).toMatchObject({ keys: { available: 0 }, limit: 471104711, soldItems: 1 });
  });
});

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy, openPage } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let gameId: string;
let gameOffer: string;
let planOffer: string;
let elementId: string;
let discountId: string;

beforeAll(async () => {
  app = await createTestApp();
  gameId = await makeProduct(app.test, { name: 'Game' });
  gameOffer = await makeOffer(app.test, { productId: gameId, price: 1000 });
  await app.test.post(`/v0/offers/${gameOffer}/keys/add`, { keys: ['AAAA-BBBB-0001', 'AAAA-BBBB-0002'] });
  planOffer = await makePlanOffer(app.test, { price: 700 });
  const { body: element } = await app.test.post('/v0/elements/checkout/create', { offersIds: [gameOffer] });
  elementId = element.data.checkoutElement.id;
  const { body: discount } = await app.test.post('/v0/discounts/create', {
    type: 'code',
    discountCode: 'TEN',
    amount: 10,
    amountType: 'percentage',
  });
  discountId = discount.data.discount.id;
  await buy(app.test, { offersIds: [planOffer], userEmail: 'club@example.com' });
  await buy(app.test, { elementId, discountCode: 'TEN', billingDetails: { countryCode: 'FR' } });
});
afterAll(() => app.close());

const idsOf = async (list: string, query: string) =>
  (await app.test.get(`/v0/${list}/list?${query}`)).body.data[list].map(({ id }: { id: string }) => id);

describe.each(['orders', 'payments'])('GET /v0/%s/list', (list) => {
  test(`D21 finds ${list} by what was bought, with what, when, and what became of it`, async () => {
    const [bought, subscribed] = await idsOf(list, '');
    expect(await idsOf(list, `productIds=${gameId}`)).toEqual([bought]);
    expect(await idsOf(list, `offerIds=${planOffer}`)).toEqual([subscribed]);
    expect(await idsOf(list, `offerIds=${planOffer},${gameOffer}`)).toEqual([bought, subscribed]);
    expect(await idsOf(list, `discountId=${discountId}`)).toEqual([bought]);
    expect(await idsOf(list, 'fulfilment=delivered')).toEqual([bought]);
    expect(await idsOf(list, 'fulfilment=none,awaiting_stock')).toEqual([subscribed]);
    expect(await idsOf(list, 'disputed=true')).toEqual([]);
    expect(await idsOf(list, 'held=true')).toEqual([]);
    expect(await idsOf(list, 'held=false&disputed=false')).toEqual([bought, subscribed]);
    expect(await idsOf(list, `paidFrom=${Date.now() + 1000}`)).toEqual([]);
    expect(await idsOf(list, `paidTo=${Date.now() + 1000}`)).toEqual([bought, subscribed]);
  });
});

describe('rows of lists', () => {
  it('tell more of an order than the order itself, and who bought it to the secret key alone', async () => {
    const [order] = (await app.test.get('/v0/orders/list')).body.data.orders;
    expect(order).toMatchObject({
      userEmail: 'ada@example.com',
      itemNames: ['Game'],
      fulfilment: 'delivered',
    });
    for (const list of ['orders', 'payments', 'subscriptions']) {
      const shown = await app.test.get(`/v0/${list}/list`, { keys: 'public' });
      expect(shown.body.data[list][0].userEmail).toBeNull();
    }
  });

  it('tell what a user spent and how many subscriptions run', async () => {
    const { users } = (await app.test.get('/v0/users/list')).body.data;
    const club = users.find(({ email }: { email: string }) => email === 'club@example.com');
    expect(club).toMatchObject({ spent: 833, subscriptionCount: 1 });
    expect((await app.test.get('/v0/users/list?hasSubscription=true')).body.data.users).toHaveLength(1);
    expect((await app.test.get('/v0/users/list?countries=fr')).body.data.users).toHaveLength(1);
    const shown = (await app.test.get('/v0/users/list', { keys: 'public' })).body.data.users[0];
    expect(shown.spent).toBeNull();
  });

  it('tell of a product its offers, the lowest price and the stock', async () => {
    const { products } = (await app.test.get(`/v0/products/list?ids=${gameId}`)).body.data;
    expect(products[0]).toMatchObject({ offerCount: 1, fromPrice: 1000, stock: 1 });
    const shown = await app.test.get(`/v0/products/list?ids=${gameId}`, { keys: 'public' });
    expect(shown.body.data.products[0].stock).toBeNull();
  });

  it('count the paid orders of a checkout, and the deliveries of an event', async () => {
    const { checkoutElements } = (await app.test.get('/v0/elements/checkout/list')).body.data;
    expect(checkoutElements[0]).toMatchObject({ id: elementId, paidOrders: 1 });
    const { events } = (await app.test.get('/v0/events/list')).body.data;
    expect(events[0].deliveryCounts).toEqual({ waiting: 0, delivered: 0, failed: 0, dropped: 0 });
  });
});

describe('GET /v0/subscriptions/list', () => {
  it('filters by what is subscribed to, when it renews, and by words', async () => {
    const [id] = await idsOf('subscriptions', '');
    for (const query of [
      `offerIds=${planOffer}`,
      'term=club@',
      `term=${id}`,
      'cancelAtIntervalEnd=false',
      `renewsFrom=${Date.now()}`,
      'statuses=active',
    ]) {
      expect({ query, ids: await idsOf('subscriptions', query) }).toEqual({ query, ids: [id] });
    }
    for (const query of [`productIds=${gameId}`, 'term=ada', `renewsTo=${Date.now()}`])
      expect({ query, ids: await idsOf('subscriptions', query) }).toEqual({ query, ids: [] });
  });

  it.each(['createdAt', 'currentIntervalEnd', 'value'])('pages by %s in both directions', async (orderBy) => {
    await buy(app.test, { offersIds: [planOffer], userEmail: `${orderBy.toLowerCase()}@example.com` });
    const all = await idsOf('subscriptions', `orderBy=${orderBy}`);
    const first = (await app.test.get(`/v0/subscriptions/list?orderBy=${orderBy}&take=1`)).body.data;
    const second = (
      await app.test.get(`/v0/subscriptions/list?orderBy=${orderBy}&take=1&cursor=${first.cursor}`)
    ).body.data;
    expect([first.subscriptions[0].id, second.subscriptions[0].id]).toEqual(all.slice(0, 2));
    const back = await app.test.get(
      `/v0/subscriptions/list?orderBy=${orderBy}&take=1&cursor=${second.previousCursor}`,
    );
    expect(back.body.data.subscriptions[0].id).toBe(all[0]);
  });
});

describe('GET /v0/offers/list?lowStock', () => {
  it('finds what has few keys left, and asks for the secret key', async () => {
    expect(await idsOf('offers', 'lowStock=true')).toEqual([gameOffer]);
    expect(await idsOf('offers', 'lowStock=false')).toEqual([planOffer]);
    const asked = app.test.get('/v0/offers/list?lowStock=true', { keys: 'public' });
    await expectRefusal(asked, 401, 'secret_key_required');
  });

  it('finds the products of such offers', async () => {
    const ofOffer = async (id: string) => (await app.test.get(`/v0/offers/${id}`)).body.data.offer.product.id;
    expect(await idsOf('products', 'lowStock=true')).toEqual([await ofOffer(gameOffer)]);
    expect(await idsOf('products', 'lowStock=false')).toContain(await ofOffer(planOffer));
    const asked = app.test.get('/v0/products/list?lowStock=true', { keys: 'public' });
    await expectRefusal(asked, 401, 'secret_key_required');
  });
});

test('D32 a dry run of keys tells what would become of each and writes nothing', async () => {
  const keys = ['AAAA-BBBB-0002', 'NEW-1', 'NEW-2', 'NEW-1', ' ', 'x'.repeat(513)];
  const path = `/v0/offers/${gameOffer}/keys/add`;
  const { body } = await app.test.post(path, { keys, dryRun: true });
  expect(body.data).toEqual({
    success: true,
    added: 2,
    duplicates: 2,
    invalid: [
      { index: 4, message: 'must not be empty' },
      { index: 5, message: 'must have at most 512 characters' },
    ],
  });
  expect((await app.test.get(`/v0/offers/${gameOffer}/keys/list`)).body.data.count).toBe(2);
  const refused = await app.test.post(path, { keys });
  await expectRefusal(Promise.resolve(refused), 400, 'invalid_input');
  expect(refused.body.error.details[0].path).toBe('keys.4');
  const added = await app.test.post(path, { keys: keys.slice(0, 4) });
  expect(added.body.data).toMatchObject({ added: 2, duplicates: 2, invalid: [] });
});

describe('taking back from the archive', () => {
  it('brings a product’s offers along where it is asked to, but not those archived before', async () => {
    const productId = await makeProduct(app.test, { name: 'Archived' });
    const [old, kept] = [await makeOffer(app.test, { productId }), await makeOffer(app.test, { productId })];
    await app.test.patch(`/v0/offers/${old}/archive`);
    await app.test.patch(`/v0/products/${productId}/archive`);
    const taken = await app.test.patch(`/v0/products/${productId}/unarchive`, { withOffers: true });
    expect(taken.body.data.product.archivedAt).toBeNull();
    expect(await idsOf('offers', `product=${productId}`)).toEqual([kept]);
    expect(await idsOf('offers', `product=${productId}&archived=true`)).toEqual([old]);
  });

  it('works for variants, plans, checkouts, custom fields and webhooks', async () => {
    const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Plans' });
    const { body: plan } = await app.test.post(`/v0/products/${productId}/plans/add`, { name: 'Team' });
    const variant = `/v0/products/${productId}/variants/${plan.data.plan.id}`;
    const { body: field } = await app.test.post('/v0/custom-fields/create', {
      key: 'nick',
      label: 'Nick',
      type: 'text',
      required: false,
    });
    const { body: webhook } = await app.test.post('/v0/webhooks/create', {
      url: 'https://8.8.8.8/hook',
      events: ['payment_success'],
    });
    const paths = [
      variant,
      variant.replace('variants', 'plans'),
      `/v0/elements/checkout/${elementId}`,
      `/v0/custom-fields/${field.data.customField.id}`,
      `/v0/webhooks/${webhook.data.webhook.id}`,
    ];
    for (const path of paths) {
      const body = path.includes(plan.data.plan.id) ? { id: plan.data.plan.id } : {};
      expect((await app.test.patch(`${path}/archive`, body)).status).toBe(200);
      const { status, body: taken } = await app.test.patch(`${path}/unarchive`);
      const [object] = Object.values(taken.data) as Array<{
        archivedAt?: null;
        deletedAt?: null;
        status?: string;
      }>;
      expect({ path, status, back: object?.archivedAt ?? object?.deletedAt ?? null }).toEqual({
        path,
        status: 200,
        back: null,
      });
    }
    await app.test.patch(`/v0/custom-fields/${field.data.customField.id}/archive`);
  });

  it('of a webhook drops what had waited for it, and the work with it', async () => {
    const { body } = await app.test.post('/v0/webhooks/create', {
      url: 'https://8.8.8.8/hook',
      events: ['payment_success'],
    });
    const { id } = body.data.webhook;
    await app.test.post(`/v0/webhooks/sendTestEvent`, {});
    const { db } = app.service;
    const listOpen = async () => {
      const rows = await db
        .selectFrom('webhookDeliveries')
        .select(['id', 'status'])
        .where('webhookId', '=', id)
        .execute();
      const ids = rows.map((row) => row.id);
      const works = await db.selectFrom('dueWork').select('refId').where('refId', 'in', ids).execute();
      return { statuses: rows.map(({ status }) => status), works: works.length };
    };
    expect(await listOpen()).toEqual({ statuses: ['waiting'], works: 1 });
    await app.test.patch(`/v0/webhooks/${id}/archive`);
    await app.test.patch(`/v0/webhooks/${id}/unarchive`);
    expect(await listOpen()).toEqual({ statuses: ['dropped'], works: 0 });
    await app.test.patch(`/v0/webhooks/${id}/archive`);
  });

  it('is held to the number of webhooks', async () => {
    const make = () =>
      app.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
    const { body } = await make();
    await app.test.patch(`/v0/webhooks/${body.data.webhook.id}/archive`);
    while ((await make()).status === 200);
    const refused = await app.test.patch(`/v0/webhooks/${body.data.webhook.id}/unarchive`);
    await expectRefusal(Promise.resolve(refused), 400, 'webhook_limit_reached');
  });
});

describe('edits of one object at once', () => {
  test('D38 an update made of an older version is refused with the object as it is now', async () => {
    const path = `/v0/products/${gameId}`;
    const { headers, body } = await app.test.get(path);
    expect(headers.etag).toBe(`"${body.data.product.version}"`);
    const etag = String(headers.etag);
    const first = await app.test.patch(
      `${path}/update`,
      { name: 'Game 2' },
      { headers: { 'if-match': etag } },
    );
    expect(first.status).toBe(200);
    expect(first.headers.etag).toBe(`"${body.data.product.version + 1}"`);
    const late = await app.test.patch(
      `${path}/update`,
      { name: 'Game 3' },
      { headers: { 'if-match': etag } },
    );
    await expectRefusal(Promise.resolve(late), 412, 'edit_conflict');
    expect(late.body.error.details[0]).toMatchObject({
      object: 'product',
      id: gameId,
      current: { name: 'Game 2', version: body.data.product.version + 1 },
    });
    expect((await app.test.get(path)).body.data.product.name).toBe('Game 2');
    expect((await app.test.patch(`${path}/update`, { name: 'Game' })).status).toBe(200);
    const odd = await app.test.patch(`${path}/update`, { name: 'x' }, { headers: { 'if-match': 'three' } });
    await expectRefusal(Promise.resolve(odd), 400, 'invalid_input');
  });

  test('D38 a sale raises no version', async () => {
    const version = async (path: string, name: string) => (await app.test.get(path)).body.data[name].version;
    const offer = `/v0/offers/${gameOffer}`;
    const before = await version(offer, 'offer');
    await buy(app.test, { offersIds: [gameOffer], userEmail: 'more@example.com' });
    expect(await version(offer, 'offer')).toBe(before);
  });

  test('D38 each kind that is edited has a version and is held to it', async () => {
    const { body: user } = await app.test.post('/v0/users/create', { email: 'edit@example.com' });
    const { body: field } = await app.test.post('/v0/custom-fields/create', {
      key: 'edited',
      label: 'Edited',
      type: 'text',
      required: false,
    });
    const [webhook] = (await app.test.get('/v0/webhooks/list')).body.data.webhooks;
    const edits: Array<[string, Record<string, unknown>]> = [
      [`/v0/offers/${gameOffer}/update`, { name: 'One' }],
      [`/v0/discounts/${discountId}/update`, { name: 'One' }],
      [`/v0/elements/checkout/${elementId}/update`, { name: 'One' }],
      [`/v0/custom-fields/${field.data.customField.id}/update`, { label: 'One' }],
      [`/v0/users/${user.data.user.id}/update`, { username: 'One' }],
      [`/v0/webhooks/${webhook.id}/update`, { description: 'One' }],
      ['/v0/settings/update', { graceDays: 3 }],
    ];
    for (const [path, body] of edits) {
      const { headers } = await app.test.patch(path, body);
      const etag = String(headers.etag);
      const same = await app.test.patch(path, body, { headers: { 'if-match': etag } });
      expect({ path, status: same.status }).toEqual({ path, status: 200 });
      const older = await app.test.patch(path, body, { headers: { 'if-match': etag } });
      expect({ path, status: older.status }).toEqual({ path, status: 412 });
    }
  });
});

describe('the page of a checkout', () => {
  it('counts for its element when it is paid', async () => {
    const page = await openPage(app, `/checkout-element/${elementId}`);
    await page.submit({ email: 'page@example.com' });
    const { checkoutElements } = (await app.test.get('/v0/elements/checkout/list')).body.data;
    expect(checkoutElements[0].paidOrders).toBe(2);
  });
});

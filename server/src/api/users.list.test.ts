import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let made = 0;
const newEmail = () => `user${++made}@example.com`;

async function make(fields: Record<string, unknown> = {}, store: TestStore = app.test) {
  const answer = await store.post('/v0/users/create', { email: newEmail(), ...fields });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.user;
}

describe('listing users', () => {
  let store: TestStore;
  const emails = (body: { data: { users: Array<{ email: string }> } }) =>
    body.data.users.map(({ email }) => email);
  const list = (query: Record<string, string> = {}) => store.get('/v0/users/list', { query });

  beforeAll(async () => {
    store = app.live;
    for (let n = 1; n <= 25; n += 1) {
      await make({ email: `list${n}@example.com`, username: `No ${n}`, internalId: `crm%${n}` }, store);
    }
  });

  it('gives ten a page, newest first, with the number of users and pages', async () => {
    const { body } = await list();
    expect(body.data).toMatchObject({ count: 25, pages: 3, hasMore: true, cursor: expect.any(String) });
    expect(emails(body)).toEqual(Array.from({ length: 10 }, (_, n) => `list${25 - n}@example.com`));
    const last = await list({ page: '3' });
    expect(emails(last.body)).toEqual([5, 4, 3, 2, 1].map((n) => `list${n}@example.com`));
    expect(last.body.data).toMatchObject({ count: 25, pages: 3, hasMore: false, cursor: null });
    expect((await list({ page: '4' })).body.data).toMatchObject({ users: [], count: 25, pages: 3 });
    expect((await list({ page: '9007199254740991', limit: '100' })).body.data.users).toEqual([]);
    expect((await list({ limit: '100' })).body.data).toMatchObject({ count: 25, pages: 1 });
  });

  it('shows every user once, by pages, by a cursor and by skipping', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list({ limit: '7', ...(cursor ? { cursor } : {}) });
      seen.push(...emails(body));
      cursor = body.data.cursor;
    }
    const paged = await Promise.all([1, 2, 3, 4].map((page) => list({ limit: '7', page: String(page) })));
    const skipped = await Promise.all([0, 7, 14, 21].map((skip) => list({ take: '7', skip: String(skip) })));
    expect(new Set(seen).size).toBe(25);
    expect(paged.flatMap(({ body }) => emails(body))).toEqual(seen);
    expect(skipped.flatMap(({ body }) => emails(body))).toEqual(seen);
  });

  it('finds by e-mail without case, by part of a text, and by the day', async () => {
    expect(emails((await list({ email: 'LIST7@example.com' })).body)).toEqual(['list7@example.com']);
    expect((await list({ email: 'list' })).body.data).toMatchObject({ users: [], count: 0, pages: 0 });
    expect((await list({ term: 'list2' })).body.data.count).toBe(7);
    expect((await list({ term: 'NO 13' })).body.data.count).toBe(1);
    expect((await list({ term: 'm%1' })).body.data.count).toBe(11);
    expect((await list({ term: '_ist' })).body.data.count).toBe(0);
    const all = (await list({ limit: '100' })).body.data.users as Array<{ createdAt: number }>;
    const middle = all[12]?.createdAt ?? 0;
    const younger = all.filter(({ createdAt }) => createdAt >= middle).length;
    const older = all.filter(({ createdAt }) => createdAt <= middle).length;
    expect((await list({ createdAfter: String(middle) })).body.data.count).toBe(younger);
    expect((await list({ createdBefore: String(middle) })).body.data.count).toBe(older);
    expect((await list({ createdAfter: 'null', createdBefore: '2020-01-01' })).body.data.count).toBe(0);
  });

  it('takes each bound of a time that the seed allows, 0 to 2^53 − 1', async () => {
    const { count } = (await list({})).body.data;
    const bounds = { createdAfter: '0', createdBefore: '9007199254740991' };
    expect((await list(bounds)).body.data.count).toBe(count);
    expect((await list({ createdAfter: '9007199254740991' })).body.data.count).toBe(0);
    expect((await list({ createdBefore: '0' })).body.data.count).toBe(0);
    for (const bound of ['9007199254740992', '-1', '1.5']) {
      expect((await list({ createdAfter: bound })).status).toBe(400);
    }
    for (const path of ['orders', 'payments', 'subscriptions', 'events']) {
      const query = { createdFrom: '0', createdTo: '9007199254740991' };
      expect((await store.get(`/v0/${path}/list`, { query })).status, path).toBe(200);
    }
  });

  it('finds who asked to be erased and is not yet, for the secret key alone', async () => {
    const [{ id }] = (await list({ email: 'list3@example.com' })).body.data.users;
    expect((await store.post(`/v0/users/${id}/deletion/accept`, {})).status).toBe(200);
    const { body } = await list({ deletion: 'accepted' });
    expect(emails(body)).toEqual(['list3@example.com']);
    expect(body.data.users[0].deletion).toMatchObject({ status: 'accepted', userId: id });
    expect(emails((await list({ deletion: 'requested' })).body)).toEqual([]);
    expect((await store.get(`/v0/users/${id}`)).body.data.deletion.status).toBe('accepted');
    const byPublicKey = store.get('/v0/users/list', { keys: 'public', query: { deletion: 'accepted' } });
    await expectRefusal(byPublicKey, 401, 'secret_key_required');
  });

  it('leaves archived users out unless they are asked for', async () => {
    const { id } = await make({ email: 'archived@example.com' }, store);
    expect((await store.patch(`/v0/users/${id}/archive`, { id })).body.data.user.archivedAt).toBeTypeOf(
      'number',
    );
    expect((await list()).body.data.count).toBe(25);
    expect((await list({ withArchived: 'true' })).body.data.count).toBe(26);
    expect(emails((await list({ archived: 'true' })).body)).toEqual(['archived@example.com']);
    expect((await store.get(`/v0/users/${id}`)).status).toBe(200);
    await store.patch(`/v0/users/${id}/unarchive`);
    expect((await list()).body.data.count).toBe(26);
    await store.patch(`/v0/users/${id}/archive`);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['page', '0'],
    ['page', '-1'],
    ['page', '9007199254740992'],
    ['take', '101'],
    ['createdAfter', 'yesterday'],
    ['cursor', 'x'],
    ['archived', 'perhaps'],
  ])('refuses %s=%s', async (name, value) => {
    await expectRefusal(list({ [name]: value }), 400, 'invalid_input');
  });
});

describe('an inventory', () => {
  const read = async (
    id: string,
    query: Record<string, string> = {},
    keys: 'secret' | 'public' = 'secret',
  ) => {
    const answer = await app.test.get(`/v0/users/${id}/inventory`, { query, keys });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };

  it('holds what was bought and paid, with whole keys only for the secret key', async () => {
    const user = await make();
    const keyed = await makeOffer(app.test, { name: 'Keyed' });
    await app.test.post(`/v0/offers/${keyed}/keys/add`, { productKeys: ['AAAA-BBBB-1111'] });
    const plain = await makeOffer(app.test, { name: 'Plain' });
    const { order } = (await buy(app.test, { offersIds: [keyed, plain], userEmail: user.email })).body.data;
    await buy(app.test, { offersIds: [plain], userEmail: user.email, card: '4000000000000002' });
    await buy(app.test, { offersIds: [plain], userEmail: newEmail() });
    const { inventory, count, pages } = await read(user.id);
    expect({ count, pages }).toEqual({ count: 2, pages: 1 });
    const item = inventory.find(({ name }: { name: string }) => name === 'Keyed');
    expect(item).toMatchObject({
      object: 'item',
      orderId: order.id,
      orderNumber: order.number,
      subscriptionId: null,
      boughtAt: order.paidAt,
      expiresAt: null,
      offer: { id: keyed },
      keys: [{ key: 'AAAA-BBBB-1111' }],
      fulfilment: 'delivered',
    });
    const masked = await app.test.get(`/v0/users/${user.id}/inventory`, { keys: 'public' });
    expect(masked.text).toContain('••••1111');
    expect(masked.text).not.toContain('AAAA');
  });

  it('is paged and filtered', async () => {
    const user = await make({ billingDetails: { countryCode: 'DE' } });
    const plan = await app.test.post('/v0/products/create', { type: 'Subscription', name: 'Club' });
    const productId = plan.body.data.product.id;
    const monthly = { recurringInterval: 'month', recurringIntervalCount: 1 };
    const planOffer = await makeOffer(app.test, { productId, ...monthly });
    const offer = await makeOffer(app.test);
    for (let n = 0; n < 3; n += 1) await buy(app.test, { offersIds: [offer], userEmail: user.email });
    const { subscription } = (await buy(app.test, { offersIds: [planOffer], userEmail: user.email })).body
      .data;
    const all = await read(user.id);
    expect(all).toMatchObject({ count: 4, pages: 1, hasMore: false });
    const paged = [];
    for (const page of ['1', '2', '3', '4']) {
      const { inventory, pages } = await read(user.id, { limit: '1', page });
      expect(pages).toBe(4);
      paged.push(...inventory);
    }
    expect(paged).toEqual(all.inventory);
    const { inventory: subscribed } = await read(user.id, { productType: 'Subscription' });
    const end = subscription.currentIntervalEnd;
    expect(subscribed).toMatchObject([{ subscriptionId: subscription.id, expiresAt: end }]);
    expect((await read(user.id, { expiresAfter: String(end - 1) })).count).toBe(4);
    expect((await read(user.id, { expiresAfter: String(end) })).count).toBe(3);
    for (const [name, value] of Object.entries({ limit: '101', page: '0', productType: 'Boat' })) {
      const answer = app.test.get(`/v0/users/${user.id}/inventory`, { query: { [name]: value } });
      await expectRefusal(answer, 400, 'invalid_input');
    }
  });

  it('of a subscription whose renewal failed ends with the grace', async () => {
    const planOffer = await makePlanOffer(app.other);
    const bought = await buy(app.other, { offersIds: [planOffer], card: '4000000000000341' });
    const { order, subscription } = bought.body.data;
    const due = subscription.currentIntervalEnd;
    const read = async () =>
      (await app.other.get(`/v0/users/${order.userId}/inventory`)).body.data.inventory[0].expiresAt;
    expect(await read()).toBe(due);
    await advance(app, app.other.scope, due - order.createdAt + MINUTE_MS);
    const expires = await read();
    expect(Math.round((expires - due) / DAY_MS)).toBe(7);
    await app.other.patch('/v0/settings/update', { graceDays: 3 });
    expect(await read()).toBe(expires - 4 * DAY_MS);
  });
});

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import type { KeyPairPlain } from '../resources/api-keys/key-pairs.ts';

let app: TestApp;
let order: { id: string; number: string; userId: string };
let paymentId: string;
let subscriptionId: string;
/** A pair that may read orders alone. */
let clerk: KeyPairPlain & { keyId: string };

beforeAll(async () => {
  app = await createTestApp();
  await app.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
  const offerId = await makeOffer(app.test, { price: 1000, name: 'Starfield' });
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { keys: ['AAAA-BBBB-CCCC-9X7Q'] });
  const { body } = await buy(app.test, { offersIds: [offerId] });
  order = body.data.order;
  paymentId = body.data.payment.id;
  const { body: subscribed } = await buy(app.test, {
    offersIds: [await makePlanOffer(app.test)],
    userEmail: 'club@example.com',
  });
  subscriptionId = subscribed.data.order.number;
  clerk = await makePair(['orders:read', 'orders:write']);
});
afterAll(() => app.close());

async function makePair(scopes: string[]): Promise<KeyPairPlain & { keyId: string }> {
  const { service, test: store } = app;
  return inTransaction(service.db, (tx) =>
    issueKeyPair(tx, store.scope, {
      ids: service.ids,
      terms: { name: 'Clerk', nowMs: Date.now(), scopes, readRequiresSecret: false },
    }),
  );
}

interface Group {
  object: string;
  hits: Array<{ id: string; title: string; path: string }>;
}
const search = async (q: string, keys?: KeyPairPlain): Promise<Group[]> =>
  (await app.test.get('/v0/search', { query: { q }, ...(keys ? { keys } : {}) })).body.data.groups;
const idsOf = (groups: Group[], object: string) =>
  groups.find((group) => group.object === object)?.hits.map(({ id }) => id) ?? [];

describe('GET /v0/search', () => {
  test('D23 finds by number, id, document, e-mail, key and words', async () => {
    for (const q of [order.number, `#${order.number}`, order.id, 'AAAA-BBBB-CCCC-9X7Q', '9X7Q'])
      expect({ q, ids: idsOf(await search(q), 'order') }).toEqual({ q, ids: [order.id] });
    expect(idsOf(await search(paymentId), 'payment')).toEqual([paymentId]);
    expect(idsOf(await search(subscriptionId), 'subscription')).toEqual([subscriptionId]);
    const { invoices } = (await app.test.get(`/v0/invoices/list?orderId=${order.id}`)).body.data;
    expect(idsOf(await search(invoices[0].number), 'invoice')).toEqual([invoices[0].id]);
    const byEmail = await search('ada@');
    expect(idsOf(byEmail, 'user')).toEqual([order.userId]);
    expect(idsOf(byEmail, 'order')).toEqual([order.id]);
    expect(idsOf(await search('starf'), 'offer')).toHaveLength(1);
    expect(idsOf(await search('8.8.8.8'), 'webhook')).toHaveLength(1);
    expect(await search('no such thing')).toEqual([]);
  });

  test('D23 each kind leads to its page, or to the list that shows it', async () => {
    const pathOf = async (q: string, object: string, keys?: KeyPairPlain) => {
      const hits = (await search(q, keys)).find((group) => group.object === object)?.hits ?? [];
      return hits[0]?.path.replace(`/dashboard/${app.test.scope.workspaceId}/test/`, '');
    };
    expect(await pathOf(order.id, 'order')).toBe(`orders/${order.id}`);
    const { invoices } = (await app.test.get(`/v0/invoices/list?orderId=${order.id}`)).body.data;
    const { id, number } = invoices[0];
    for (const q of [id, number]) expect(await pathOf(q, 'invoice')).toBe(`orders/payments/${paymentId}`);
    const books = await makePair(['invoices:read']);
    expect(await pathOf(number, 'invoice', books)).toBe(`finance/invoices?number=${number}`);
    const [offerId] = idsOf(await search('starf'), 'offer');
    const { product } = (await app.test.get(`/v0/offers/${offerId}`)).body.data.offer;
    expect(await pathOf('starf', 'offer')).toBe(`catalogue/products/${product.id}`);
    const made = await app.test.post('/v0/discounts/create', {
      ...{ type: 'code', discountCode: 'SPRING-10', amountType: 'percentage', amount: 10 },
    });
    expect(made.status).toBe(200);
    const codes = 'catalogue/discounts?term=SPRING-10&withArchived=true';
    for (const q of ['spring', made.body.data.discount.id]) expect(await pathOf(q, 'discount')).toBe(codes);
    const field = await app.test.post('/v0/custom-fields/create', {
      key: 'vatin',
      label: 'VAT',
      type: 'text',
    });
    expect(await pathOf(field.body.data.customField.id, 'custom_field')).toBe(
      'catalogue/custom-fields?withArchived=true',
    );
    await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 1 });
    const { refunds } = (await app.test.get(`/v0/refunds/list?orderId=${order.id}`)).body.data;
    expect(await pathOf(refunds[0].id, 'refund')).toBe(`orders/${order.id}`);
  });

  test('D24 shows nothing of areas that a pair may not read', async () => {
    const groups = await search('ada@', clerk);
    expect(groups.map(({ object }) => object)).toEqual(['order']);
    expect(await search(paymentId, clerk)).toEqual([]);
    await expectRefusal(app.test.get('/v0/search?q=x', { keys: 'public' }), 401, 'secret_key_required');
  });
});

describe('GET /v0/timeline', () => {
  const entries = async (path: string, keys?: KeyPairPlain) =>
    (await app.test.get(`/v0/timeline/${path}`, keys ? { keys } : {})).body.data.entries;
  const typesOf = (list: Array<{ type: string }>) => new Set(list.map(({ type }) => type));

  test('D28 tells all of an order in order, its notes among it', async () => {
    await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 100 });
    await app.test.post('/v0/notes/create', {
      object: 'order',
      objectId: order.number,
      text: 'Asked by phone.',
    });
    const all = await entries(`orders/${order.number}`);
    expect(typesOf(all)).toEqual(new Set(['event', 'charge', 'delivery', 'mail', 'refund', 'note']));
    expect(all.map(({ at }: { at: number }) => at)).toEqual(
      [...all].map(({ at }) => at).sort((a, b) => b - a),
    );
    expect(all[0]).toMatchObject({
      type: 'note',
      title: 'Asked by phone.',
      actor: expect.stringMatching(/^key:/),
    });
    const first = (await app.test.get(`/v0/timeline/orders/${order.id}?take=2`)).body.data;
    const rest = await entries(`orders/${order.id}?take=100&cursor=${first.cursor}`);
    expect([...first.entries, ...rest]).toEqual(all);
    expect(typesOf(await entries(`orders/${order.id}?types=mail`))).toEqual(new Set(['mail']));
  });

  it('is there for payments, subscriptions and users, too', async () => {
    expect(typesOf(await entries(`payments/${paymentId}`))).toContain('charge');
    expect(typesOf(await entries(`subscriptions/${subscriptionId}`))).toContain('event');
    expect(typesOf(await entries(`users/${order.userId}`))).toContain('mail');
    await expectRefusal(app.test.get('/v0/timeline/orders/ABCDEFGH1234'), 404, 'not_found');
  });

  test('D24 leaves out what a pair may not read', async () => {
    expect(typesOf(await entries(`orders/${order.id}`, clerk))).toEqual(new Set(['note', 'refund']));
    await expectRefusal(
      app.test.get(`/v0/timeline/users/${order.userId}`, { keys: clerk }),
      403,
      'insufficient_scope',
    );
    const auditor = await makePair(['orders:read', 'audit-log:read']);
    expect(typesOf(await entries(`orders/${order.number}`, auditor))).toContain('audit');
  });
});

describe('notes', () => {
  it('are deleted by their author, or by whoever may change the object', async () => {
    const note = { object: 'user', objectId: order.userId, text: 'Kind.' };
    const { body } = await app.test.post('/v0/notes/create', note);
    const path = `/v0/notes/${body.data.note.id}`;
    const reader = await makePair(['users:read']);
    await expectRefusal(app.test.delete(path, { keys: clerk }), 404, 'not_found');
    await expectRefusal(app.test.delete(path, { keys: reader }), 403, 'insufficient_scope');
    expect((await app.test.delete(path)).body.data.note).toMatchObject({
      text: 'Kind.',
      on: { object: 'user' },
    });
    await expectRefusal(app.test.delete(path), 404, 'not_found');
  });
});

describe('GET /v0/changes', () => {
  const changes = async (cursor: string, keys?: KeyPairPlain) =>
    (await app.test.get('/v0/changes', { query: { cursor }, ...(keys ? { keys } : {}) })).body.data;

  it('tells writes and events after a cursor, again within ten seconds, and by their ids apart', async () => {
    const start = (await app.test.get('/v0/changes')).body.data;
    expect(start).toMatchObject({ changes: [], reset: false });
    await app.test.patch(`/v0/users/${order.userId}/update`, { username: 'ada' });
    const told = await changes(start.cursor);
    const own = told.changes.filter(({ operation }: { operation: string }) => operation === 'updateUser');
    expect(own).toMatchObject([{ object: 'user', id: order.userId, actor: expect.stringMatching(/^key:/) }]);
    const again = await changes(told.cursor);
    expect(again.changes.map(({ changeId }: { changeId: string }) => changeId)).toContain(own[0].changeId);
    expect(again.cursor).toBe(told.cursor);
  });

  test('D24 shows nothing of areas that a pair may not read', async () => {
    const { cursor } = (await app.test.get('/v0/changes')).body.data;
    await app.test.patch(`/v0/users/${order.userId}/update`, { username: 'ada2' });
    const told = await changes(cursor, clerk);
    const { body: all } = await app.test.get('/v0/changes', { query: { cursor } });
    expect(all.data.changes.length).toBeGreaterThan(told.changes.length);
    expect(new Set(told.changes.map(({ object }: { object: string }) => object))).not.toContain('user');
  });

  it('says that a cursor is too old, and that the store was emptied', async () => {
    const old = Buffer.from(JSON.stringify([1000, '00000000-0000-0000-0000-000000000000'])).toString(
      'base64url',
    );
    expect(await changes(old)).toMatchObject({ changes: [], reset: true });
    const { cursor } = (await app.other.get('/v0/changes')).body.data;
    expect((await app.other.post('/v0/test-clock/reset', { confirm: true })).status).toBe(200);
    const { body } = await app.other.get('/v0/changes', { query: { cursor } });
    expect(body.data.reset).toBe(true);
    await expectRefusal(app.test.get('/v0/changes?cursor=x'), 400, 'invalid_input');
  });
});

describe('views', () => {
  const view = { resource: 'orders', name: 'Unpaid', query: 'statuses=PENDING', columns: ['number'] };

  test('D25 are one’s own until they are shared, which needs settings:write', async () => {
    const { body } = await app.test.post('/v0/views/create', view);
    const path = `/v0/views/${body.data.view.id}`;
    expect((await app.test.get('/v0/views/list?resource=orders')).body.data.views).toMatchObject([
      { ...view, isOwn: true },
    ]);
    expect((await app.test.get('/v0/views/list', { keys: clerk })).body.data.views).toEqual([]);
    await expectRefusal(app.test.patch(`${path}/update`, { name: 'x' }, { keys: clerk }), 404, 'not_found');
    await app.test.patch(`${path}/update`, { shared: true });
    expect((await app.test.get('/v0/views/list', { keys: clerk })).body.data.views).toMatchObject([
      { isOwn: false },
    ]);
    for (const asked of [
      app.test.post('/v0/views/create', { ...view, shared: true }, { keys: clerk }),
      app.test.patch(`${path}/update`, { name: 'x' }, { keys: clerk }),
      app.test.delete(path, { keys: clerk }),
    ])
      await expectRefusal(asked, 403, 'insufficient_scope');
    expect((await app.test.delete(path)).status).toBe(200);
  });

  it('are of a list that there is, and that whoever asks may read', async () => {
    const path = '/v0/views/create';
    const { body: refused } = await app.test.post(path, { ...view, resource: 'whatever' });
    expect(refused.error).toMatchObject({ code: 'invalid_input', details: [{ path: 'resource' }] });
    await expectRefusal(
      app.test.post(path, { ...view, resource: 'ledger' }, { keys: clerk }),
      403,
      'insufficient_scope',
    );
    const { body } = await app.test.post(path, { ...view, resource: 'ledger', shared: true });
    const seenBy = async (options?: object) => {
      const answer = await app.test.get('/v0/views/list?resource=ledger&returnCount=true', options);
      return [answer.body.data.views.length, answer.body.data.count];
    };
    expect([await seenBy(), await seenBy({ keys: clerk })]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    await app.test.delete(`/v0/views/${body.data.view.id}`);
  });

  it('are 200 of one owner at most', async () => {
    const { workspaceId, testMode } = app.test.scope;
    const owner = `key:${clerk.keyId}`;
    const { columns: _columns, ...bare } = view;
    const rows = Array.from({ length: 200 }, () => ({
      ...{ workspaceId, testMode, owner, createdAt: 1, updatedAt: 1 },
      ...bare,
      id: app.service.ids.next(Date.now()),
    }));
    await app.service.db.insertInto('views').values(rows).execute();
    await expectRefusal(app.test.post('/v0/views/create', view, { keys: clerk }), 400, 'view_limit_reached');
  });
});

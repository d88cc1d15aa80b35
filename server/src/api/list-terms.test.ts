import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { buy } from '../../test/support/buying.ts';
import { DISPUTED } from '../../test/support/cards.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let owner: Browser;
let order: { id: string; number: string };

beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_TEST: '1000' });
  await makeAccount(app, { email: 'grace@team.example' });
  owner = await openSignedIn(app, 'grace@team.example');
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test, { price: 1000 })] });
  order = body.data.order;
});
afterAll(() => app.close());

/** The rows that a list has for these words, and that it counts as many. */
async function find(path: string, term: string): Promise<Array<Record<string, unknown>>> {
  const { body, text } = await owner.get(path, { query: { term, returnCount: 'true' } });
  expect(text).toContain('"status":"success"');
  const rows = Object.values(body.data).find(Array.isArray) ?? [];
  // A movement of the books has a line for each account.
  const counted = path.includes('ledger') ? new Set(rows.map(({ id }) => id)).size : rows.length;
  expect(body.data.count).toBe(counted);
  return rows;
}

it('D21 finds refunds by order, buyer and the processor’s id', async () => {
  const { body } = await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 300 });
  const { id, processorRefundId } = body.data.refund;
  for (const term of [order.number, `#${order.number.toLowerCase()}`, 'ADA@exam', processorRefundId ?? 'ada'])
    expect(await find('/v0/refunds/list', term), term).toMatchObject([{ id }]);
  for (const term of ['grace', '%', `${order.number}0`])
    expect(await find('/v0/refunds/list', term)).toEqual([]);
});

it('D21 a whole e-mail finds whose it is, and a part of one all that hold it', async () => {
  const offersIds = [await makeOffer(app.test, { price: 700 })];
  for (const userEmail of ['lea@example.com', 'thelea@example.com'])
    await buy(app.test, { offersIds, userEmail });
  for (const path of ['/v0/orders/list', '/v0/payments/list', '/v0/ledger/entries/list'] as const) {
    const of = async (term: string) => (await find(path, term)).length;
    const [one, both] = [await of('Lea@example.com'), await of('lea@')];
    expect(one, path).toBeGreaterThan(0);
    expect(both, path).toBe(2 * one);
    expect(await of('helea@example.com'), path).toBe(one);
  }
});

it('D21 finds disputes by order and buyer', async () => {
  const offersIds = [await makeOffer(app.test, { price: 1000 })];
  const { body } = await buy(app.test, { offersIds, card: DISPUTED, userEmail: 'joan@example.com' });
  const { number } = body.data.order;
  await advance(app, app.test.scope, DAY_MS);
  for (const term of [number, 'joan@'])
    expect(await find('/v0/disputes/list', term), term).toMatchObject([{ orderNumber: number }]);
  expect(await find('/v0/disputes/list', order.number)).toEqual([]);
});

it('D21 finds checkouts by name and webhooks by address or description', async () => {
  const offersIds = [await makeOffer(app.test, { price: 500 })];
  await app.test.post('/v0/elements/checkout/create', { name: 'Spring 50%', offers: offersIds });
  await app.test.post('/v0/elements/checkout/create', { name: 'Autumn', offers: offersIds });
  expect(await find('/v0/elements/checkout/list', 'spring')).toMatchObject([{ name: 'Spring 50%' }]);
  expect(await find('/v0/elements/checkout/list', '0%')).toMatchObject([{ name: 'Spring 50%' }]);
  const make = (url: string, description: string) =>
    app.test.post('/v0/webhooks/create', { url, description, events: ['payment_success'] });
  await make('https://8.8.8.8/shop', 'Keys');
  await make('https://8.8.4.4/books', 'Ledger');
  expect(await find('/v0/webhooks/list', '/SHOP')).toMatchObject([{ url: 'https://8.8.8.8/shop' }]);
  expect(await find('/v0/webhooks/list', 'ledg')).toMatchObject([{ url: 'https://8.8.4.4/books' }]);
  expect(await find('/v0/webhooks/list', '8.8.')).toHaveLength(2);
});

it('D21 finds key pairs by name or last signs, and members by name or e-mail', async () => {
  const { body } = await owner.post('/v0/api-keys/create', { name: 'Build server', scopes: ['orders:read'] });
  const { publicKey } = body.data;
  expect(await find('/v0/api-keys/list', 'build')).toMatchObject([{ publicKey }]);
  expect(await find('/v0/api-keys/list', publicKey.slice(-4))).toMatchObject([{ publicKey }]);
  expect(await find('/v0/api-keys/list', publicKey.slice(0, -1))).toEqual([]);
  expect(await find('/v0/members/list', 'GRACE@')).toMatchObject([{ email: 'grace@team.example' }]);
  expect(await find('/v0/members/list', 'nobody')).toEqual([]);
});

it('D21 finds what was done by operation, object and who did it', async () => {
  const { body } = await owner.post('/v0/api-keys/create', { name: 'Searched' });
  const { id } = body.data.apiKey;
  for (const term of ['createapi', id])
    expect(await find('/v0/audit-log/list', term), term).toContainEqual(
      expect.objectContaining({ operation: 'createApiKey', objectId: id }),
    );
  const [entry] = await find('/v0/audit-log/list', id);
  const actor = String(entry?.actor);
  const ofActor = await find('/v0/audit-log/list', actor.replace(/^\w+:/, ''));
  expect(ofActor.length).toBeGreaterThan(0);
  expect(new Set(ofActor.map((one) => one.actor))).toEqual(new Set([actor]));
  const query = { term: 'a'.repeat(201) };
  await expectRefusal(owner.get('/v0/audit-log/list', { query }), 400, 'invalid_input');
});

it('D21 finds events and requests by id and number or path, lines of the books by number and buyer', async () => {
  const events = await find('/v0/events/list', `#${order.number}`);
  const ofOrder = await owner.get('/v0/events/list', { query: { orderId: order.id } });
  expect(events).toEqual(ofOrder.body.data.events);
  const { id } = events[0] ?? {};
  expect(await find('/v0/events/list', String(id))).toMatchObject([{ id }]);
  expect(await find('/v0/events/list', 'nothing')).toEqual([]);
  const lines = await find('/v0/ledger/entries/list', order.number);
  expect(lines.length).toBeGreaterThan(1);
  expect(await find('/v0/ledger/entries/list', 'ada@example')).toEqual(lines);
  expect(await find('/v0/ledger/entries/list', 'nobody@')).toEqual([]);
  await app.test.post('/v0/custom-fields/create', { key: 'ingame', label: 'Name in the game', type: 'text' });
  for (const term of ['INGAM', 'in the'])
    expect(await find('/v0/custom-fields/list', term), term).toMatchObject([{ key: 'ingame' }]);
  expect(await find('/v0/custom-fields/list', 'size')).toEqual([]);
  await app.wired.requestLog.flush();
  const requests = await find('/v0/request-log/list', 'custom-fields/create');
  expect(requests).toMatchObject([{ path: '/v0/custom-fields/create' }]);
  expect(await find('/v0/request-log/list', String(requests[0]?.requestId))).toEqual(requests);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { stallNextCharge, withRefunds } from '../../test/support/faulty-processor.ts';
import { type Answer, createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import type { KeyPairPlain } from '../resources/api-keys/key-pairs.ts';
import { computeFingerprint, createClaim, KeyBegunElsewhere } from './idempotency.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const CREATE = '/v0/discounts/create';
const sale = { type: 'sale', amount: 10, amountType: 'percentage' };

function create(key: string, body: unknown = sale, store: TestStore = app.test): Promise<Answer> {
  return store.post(CREATE, body, { headers: { 'idempotency-key': key } });
}

async function countDiscounts(store: TestStore = app.test): Promise<number> {
  return (await store.get('/v0/discounts/list')).body.data.count;
}

async function countOrders(): Promise<number> {
  return (await app.test.get('/v0/orders/list', { query: { returnCount: 'true' } })).body.data.count;
}

/** As if the process had died between its first and its last transaction. */
async function forgetAnswer(key: string, leaseUntil: number): Promise<void> {
  await app.service.db
    .updateTable('idempotencyKeys')
    .set({ response: null, leaseUntil })
    .where('key', '=', key)
    .execute();
}

describe('T05 a replay', () => {
  it('answers what was answered and does nothing again', async () => {
    const key = randomUUID();
    const first = await create(key);
    const before = await countDiscounts();
    const again = await create(key);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(await countDiscounts()).toBe(before);
  });

  it('is the same by another spelling of the path and another order of fields', async () => {
    const key = randomUUID();
    const first = await create(key);
    const headers = { 'idempotency-key': key };
    const body = '{"amountType":"percentage","amount":10.0,"type":"sale"}';
    const again = await app.test.post(`/api${CREATE}`, body, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('still answers after the object has changed', async () => {
    const key = randomUUID();
    const { id } = (await create(key)).body.data.discount;
    await app.test.patch(`/v0/discounts/${id}/update`, { name: 'Later' });
    expect((await create(key)).body.data.discount.name).toBeNull();
  });

  it('after 24 hours is a new request', async () => {
    const key = randomUUID();
    const first = await create(key);
    const aged = Date.now() - 24 * 3_600_000 - 1;
    await app.service.db
      .updateTable('idempotencyKeys')
      .set({ createdAt: aged })
      .where('key', '=', key)
      .execute();
    const second = await create(key);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.body.data.discount.id).not.toBe(first.body.data.discount.id);
  });
});

describe('T06 a key', () => {
  it('T06 with another body or another operation is 422 and nothing is done', async () => {
    const key = randomUUID();
    const { id } = (await create(key)).body.data.discount;
    await expectRefusal(create(key, { ...sale, amount: 11 }), 422, 'idempotency_key_reused');
    const headers = { 'idempotency-key': key };
    const archive = app.test.patch(`/v0/discounts/${id}/archive`, {}, { headers });
    await expectRefusal(archive, 422, 'idempotency_key_reused');
  });

  it.each(['', 'x'.repeat(256)])('T06 of %# impossible length is 400', async (key) => {
    await expectRefusal(create(key), 400, 'invalid_idempotency_key');
  });

  it('of 255 characters is taken', async () => {
    const key = randomUUID().padEnd(255, 'k');
    await create(key);
    expect((await create(key)).headers['idempotent-replayed']).toBe('true');
  });

  it('T06 is independent in another workspace and in the other mode', async () => {
    const key = randomUUID();
    const ids = [];
    for (const store of [app.test, app.live, app.other]) {
      const answer = await create(key, sale, store);
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
      ids.push(answer.body.data.discount.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is free again after a refusal', async () => {
    const key = randomUUID();
    await expectRefusal(create(key, { ...sale, amount: 101 }), 400, 'invalid_input');
    const code = { ...sale, type: 'code', discountCode: key };
    await app.test.post(CREATE, code);
    await expectRefusal(create(key, code), 409, 'discount_code_taken');
    expect((await create(key)).status).toBe(200);
  });

  it('on a read does nothing', async () => {
    const headers = { 'idempotency-key': '' };
    expect((await app.test.get('/v0/discounts/list', { headers })).status).toBe(200);
  });
});

describe('T05 many requests with one key at once', () => {
  it('T05 have one effect in an operation of one transaction', async () => {
    const key = randomUUID();
    const before = await countDiscounts();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers['idempotent-replayed'])).toHaveLength(1);
    expect(await countDiscounts()).toBe(before + 1);
  });

  it('T05 make one purchase; the others get its answer or are told that it is running', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const before = await countOrders();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => buy(app.test, { offersIds: [offerId] }, key)),
    );
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(new Set(done.map(({ body }) => body.data.order.id)).size).toBe(1);
    for (const { status, body } of refused) {
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'request_in_progress' });
    }
    expect(await countOrders()).toBe(before + 1);
    const later = await Promise.all(
      Array.from({ length: 20 }, () => buy(app.test, { offersIds: [offerId] }, key)),
    );
    expect(new Set(later.map(({ text }) => text))).toEqual(new Set([done[0]?.text]));
    expect(await countOrders()).toBe(before + 1);
  });
});

describe('an audit row', () => {
  const rowsOf = (operation: string, requestId: string) =>
    app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', operation)
      .where('requestId', '=', requestId)
      .execute();

  it('is there before the processor is asked, so that a request that dies then has left it', async () => {
    const stalled = stallNextCharge(app);
    const asked = buy(app.test, { offersIds: [offerId] });
    await stalled.begun;
    const { orders, audited } = await countTold();
    expect(orders).toBe(audited);
    stalled.release();
    const { headers, body } = await asked;
    const rows = await rowsOf('createTestPurchase', String(headers['x-request-id']));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ objectId: body.data.order.id, actor: expect.stringMatching(/^key:/) });
    expect(JSON.stringify(rows)).not.toContain('4242424242424242');
  });

  it('of a refund names it with its amount before its money is sent', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const path = `/v0/orders/${body.data.order.id}/refunds`;
    let seen: unknown;
    await withRefunds(
      app,
      async (request, refund) => {
        seen = await app.service.db
          .selectFrom('auditLog')
          .select('after')
          .where('operation', '=', 'refundOrder')
          .where('objectId', '=', body.data.order.id)
          .execute();
        return refund(request);
      },
      async () => void (await app.test.post(path, { amount: 100 })),
    );
    expect(seen).toEqual([{ after: { refund: { object: 'refund', id: expect.any(String), amount: 100 } } }]);
  });

  it('is one for a write, however many transactions it takes and however often it is replayed', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const before = await countTold();
    await buy(app.test, { offersIds: [offerId] }, key);
    await forgetAnswer(key['idempotency-key'], 0);
    await buy(app.test, { offersIds: [offerId] }, key);
    await buy(app.test, { offersIds: [offerId] }, key);
    const after = await countTold();
    expect(after).toEqual({ orders: before.orders + 1, audited: before.audited + 1 });
  });

  async function countTold(): Promise<{ orders: number; audited: number }> {
    const { rows } = await app.service.pool.query<{ orders: number; audited: number }>(`
      select (select count(*)::int from orders) as orders,
        (select count(*)::int from audit_log where operation = 'createTestPurchase') as audited`);
    return rows[0] ?? { orders: 0, audited: 0 };
  }
});

describe('T50 somebody else’s key', () => {
  it('of a pair that may less answers nothing of what was answered', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const path = `/v0/orders/${body.data.order.id}/refunds`;
    const headers = { 'idempotency-key': randomUUID() };
    expect((await app.test.post(path, { amount: 100 }, { headers })).status).toBe(200);
    const narrow = await issue(['products:read', 'orders:read']);
    await expectRefusal(
      app.test.post(path, { amount: 100 }, { headers, keys: narrow }),
      403,
      'insufficient_scope',
    );
    await expectRefusal(
      app.test.post(path, { amount: 100 }, { headers, keys: 'public' }),
      401,
      'secret_key_required',
    );
    await expectRefusal(app.other.post(path, { amount: 100 }, { headers }), 404, 'not_found');
    const second = await issue(null);
    const replayed = await app.test.post(path, { amount: 100 }, { headers, keys: second });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
  });

  it('belongs to who asks: another’s request with the same text has its own effect', async () => {
    const key = randomUUID();
    const request = { ...KEYED, scope: app.test.scope, key };
    const elsewhere = createClaim({ ...request, asker: 'account:1' }, UNHEARD);
    await inTransaction(app.service.db, (tx) => elsewhere.begin(tx, randomUUID()));
    const first = await create(key);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect((await create(key)).text).toBe(first.text);
  });

  it('X53 whose answer held a secret is answered by what was made, and never by the secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { url: 'https://93.184.216.34/hook', events: ['payment_success'] };
    const made = (await app.test.post('/v0/webhooks/create', body, { headers })).body.data.webhook;
    const again = await app.test.post('/v0/webhooks/create', body, { headers });
    expect({ status: again.status, error: again.body.error }).toEqual({
      status: 409,
      error: expect.objectContaining({
        code: 'answer_not_kept',
        details: [{ object: 'webhook', id: made.id }],
      }),
    });
    expect(again.text).not.toContain(made.secret);
    const kept = await app.service.db.selectFrom('idempotencyKeys').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(made.secret);
    expect((await app.test.get('/v0/webhooks/list')).body.data.count).toBe(1);
    const rotated = await app.test.post(`/v0/webhooks/${made.id}/rotateSecret`, {}, { headers: newKey() });
    expect(rotated.status).toBe(200);
    const described = app.app.swagger() as unknown as { paths: Record<string, Record<string, object>> };
    expect(described.paths['/v0/webhooks/create']?.post).toMatchObject({ 'x-secret': true });
  });

  it('is refused with another spelling of nothing, and replays for another spelling of the same object', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const { id } = body.data.order;
    const headers = newKey();
    await app.test.patch(`/v0/orders/${id}/cancel`, {}, { headers });
    const again = await app.test.patch(`/v0/orders/${id.toUpperCase()}/cancel/`, {}, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

const newKey = () => ({ 'idempotency-key': randomUUID() });

async function issue(scopes: string[] | null): Promise<KeyPairPlain> {
  const terms = { name: 'Other', scopes, readRequiresSecret: false, nowMs: Date.now() };
  const { db, ids } = app.service;
  return inTransaction(db, (tx) => issueKeyPair(tx, app.test.scope, { ids, terms }));
}

const KEYED = { asker: 'keys', fingerprint: 'f', keepsAnswer: true };
const UNHEARD = { resumed: null, onBegin: async () => {} };

describe('a claim', () => {
  it('is written again when its transaction is run again', async () => {
    const key = randomUUID();
    const request = { ...KEYED, scope: app.test.scope, key };
    const claim = createClaim(request, UNHEARD);
    let runs = 0;
    await inTransaction(app.service.db, async (tx) => {
      await claim.begin(tx, randomUUID());
      runs += 1;
      if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    const found = await app.service.db
      .selectFrom('idempotencyKeys')
      .select('key')
      .where('key', '=', key)
      .executeTakeFirst();
    expect({ runs, found }).toEqual({ runs: 2, found: { key } });
  });

  it('is refused while another request holds the key', async () => {
    const request = { ...KEYED, scope: app.test.scope, key: randomUUID() };
    const [one, two] = [createClaim(request, UNHEARD), createClaim(request, UNHEARD)];
    await inTransaction(app.service.db, (tx) => one.begin(tx, randomUUID()));
    const second = inTransaction(app.service.db, (tx) => two.begin(tx, randomUUID()));
    await expect(second).rejects.toThrow(KeyBegunElsewhere);
    expect([one.isHeld(), two.isHeld()]).toEqual([true, false]);
  });
});

describe('computeFingerprint', () => {
  it('tells bodies apart by value and not by the order of their fields', () => {
    const of = (body: unknown) => computeFingerprint('POST', '/v0/x', body);
    expect(of({ a: 1, b: { c: [1, 2], d: null } })).toBe(of({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(of({ a: [1, 2] })).not.toBe(of({ a: [2, 1] }));
    expect(of({ a: 1 })).not.toBe(of({ a: '1' }));
    expect(of({ a: null })).not.toBe(of({}));
  });
});

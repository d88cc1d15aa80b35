import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
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

describe('a replay', () => {
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

describe('a key', () => {
  it('with another body or another operation is 422 and nothing is done', async () => {
    const key = randomUUID();
    const { id } = (await create(key)).body.data.discount;
    await expectRefusal(create(key, { ...sale, amount: 11 }), 422, 'idempotency_key_reused');
    const headers = { 'idempotency-key': key };
    const archive = app.test.patch(`/v0/discounts/${id}/archive`, {}, { headers });
    await expectRefusal(archive, 422, 'idempotency_key_reused');
  });

  it.each(['', 'x'.repeat(256)])('of %# impossible length is 400', async (key) => {
    await expectRefusal(create(key), 400, 'invalid_idempotency_key');
  });

  it('of 255 characters is taken', async () => {
    const key = randomUUID().padEnd(255, 'k');
    await create(key);
    expect((await create(key)).headers['idempotent-replayed']).toBe('true');
  });

  it('is independent in another workspace and in the other mode', async () => {
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

describe('many requests with one key at once', () => {
  it('have one effect in an operation of one transaction', async () => {
    const key = randomUUID();
    const before = await countDiscounts();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers['idempotent-replayed'])).toHaveLength(1);
    expect(await countDiscounts()).toBe(before + 1);
  });

  it('make one purchase; the others get its answer or are told that it is running', async () => {
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

describe('a purchase whose request died', () => {
  it('is 409 as long as the request may be alive', async () => {
    const key = randomUUID();
    await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    await forgetAnswer(key, Date.now() + 60_000);
    const again = buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    await expectRefusal(again, 409, 'request_in_progress');
  });

  it('is gone on with from its order by the next replay, and not made again', async () => {
    const key = randomUUID();
    const first = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    const before = await countOrders();
    await forgetAnswer(key, 0);
    const again = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    expect(again.body.data.order).toEqual(first.body.data.order);
    expect(again.body.data.payment).toEqual(first.body.data.payment);
    const third = await buy(app.test, { offersIds: [offerId] }, { 'idempotency-key': key });
    expect(third.headers['idempotent-replayed']).toBe('true');
    expect(third.text).toBe(again.text);
    expect(await countOrders()).toBe(before);
  });

  it('is taken over by one replay only', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await buy(app.test, { offersIds: [offerId] }, key);
    const before = await countOrders();
    await forgetAnswer(key['idempotency-key'], 0);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => buy(app.test, { offersIds: [offerId] }, key)),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await countOrders()).toBe(before);
  });

  it('keeps its key free after a refusal, and pays once when it is asked again rightly', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await expectRefusal(
      buy(app.test, { offersIds: [offerId], discountCode: 'NONE' }, key),
      400,
      'discount_code_unknown',
    );
    expect((await buy(app.test, { offersIds: [offerId] }, key)).status).toBe(200);
  });
});

describe('a claim', () => {
  it('is written again when its transaction is run again', async () => {
    const key = randomUUID();
    const request = { scope: app.test.scope, key, fingerprint: 'f' };
    const claim = createClaim(request, null);
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
    const request = { scope: app.test.scope, key: randomUUID(), fingerprint: 'f' };
    const [one, two] = [createClaim(request, null), createClaim(request, null)];
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

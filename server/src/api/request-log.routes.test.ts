import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { deleteOldRequests } from '../resources/request-log/request-log.queries.ts';

const LIST = '/v0/request-log/list';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
  await makeAccount(t, { email: 'ada@first.example' });
});
afterAll(() => t.close());

async function logged(query: Record<string, string>, store = t.test) {
  await t.wired.requestLog.flush();
  const browser = await openSignedIn(t, 'ada@first.example', store);
  return (await browser.get(LIST, { query })).body.data.requests;
}

describe('D58 the request log', () => {
  it('finds a refused call by its request id', async () => {
    const refused = await t.test.post('/v0/discounts/create', {
      type: 'sale',
      amount: -5,
      amountType: 'fixed',
    });
    const requestId = String(refused.headers['x-request-id']);
    expect(await logged({ requestId })).toMatchObject([
      {
        id: requestId,
        method: 'POST',
        path: '/v0/discounts/create',
        operation: 'createDiscount',
        status: 400,
        code: refused.body.error.code,
        requestBody: { type: 'sale', amount: -5 },
        responseBody: { code: refused.body.error.code, message: refused.body.error.message },
      },
    ]);
  });

  it('loses no call beside one that sends what the store cannot hold', async () => {
    const before = await t.test.get('/v0/discounts/list');
    const refused = await t.test.post('/v0/discounts/create', { type: 'sale', 'a\u0000b': 1 });
    const ids = [before, refused].map(({ headers }) => String(headers['x-request-id']));
    for (const requestId of ids) expect(await logged({ requestId })).toHaveLength(1);
    const [told] = await logged({ requestId: String(ids[1]) });
    expect(told.responseBody.message).toContain('a\ufffdb');
  });

  it('loses no call beside an upload that is refused while it comes, and knows where that came from', async () => {
    const before = await t.test.get('/v0/discounts/list');
    const address = await t.app.listen({ port: 0, host: '127.0.0.1' });
    const { publicKey, secretKey } = t.test.keys;
    const refused = await fetch(`${address}/v0/imports/create`, {
      method: 'POST',
      headers: { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey },
      body: '{"kind":"none"}\n',
    });
    expect(refused.status).toBe(400);
    await refused.text();
    const ids = [String(before.headers['x-request-id']), String(refused.headers.get('x-request-id'))];
    for (const requestId of ids)
      expect(await logged({ requestId })).toMatchObject([{ address: '127.0.0.1' }]);
  });

  it('holds no secret', async () => {
    const password = 'Str0ng!password-of-a-buyer';
    await t.test.post('/v0/users/create', { email: 'buyer@example.com', password });
    const webhook = {
      url: 'http://203.0.113.9/hook?key=hidden',
      events: ['payment_success'],
      secret: 'whsec_'.padEnd(40, 'a'),
    };
    await t.test.post('/v0/webhooks/create', webhook);
    const text = JSON.stringify(await logged({ method: 'POST' }));
    expect(text).toContain('/v0/users/create');
    for (const secret of [password, webhook.secret, 'hidden', 'buyer@example.com'])
      expect(text).not.toContain(secret);
  });

  it('keeps of a stranger’s refusal no body, and of a live store no reads', async () => {
    const refused = await t.live.get('/v0/orders/list', { keys: 'public', query: { term: 'looking' } });
    expect(refused.status).toBe(401);
    await t.live.get('/v0/orders/list');
    const rows = await logged({}, t.live);
    expect(rows).toMatchObject([
      { status: 401, withSecret: false, query: null, requestBody: null, responseBody: null },
    ]);
  });

  it('leaves of 25,000 calls no more than 20,000 rows, the newest, and goes by age', async () => {
    const { note, flush } = t.wired.requestLog;
    const request = {
      actor: 'key:x',
      keyId: null,
      withSecret: true,
      method: 'GET',
      path: '/v0/orders/list',
      operation: 'listOrders',
      status: 200,
      code: null,
      address: '127.0.0.1',
      durationMs: 1,
      query: null,
      requestBody: null,
      responseBody: null,
      sizeBytes: 300,
    };
    const nowMs = Date.now();
    for (let i = 0; i < 25_000; i += 1) {
      note(t.other.scope, { ...request, id: t.service.ids.next(nowMs + i), createdAt: nowMs + i });
      if (i % 2_500 === 2_499) await flush();
    }
    const count = async () => {
      const { rows } = await t.service.pool.query(
        'select count(*)::int as count, min(created_at) as oldest from request_log where workspace_id = $1',
        [t.other.scope.workspaceId],
      );
      return rows[0];
    };
    const kept = await count();
    expect(kept.count).toBeLessThanOrEqual(20_000);
    expect(kept.count).toBeGreaterThan(18_000);
    expect(Number(kept.oldest)).toBe(nowMs + 25_000 - kept.count);
    const old = { limit: 30_000, beforeMs: nowMs + 24_000 };
    await inTransaction(t.service.db, (tx) => deleteOldRequests(tx, t.other.scope, old));
    expect((await count()).count).toBe(1_000);
  });

  it('D55 is read by a session, or by a pair that was given it by name', async () => {
    await expectRefusal(t.test.get(LIST), 403, 'insufficient_scope');
    await expectRefusal(t.test.get(LIST, { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(t.test.get('/v0/audit-log/list', { keys: 'public' }), 401, 'secret_key_required');
  });
});

import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectInvariants } from '../../test/support/expect-invariants.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { sendTestEvent } from '../flows/webhooks/send-test-event.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import { sweepListeners } from '../worker/sweeps.ts';

let t: TestApp;
let now = Date.now();
beforeAll(async () => {
  t = await createTestApp({}, undefined, { realNowMs: () => now });
});
afterAll(async () => {
  await expectInvariants(t);
  await t.close();
});
afterEach(async () => {
  await t.service.db.deleteFrom('webhookDeliveries').execute();
  await t.service.db.deleteFrom('dueWork').where('kind', '=', 'deliver_webhook').execute();
  await t.service.db.deleteFrom('listeners').execute();
  await t.service.db.deleteFrom('webhooks').execute();
});

const HOUR_MS = 3_600_000;
const PAID = { name: 'laptop', events: ['payment_success'] };

async function listen(body: object = {}, store: TestStore = t.test) {
  const answer = await store.post('/v0/listeners/create', { ...PAID, ...body });
  expect(answer.status).toBe(200);
  return answer.body.data.listener as { id: string; secret: string };
}

async function next(id: string, body: object = {}, store: TestStore = t.test) {
  const answer = await store.post(`/v0/listeners/${id}/next`, body);
  expect(answer.status).toBe(200);
  return answer.body.data.deliveries as Array<{
    id: string;
    eventId: string;
    body: string;
    headers: Record<string, string>;
  }>;
}

function report(id: string, results: object[]) {
  return t.test.post(`/v0/listeners/${id}/report`, { results });
}

async function purchase(): Promise<void> {
  expect((await buy(t.test, { offersIds: [await makeOffer(t.test)] })).status).toBe(200);
}

describe('POST /v0/listeners/create', () => {
  it('answers the listener with a secret of its own', async () => {
    const answer = await t.test.post('/v0/listeners/create', { ...PAID, name: 'Ada’s laptop' });
    expect(answer.body.data.listener).toEqual({
      object: 'listener',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Ada’s laptop',
      events: ['payment_success'],
      secret: expect.stringMatching(/^whsec_/),
      createdAt: expect.any(Number),
    });
  });

  it('X20 refuses the sixth with 400, also of many at once, and counts webhooks apart', async () => {
    for (let n = 0; n < 3; n += 1) await listen();
    const many = await Promise.all(
      Array.from({ length: 8 }, () => t.test.post('/v0/listeners/create', PAID)),
    );
    const refused = many.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(6);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['listener_limit_reached']));
    await listen({}, t.live);
    expect((await t.test.get('/v0/webhooks/list')).body.data.count).toBe(0);
  });

  it('refuses a public key alone, a pair that may only read, and a secret that is none', async () => {
    const alone = await t.test.post('/v0/listeners/create', PAID, { keys: 'public' });
    expect([alone.status, alone.body.error.code]).toEqual([401, 'secret_key_required']);
    const weak = await t.test.post('/v0/listeners/create', { ...PAID, secret: 'whsec_not base64 at all' });
    expect([weak.status, weak.body.error.code]).toEqual([400, 'webhook_secret_invalid']);
    const { id } = await listen();
    const terms = { name: 'Reader', scopes: ['webhooks:read'], readRequiresSecret: false, nowMs: now };
    const { ids, db } = t.service;
    const keys = await inTransaction(db, (tx) => issueKeyPair(tx, t.test.scope, { ids, terms }));
    for (const [path, body] of [
      ['create', PAID],
      [`${id}/next`, {}],
      [`${id}/report`, { results: [{ id, statusCode: 200, durationMs: 1 }] }],
    ] as const) {
      const answer = await t.test.post(`/v0/listeners/${path}`, body, { keys });
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'insufficient_scope']);
    }
  });
});

describe('POST /v0/listeners/{id}/next', () => {
  it('X18 hands out each of many purchases once, signed, byte for byte, and oldest first', async () => {
    const offer = await makeOffer(t.test);
    const { id, secret } = await listen();
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        buy(t.test, { offersIds: [offer], userEmail: `buyer${n}@example.com` }),
      ),
    );
    const got = [];
    for (let some = await next(id, { take: 7 }); some.length > 0; some = await next(id, { take: 7 })) {
      expect(some.length).toBeLessThanOrEqual(7);
      got.push(...some);
    }
    expect(new Set(got.map(({ eventId }) => eventId)).size).toBe(30);
    expect(got).toHaveLength(30);
    const times = got.map(({ body }) => JSON.parse(body).createdAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { body, headers, eventId } of got) {
      const kept = await t.service.db
        .selectFrom('events')
        .select('body')
        .where('id', '=', eventId)
        .executeTakeFirstOrThrow();
      expect(body).toBe(kept.body);
      expect(headers['x-svc-signature']).toBe(
        `sha256_${createHmac('sha256', secret).update(body).digest('hex')}`,
      );
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
    }
  });

  it('X18 hands out anew after a minute what nobody reported, whatever process asks', async () => {
    const { id } = await listen();
    await purchase();
    const [first] = await next(id);
    expect(await next(id)).toEqual([]);
    now += 61_000;
    const beside = await t.startBeside();
    const answer = await beside.inject({
      method: 'POST',
      url: `/v0/listeners/${id}/next`,
      headers: { 'x-svc-public-key': t.test.keys.publicKey, 'x-svc-secret-key': t.test.keys.secretKey },
      payload: {},
    });
    expect(answer.json().data.deliveries).toMatchObject([{ id: first?.id, eventId: first?.eventId }]);
  });

  it('X18 answers as soon as there is something', async () => {
    const { id } = await listen();
    const waiting = next(id, { wait: 25_000 });
    await purchase();
    expect(await waiting).toHaveLength(1);
  });

  it('D18 hands nothing to a pair that was revoked while it waited', async () => {
    const { id } = await listen();
    const { ids, db } = t.service;
    const terms = { name: 'Laptop', scopes: null, readRequiresSecret: false, nowMs: now };
    const keys = await inTransaction(db, (tx) => issueKeyPair(tx, t.test.scope, { ids, terms }));
    now += 1;
    const waiting = t.test.post(`/v0/listeners/${id}/next`, { wait: 25_000 }, { keys });
    const asked = () => db.selectFrom('listeners').select('id').where('askedRealMs', '=', now).execute();
    await expect.poll(asked).toHaveLength(1);
    await db.updateTable('apiKeys').set({ revokedAt: now }).where('id', '=', keys.keyId).execute();
    t.wired.authenticator.forgetPairs();
    await purchase();
    await expectRefusal(waiting, 401, 'unauthorized');
    expect(await next(id)).toHaveLength(1);
  });

  it('X18 those who wait hold no connection of the store, and a stopping process answers them, empty', async () => {
    const { id } = await listen();
    const beside = await t.startBeside();
    const headers = { 'x-svc-public-key': t.test.keys.publicKey, 'x-svc-secret-key': t.test.keys.secretKey };
    const url = `/v0/listeners/${id}/next`;
    const many = Array.from({ length: 3 * t.service.config.databaseConnectionsMax }, () =>
      beside.inject({ method: 'POST', url, headers, payload: { wait: 25_000 } }),
    );
    // The connections of the new process are opened first, which a busy machine takes its time for; who waits does so
    // for longer than that.
    await vi.waitFor(
      async () =>
        expect((await beside.inject({ method: 'GET', url: '/v0/orders/list', headers })).statusCode).toBe(
          200,
        ),
      { timeout: 15_000, interval: 100 },
    );
    await beside.close();
    for (const answer of await Promise.all(many)) {
      expect([answer.statusCode, answer.json().data.deliveries]).toEqual([200, []]);
    }
  });

  it('X19 an event whose transaction was held while later ones committed arrives', async () => {
    const { id } = await listen();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const slow = inTransaction(t.service.db, async (tx) => {
      const ctx = { ...t.service, nowMs: now };
      const { event } = await sendTestEvent(ctx, t.test.scope, {
        tx,
        type: 'payment_success',
        webhookId: undefined,
      });
      isWritten();
      await held;
      return JSON.parse(event.body).id;
    });
    await written;
    await purchase();
    await purchase();
    expect(await next(id)).toHaveLength(2);
    const waiting = next(id, { wait: 25_000 });
    release();
    const eventId = await slow;
    expect((await waiting).map((one) => one.eventId)).toEqual([eventId]);
  });

  it('goes on while the test clock is moved, and leaves neither an audit row nor one of the request log', async () => {
    const { id } = await listen();
    await purchase();
    const { scope } = t.test;
    const advancing = (to: number | null) =>
      t.service.db
        .updateTable('stores')
        .set({ clockAdvancingTo: to })
        .where('workspaceId', '=', scope.workspaceId)
        .where('testMode', '=', true)
        .execute();
    const count = async (table: 'auditLog' | 'requestLog') =>
      (await t.service.db.selectFrom(table).selectAll().execute()).length;
    await t.wired.requestLog.flush();
    const before = [await count('auditLog'), await count('requestLog')];
    await advancing(now + HOUR_MS);
    const [one] = await next(id);
    const told = await report(id, [{ id: one?.id, statusCode: 204, durationMs: 3 }]);
    await advancing(null);
    expect(told.body.data).toEqual({ recorded: 1 });
    await t.wired.requestLog.flush();
    expect([await count('auditLog'), await count('requestLog')]).toEqual(before);
  });

  it('X20 ends a day after the last question, and drops what waits', async () => {
    const { id } = await listen();
    const other = await listen();
    now += 20 * HOUR_MS;
    expect(await next(other.id)).toEqual([]);
    await purchase();
    now += 5 * HOUR_MS;
    const late = await t.test.post(`/v0/listeners/${id}/next`, {});
    expect([late.status, late.body.error.code]).toEqual([409, 'listener_ended']);
    // The upkeep follows the store's own clock.
    await t.service.db
      .updateTable('listeners')
      .set({ askedRealMs: Date.now() - 25 * HOUR_MS })
      .where('id', '=', id)
      .execute();
    expect(await sweepListeners(t.service.db, new AbortController().signal)).toBe(1);
    const left = await t.service.db.selectFrom('webhookDeliveries').selectAll().execute();
    expect(left.map(({ listenerId, status, reason }) => [listenerId, status, reason]).sort()).toEqual(
      [
        [id, 'dropped', 'listener_ended'],
        [other.id, 'waiting', null],
      ].sort(),
    );
    expect(await next(other.id)).toHaveLength(1);
  });

  it('is a matter of its own store: 404 in another, and for what never was', async () => {
    const { id } = await listen();
    for (const [store, asked] of [
      [t.other, id],
      [t.live, id],
      [t.test, randomUUID()],
    ] as const) {
      const answer = await store.post(`/v0/listeners/${asked}/next`, {});
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it.each([[{ wait: 25_001 }], [{ take: 51 }], [{ take: 0 }], [{ wait: '1' }], [{ since: 1 }]])(
    'refuses %j',
    async (body) => {
      const answer = await t.test.post(`/v0/listeners/${randomUUID()}/next`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    },
  );
});

describe('POST /v0/listeners/{id}/report', () => {
  it('X18 makes attempts, seen at the event, once however often it is sent', async () => {
    const { id } = await listen();
    await purchase();
    await purchase();
    const [first, second] = await next(id);
    const results = [
      { id: first?.id, statusCode: 200, durationMs: 12, responseText: 'fine' },
      { id: second?.id, error: 'connection', durationMs: 3 },
    ];
    expect((await report(id, results)).body.data).toEqual({ recorded: 2 });
    expect((await report(id, results)).body.data).toEqual({ recorded: 0 });
    const answer = await t.test.get(`/v0/events/${first?.eventId}/deliveries`);
    expect(answer.body.data.deliveries).toMatchObject([
      {
        ...{ listenerId: id, webhookId: null, status: 'delivered' },
        attempts: [{ webhookId: id, statusCode: 200, responseText: 'fine', durationMs: 12, sequence: 0 }],
      },
    ]);
    const failed = await t.test.get(`/v0/events/${second?.eventId}/deliveries`);
    expect(failed.body.data.deliveries).toMatchObject([
      { status: 'failed', reason: 'receiver_failed', attempts: [{ statusCode: null, error: 'connection' }] },
    ]);
    const { events } = (await t.test.get('/v0/events/list')).body.data;
    const listed = events.find((event: { id: string }) => event.id === first?.eventId);
    expect(listed.deliveryCounts).toEqual({ waiting: 0, delivered: 0, failed: 0, dropped: 0 });
  });

  it('takes no delivery of another listener or of a webhook', async () => {
    const [mine, other] = [await listen(), await listen()];
    await purchase();
    const [theirs] = await next(other.id);
    const told = await report(mine.id, [{ id: theirs?.id, statusCode: 200, durationMs: 1 }]);
    expect(told.body.data).toEqual({ recorded: 0 });
    expect(
      (
        await t.other.post(`/v0/listeners/${other.id}/report`, {
          results: [{ id: theirs?.id, statusCode: 200, durationMs: 1 }],
        })
      ).status,
    ).toBe(404);
  });

  it.each([
    [[]],
    [[{ id: randomUUID(), durationMs: 1 }]],
    [[{ id: randomUUID(), durationMs: 1, statusCode: 200, error: 'timeout' }]],
    [[{ id: randomUUID(), durationMs: -1, statusCode: 200 }]],
    [[{ id: randomUUID(), durationMs: 1, statusCode: 600 }]],
    [[{ id: randomUUID(), durationMs: 1, error: 'blocked' }]],
  ])('refuses %j', async (results) => {
    const answer = await report(randomUUID(), results);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
  });
});

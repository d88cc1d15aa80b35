import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { scopeColumns } from '../db/scope.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
afterEach(async () => {
  await t.service.db.deleteFrom('webhookDeliveries').execute();
  await t.service.db.deleteFrom('webhooks').execute();
  await t.service.db.deleteFrom('events').execute();
});

// An address that is public by its number: nothing has to be resolved and nothing is sent.
const URL_PUBLIC = 'https://1.1.1.1/hook';
const BODY = { url: URL_PUBLIC, events: ['payment_success'] };
const GENERATED = /^whsec_[A-Za-z0-9+/]{32}$/;

async function create(body: object = {}, store: TestStore = t.test) {
  const answer = await store.post('/v0/webhooks/create', { ...BODY, ...body });
  expect(answer.status).toBe(200);
  return answer.body.data.webhook;
}

/** An event, its delivery to the webhook and attempts of it with these statuses. */
async function addAttempts(webhookId: string, statuses: Array<number | null>, type = 'payment_success') {
  const { db, ids } = t.service;
  const scope = scopeColumns(t.test.scope);
  const eventId = randomUUID();
  const deliveryId = randomUUID();
  const body = JSON.stringify({ object: 'event', id: eventId, type });
  const event = { ...scope, id: eventId, type, body, createdAt: 1, idempotencyKey: randomUUID() };
  await db
    .insertInto('events')
    .values({ ...event, entityId: randomUUID(), entityVersion: 1 })
    .execute();
  const delivery = { ...scope, id: deliveryId, webhookId, eventId, status: 'waiting' as const };
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, createdAt: 1 })
    .execute();
  for (const [sequence, statusCode] of statuses.entries()) {
    await db
      .insertInto('webhookAttempts')
      .values({
        ...scope,
        ...{ id: ids.next(1000 + sequence), deliveryId, webhookId, eventId, eventType: type, sequence },
        ...{ statusCode, error: statusCode === null ? 'timeout' : null, durationMs: 5 },
        responseText: statusCode === null ? null : '{"got":"it"}',
        createdAt: 1000 + sequence,
      })
      .execute();
  }
  return { eventId, deliveryId };
}

describe('POST /v0/webhooks/create', () => {
  describe('200', () => {
    it('answers every field, with a generated secret shown whole', async () => {
      expect(await create()).toEqual({
        object: 'webhook',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: URL_PUBLIC,
        status: 'active',
        health: 'ok',
        secret: expect.stringMatching(GENERATED),
        events: ['payment_success'],
        description: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        createdAt: expect.any(Number),
        deletedAt: null,
        version: 1,
      });
    });

    it('takes status, secret and description, and folds events that are named twice', async () => {
      const body = {
        events: ['payment_success', 'subscription_updated', 'payment_success'],
        status: 'inactive',
        secret: 'sixteen letters!',
        description: 'Access grants',
      };
      const events = ['payment_success', 'subscription_updated'];
      expect(await create(body)).toMatchObject({ ...body, events });
    });

    it('takes a whsec_ secret of 16 bytes in base64', async () => {
      const secret = `whsec_${Buffer.alloc(16, 7).toString('base64')}`;
      expect((await create({ secret })).secret).toBe(secret);
    });

    it('makes one webhook for one Idempotency-Key', async () => {
      const options = { headers: { 'idempotency-key': 'hook-1' } };
      const first = await t.test.post('/v0/webhooks/create', BODY, options);
      const second = await t.test.post('/v0/webhooks/create', BODY, options);
      const { id } = first.body.data.webhook;
      expect(second.body.error).toMatchObject({
        code: 'answer_not_kept',
        details: [{ object: 'webhook', id }],
      });
      expect((await t.test.get('/v0/webhooks/list')).body.data.count).toBe(1);
    });

    it('counts ten per mode, and archived ones not at all', async () => {
      for (let n = 0; n < 10; n += 1) await create();
      await create({}, t.live);
      const [first] = (await t.test.get('/v0/webhooks/list')).body.data.webhooks;
      await t.test.patch(`/v0/webhooks/${first.id}/archive`);
      await create();
    });
  });

  describe('400', () => {
    it.each([
      ['no events', { events: [] }, 'invalid_input'],
      ['an unknown event', { events: ['payment_maybe'] }, 'invalid_input'],
      ['an unknown field', { retries: 3 }, 'invalid_input'],
      ['an unknown status', { status: 'disabled' }, 'invalid_input'],
      ['a short secret', { secret: 'short' }, 'invalid_input'],
      ['a long secret', { secret: 'x'.repeat(257) }, 'invalid_input'],
      ['no secret where null is given', { secret: null }, 'invalid_input'],
      ['a whsec_ secret that is not base64', { secret: 'whsec_not base64 at all' }, 'webhook_secret_invalid'],
      ['a whsec_ secret of 15 bytes', { secret: `whsec_${btoa('x'.repeat(15))}` }, 'webhook_secret_invalid'],
      ['no URL', { url: undefined }, 'invalid_input'],
      ['a number for a URL', { url: 17 }, 'invalid_input'],
      ['something that is no URL', { url: 'hook' }, 'webhook_url_blocked'],
      ['another scheme', { url: 'ftp://1.1.1.1/' }, 'webhook_url_blocked'],
      ['user info', { url: 'https://me:secret@1.1.1.1/' }, 'webhook_url_blocked'],
      ['loopback', { url: 'http://127.0.0.1:8080/' }, 'webhook_url_blocked'],
      ['a short address', { url: 'http://127.1/' }, 'webhook_url_blocked'],
      ['a decimal address', { url: 'http://2130706433/' }, 'webhook_url_blocked'],
      ['a private address', { url: 'http://10.1.2.3/' }, 'webhook_url_blocked'],
      ['cloud metadata', { url: 'http://169.254.169.254/latest/' }, 'webhook_url_blocked'],
      ['IPv6 loopback', { url: 'http://[::1]/' }, 'webhook_url_blocked'],
      ['a mapped address', { url: 'http://[::ffff:127.0.0.1]/' }, 'webhook_url_blocked'],
      ['localhost', { url: 'http://localhost:3000/' }, 'webhook_url_blocked'],
    ])('refuses %s', async (_name, body, code) => {
      const answer = await t.test.post('/v0/webhooks/create', { ...BODY, ...body });
      expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    });

    it('T31 refuses the eleventh, however many come at once', async () => {
      for (let n = 0; n < 9; n += 1) await create();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => t.test.post('/v0/webhooks/create', BODY)),
      );
      const refused = answers.filter(({ status }) => status === 400);
      expect(refused).toHaveLength(19);
      expect(refused.every(({ body }) => body.error.code === 'webhook_limit_reached')).toBe(true);
      expect((await t.test.get('/v0/webhooks/list')).body.data.count).toBe(10);
    });
  });

  it('401: refuses without the secret key', async () => {
    expect((await t.test.post('/v0/webhooks/create', BODY, { keys: 'public' })).status).toBe(401);
  });

  it('keeps the secret out of the audit log', async () => {
    const { id, secret } = await create();
    await t.test.patch(`/v0/webhooks/${id}/update`, { status: 'inactive' });
    const rows = await t.service.db.selectFrom('auditLog').selectAll().where('objectId', '=', id).execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('GET /v0/webhooks/{id} and /list', () => {
  it('shows the secret whole only to the secret key, and else its last 4', async () => {
    const { id, secret } = await create();
    const masked = `••••${secret.slice(-4)}`;
    for (const path of [`/v0/webhooks/${id}`, '/v0/webhooks/list']) {
      const whole = (await t.test.get(path)).body.data;
      const part = (await t.test.get(path, { keys: 'public' })).body.data;
      expect((whole.webhook ?? whole.webhooks[0]).secret).toBe(secret);
      expect((part.webhook ?? part.webhooks[0]).secret).toBe(masked);
    }
  });

  it('lists newest first, without archived ones unless they are asked for', async () => {
    const first = await create({ status: 'inactive' });
    const second = await create();
    const third = await create();
    await t.test.patch(`/v0/webhooks/${third.id}/archive`);
    const idsOf = async (query: string) => {
      const { webhooks, count } = (await t.test.get(`/v0/webhooks/list${query}`)).body.data;
      expect(count).toBe(webhooks.length);
      return webhooks.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf('')).toEqual([second.id, first.id]);
    expect(await idsOf('?withArchived=true')).toEqual([third.id, second.id, first.id]);
    expect(await idsOf('?archived=true')).toEqual([third.id]);
    expect(await idsOf('?statuses=archived')).toEqual([third.id]);
    expect(await idsOf('?statuses=inactive')).toEqual([first.id]);
    expect(await idsOf(`?ids=${second.id}`)).toEqual([second.id]);
    const { db } = t.service;
    await db.updateTable('webhooks').set({ health: 'failing' }).where('id', '=', first.id).execute();
    expect(await idsOf('?health=failing,blocked,disabled')).toEqual([first.id]);
    expect(await idsOf('?health=ok')).toEqual([second.id]);
  });

  it('pages by cursor without a gap', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id).reverse();
    const { webhooks, cursor, hasMore } = (await t.test.get('/v0/webhooks/list?take=2')).body.data;
    expect(hasMore).toBe(true);
    const rest = (await t.test.get(`/v0/webhooks/list?take=2&cursor=${cursor}`)).body.data;
    expect(rest).toMatchObject({ hasMore: false, cursor: null, count: 3 });
    expect([...webhooks, ...rest.webhooks].map(({ id }) => id)).toEqual(made);
  });

  it('404: knows none of another workspace or mode', async () => {
    const { id } = await create();
    for (const store of [t.other, t.live]) {
      expect((await store.get(`/v0/webhooks/${id}`)).status).toBe(404);
      expect((await store.get(`/v0/webhooks/${id}/attempts`)).status).toBe(404);
      expect((await store.patch(`/v0/webhooks/${id}/update`, {})).status).toBe(404);
      expect((await store.patch(`/v0/webhooks/${id}/archive`)).status).toBe(404);
    }
  });
});

describe('PATCH /v0/webhooks/{id}/update', () => {
  it('200: changes what is given and leaves the rest', async () => {
    const made = await create({ description: 'old' });
    const changes = { url: 'http://8.8.8.8/', events: ['payment_failed', 'payment_failed'] };
    const { webhook } = (await t.test.patch(`/v0/webhooks/${made.id}/update`, changes)).body.data;
    expect(webhook).toEqual({ ...made, url: changes.url, events: ['payment_failed'], version: 2 });
    const cleared = await t.test.patch(`/v0/webhooks/${made.id}/update`, { description: null });
    expect(cleared.body.data.webhook.description).toBeNull();
  });

  it('200: forgets what disabled it once its owner switches it on', async () => {
    const { id } = await create();
    const disabled = { status: 'inactive', health: 'disabled' } as const;
    await t.service.db.updateTable('webhooks').set(disabled).where('id', '=', id).execute();
    const { webhook } = (await t.test.patch(`/v0/webhooks/${id}/update`, { status: 'active' })).body.data;
    expect(webhook).toMatchObject({ status: 'active', health: 'ok' });
  });

  it('200: ends a rotation when a secret is given', async () => {
    const { id } = await create();
    const rotating = { previousSecret: 'the one before it', previousSecretUntil: Date.now() + 60_000 };
    await t.service.db.updateTable('webhooks').set(rotating).where('id', '=', id).execute();
    await t.test.patch(`/v0/webhooks/${id}/update`, { secret: 'a new secret of mine' });
    const row = await t.service.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ secret: 'a new secret of mine', previousSecret: null });
  });

  it.each([
    ['a URL that is not public', { url: 'http://192.168.0.1/' }, 'webhook_url_blocked'],
    ['a bad secret', { secret: 'whsec_not base64 at all' }, 'webhook_secret_invalid'],
    ['null events', { events: null }, 'invalid_input'],
    ['another id', { id: randomUUID() }, 'invalid_input'],
  ])('400: refuses %s', async (_name, body, code) => {
    const { id } = await create();
    const answer = await t.test.patch(`/v0/webhooks/${id}/update`, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });

  it('401: refuses without the secret key', async () => {
    const { id } = await create();
    expect((await t.test.patch(`/v0/webhooks/${id}/update`, {}, { keys: 'public' })).status).toBe(401);
  });

  it('409: leaves an archived webhook as it was', async () => {
    const { id } = await create();
    await t.test.patch(`/v0/webhooks/${id}/archive`);
    const answer = await t.test.patch(`/v0/webhooks/${id}/update`, { status: 'inactive' });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'archived']);
  });
});

describe('an address that is not public', () => {
  it('Y24 is refused in words that tell nothing of what was found there', async () => {
    const urls = ['http://192.168.0.1/', 'http://[::1]:5432/', 'http://localhost/', 'http://nobody.invalid/'];
    const answers = await Promise.all(
      urls.map((url) => t.test.post('/v0/webhooks/create', { url, events: ['payment_success'] })),
    );
    const told = 'it leads to an address that is not public';
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 'webhook_url_blocked',
        message: `url must be http(s) and lead to a public address, but ${told}`,
        details: [{ path: 'url', message: told }],
      });
    }
  });
});

describe('PATCH /v0/webhooks/{id}/archive', () => {
  it('200: sets deletedAt once', async () => {
    const { id } = await create();
    const first = (await t.test.patch(`/v0/webhooks/${id}/archive`, { id })).body.data.webhook;
    expect(first.deletedAt).toEqual(expect.any(Number));
    const second = (await t.test.patch(`/v0/webhooks/${id}/archive`)).body.data.webhook;
    expect(second.deletedAt).toBe(first.deletedAt);
  });
});

describe('GET /v0/webhooks/{id}/attempts', () => {
  const attemptsOf = async (id: string, query = '') =>
    (await t.test.get(`/v0/webhooks/${id}/attempts${query}`)).body.data;

  it('200: shows what was sent and what came back, newest first', async () => {
    const { id } = await create();
    const { eventId } = await addAttempts(id, [null, 200]);
    const { attempts, count } = await attemptsOf(id);
    expect(count).toBeNull();
    expect(attempts).toEqual([
      {
        object: 'webhook_attempt',
        id: expect.any(String),
        webhookId: id,
        eventId,
        deliveryId: expect.any(String),
        resendOf: null,
        eventType: 'payment_success',
        sequence: 1,
        statusCode: 200,
        error: null,
        errorDetail: null,
        request: { object: 'event', id: eventId, type: 'payment_success' },
        response: { got: 'it' },
        responseText: '{"got":"it"}',
        durationMs: 5,
        createdAt: 1001,
      },
      expect.objectContaining({ sequence: 0, statusCode: null, error: 'timeout', response: null }),
    ]);
  });

  it('200: filters by type and success, and counts when asked', async () => {
    const { id } = await create();
    await addAttempts(id, [500, null, 204]);
    await addAttempts(id, [200], 'payment_failed');
    const count = async (query: string) => (await attemptsOf(id, `${query}&returnCount=true`)).count;
    expect(await count('?success=true')).toBe(2);
    expect(await count('?success=false')).toBe(2);
    expect(await count('?eventType=payment_failed')).toBe(1);
    expect(await count('?success=true&eventType=payment_success')).toBe(1);
  });

  it.each([
    ['is no JSON', 'thanks', false],
    ['is an array', '[1]', false],
    ['was cut', '{"a":1}', true],
    ['is too deep for a serialiser', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`, false],
  ])('200: gives an answer that %s as text alone', async (_name, responseText, responseCut) => {
    const { id } = await create();
    const { deliveryId } = await addAttempts(id, [200]);
    const changed = t.service.db.updateTable('webhookAttempts').set({ responseText, responseCut });
    await changed.where('deliveryId', '=', deliveryId).execute();
    expect((await attemptsOf(id)).attempts[0]).toMatchObject({ response: null, responseText });
  });

  it('400: refuses an unknown event type', async () => {
    const { id } = await create();
    expect((await t.test.get(`/v0/webhooks/${id}/attempts?eventType=nothing`)).status).toBe(400);
  });
});

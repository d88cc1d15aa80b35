import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { queueMails, queueOwnerMails } from '../flows/outbox/queue-mail.ts';
import { insertAccount } from '../resources/accounts/accounts.queries.ts';
import { insertMembership } from '../resources/accounts/memberships.queries.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
afterEach(async () => {
  await t.service.db.deleteFrom('mails').execute();
  await t.service.db.deleteFrom('dueWork').execute();
});

const AT = 1_767_225_600_000;

interface Given {
  to?: string;
  key?: string;
  at?: number;
  language?: string | null;
  available?: number;
}

const queue = (store: TestStore, { available = 3, ...given }: Given = {}) =>
  inTransaction(t.service.db, (tx) =>
    queueMails(tx, store.scope, t.service.ids, [
      {
        kind: 'low_stock',
        key: randomUUID(),
        to: 'ada@example.com',
        language: null,
        at: AT,
        ...given,
        params: { offerName: 'Nebula', available },
      },
    ]),
  );

const list = async (query = '') => (await t.test.get(`/v0/mails/list${query}`)).body.data;
const recipientsOf = async (query = '') => (await list(query)).mails.map(({ to }: { to: string }) => to);

describe('GET /v0/mails/list', () => {
  it('200: lists newest first and filters by kind, address, part of it, status and time', async () => {
    await queue(t.test, { to: 'first@example.com', at: AT });
    await queue(t.test, { to: 'Second@example.com', at: AT + 1000 });
    await t.wired.worker.runDue();
    await queue(t.test, { to: 'third@example.com', at: AT + 2000 });
    expect(await recipientsOf()).toEqual(['third@example.com', 'Second@example.com', 'first@example.com']);
    expect(await recipientsOf('?recipient=second@EXAMPLE.com')).toEqual(['Second@example.com']);
    expect(await recipientsOf('?recipient=example.com')).toEqual([]);
    expect(await recipientsOf('?term=seco')).toEqual(['Second@example.com']);
    expect(await recipientsOf('?term=keys left: neb')).toHaveLength(2);
    expect(await recipientsOf('?status=kept')).toHaveLength(2);
    expect(await recipientsOf('?statuses=queued,failed')).toEqual(['third@example.com']);
    expect(await recipientsOf('?kinds=receipt')).toEqual([]);
    expect(await recipientsOf(`?createdFrom=${AT + 1000}&createdTo=${AT + 1999}`)).toEqual([
      'Second@example.com',
    ]);
  });

  it('200: pages by cursor, and counts on the first page or when asked', async () => {
    for (const at of [AT, AT, AT + 1]) await queue(t.test, { at });
    const first = await list('?take=2');
    expect(first).toMatchObject({ count: 3, hasMore: true });
    const second = await list(`?take=2&cursor=${first.cursor}&returnCount=true`);
    expect(second).toMatchObject({ count: 3, hasMore: false, cursor: null });
    const ids = [...first.mails, ...second.mails].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it.each(['kinds=letter', 'status=lost', 'createdFrom=soon', 'orderId=1'])(
    '400: refuses %s',
    async (query) => {
      expect((await t.test.get(`/v0/mails/list?${query}`)).status).toBe(400);
    },
  );

  it('401: needs the secret key, since keys and links stand in the text', async () => {
    expect((await t.test.get('/v0/mails/list', { keys: 'public' })).status).toBe(401);
    expect((await t.test.get(`/v0/mails/${randomUUID()}`, { keys: 'public' })).status).toBe(401);
  });
});

describe('GET /v0/mails/{id}', () => {
  it('200: answers the mail as it was written', async () => {
    await queue(t.test, { available: 4 });
    const [{ id }] = (await list()).mails;
    expect((await t.test.get(`/v0/mails/${id}`)).body.data.mail).toMatchObject({
      status: 'queued',
      subject: null,
      html: null,
      text: null,
    });
    await t.wired.worker.runDue();
    expect((await t.test.get(`/v0/mails/${id}`)).body.data.mail).toEqual({
      object: 'mail',
      id,
      kind: 'low_stock',
      to: 'ada@example.com',
      from: 'First <no-reply@localhost>',
      replyTo: null,
      subject: '[Test] Few keys left: Nebula',
      html: expect.stringMatching(/^<!doctype html>/),
      text: expect.stringContaining('Keys left: 4'),
      language: 'en',
      status: 'kept',
      attempts: 0,
      lastError: null,
      eventId: null,
      orderId: null,
      paymentId: null,
      testMode: true,
      createdAt: AT,
      sentAt: null,
      expiredAt: null,
    });
  });

  it('404: knows none of another workspace or mode', async () => {
    await queue(t.test);
    const [{ id }] = (await list()).mails;
    expect((await t.other.get(`/v0/mails/${id}`)).status).toBe(404);
    expect((await t.live.get(`/v0/mails/${id}`)).status).toBe(404);
    expect((await t.test.get(`/v0/mails/${randomUUID()}`)).status).toBe(404);
  });
});

describe('a queued mail', () => {
  it('is one per key and recipient, in each store', async () => {
    for (const store of [t.test, t.test, t.live, t.other]) await queue(store, { key: 'once' });
    await queue(t.test, { key: 'once', to: 'bob@example.com' });
    expect(await recipientsOf()).toEqual(['bob@example.com', 'ada@example.com']);
    expect(await t.service.db.selectFrom('mails').selectAll().execute()).toHaveLength(4);
    expect(await t.service.db.selectFrom('dueWork').selectAll().execute()).toHaveLength(4);
  });

  it('reaches the owner and nobody else of the team', async () => {
    const { workspaceId } = t.test.scope;
    const [id, accountId] = [randomUUID(), randomUUID()];
    await inTransaction(t.service.db, async (tx) => {
      const email = 'support@first.example';
      const account = { id: accountId, email, emailNormal: email, passwordHash: null, createdAt: AT };
      await insertAccount(tx, account);
      await insertMembership(tx, { workspaceId, id, accountId, role: 'support', createdAt: AT });
    });
    await inTransaction(t.service.db, (tx) =>
      queueOwnerMails(tx, t.test.scope, [
        {
          kind: 'webhook_failing',
          key: 'streak',
          at: AT,
          params: { url: 'https://x.example', reason: null },
        },
      ]),
    );
    expect(await recipientsOf()).toEqual(['owner@first.example']);
  });
});

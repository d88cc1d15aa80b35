/** Stores that may be copies of others: they can be read, and nothing goes out of them. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { checkProcessors } from '../../src/flows/processors/check-processors.ts';
import { reconcileDaily } from '../../src/flows/processors/reconcile-daily.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { holdRestored } from '../../src/flows/quarantine/hold-restored.ts';
import { takeAccountMails } from '../../src/resources/accounts/account-mails.queries.ts';
import { updateInstallationState } from '../../src/resources/installation/held.queries.ts';
import { buy, openPage, readState } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

/** What is known of a store is remembered for some seconds. */
const REMEMBERED_MS = 10_000;

let app: TestApp;
let receiver: Receiver;
let grownOldMs = 0;
let freeOfferId: string;

beforeAll(async () => {
  receiver = await createReceiver();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' }, undefined, {
    monotonicMs: () => performance.now() + grownOldMs,
  });
  freeOfferId = await makeOffer(app.live, { price: 0, freeProduct: true });
});
beforeEach(() => letGo());
afterAll(async () => {
  await letGo();
  await app.wired.worker.runDue();
  await expectInvariants(app);
  await app.close();
  await receiver.close();
});

async function hold(): Promise<void> {
  const held = { heldSince: app.service.realNowMs(), heldReason: 'data_dir' as const };
  await inTransaction(app.service.db, (tx) => updateInstallationState(tx, held));
  grownOldMs += REMEMBERED_MS;
}

async function holdAlone(workspaceId: string): Promise<void> {
  await app.service.db
    .updateTable('stores')
    .set({ heldSince: app.service.realNowMs(), heldReason: 'restored' })
    .where('workspaceId', '=', workspaceId)
    .where('testMode', '=', false)
    .execute();
  grownOldMs += REMEMBERED_MS;
}

async function letGo(): Promise<void> {
  const none = { heldSince: null, heldReason: null };
  await inTransaction(app.service.db, async (tx) => {
    await updateInstallationState(tx, none);
    await tx.updateTable('stores').set(none).execute();
  });
  grownOldMs += REMEMBERED_MS;
}

const claim = async (email: string) => {
  const page = await openPage(app, `/checkout/${freeOfferId}`);
  return page.submit({ card: undefined, email });
};

const countDue = async (kind: string) =>
  (
    await app.service.pool.query<{ count: number }>(
      'select count(*)::int as count from due_work where kind = $1 and not test_mode',
      [kind],
    )
  ).rows[0]?.count;

it('O30 a held store is read and not written, and its buyers are told so on a page', async () => {
  const page = await openPage(app, `/checkout/${freeOfferId}`);
  await hold();
  await expectRefusal(
    app.live.post('/v0/products/create', { type: 'SoftwareKey', name: 'New' }),
    503,
    'store_held',
  );
  await expectRefusal(app.live.patch('/v0/settings/update', {}), 503, 'store_held');
  expect((await app.live.get('/v0/offers/list')).status).toBe(200);
  await expectRefusal(page.quote(), 503, 'store_held');
  await expectRefusal(page.submit({ card: undefined }), 503, 'store_held');
  const link = await app.app.inject({ method: 'GET', url: `/checkout/${freeOfferId}` });
  expect([link.statusCode, link.headers['content-type']]).toEqual([
    503,
    expect.stringContaining('text/html'),
  ]);
  const opened = await app.app.inject({ method: 'GET', url: page.pagePath });
  expect(opened.statusCode).toBe(200);
  expect(readState(opened.payload)).toMatchObject({
    status: 'unavailable',
    unavailableReason: { code: 'store_held' },
  });
  expect((await app.app.inject('/readyz')).json()).toMatchObject({ status: 'ready', held: true });
});

it('O30 what comes out of a backup waits for no worker of the other, and all that must hold does', async () => {
  const { pool, realNowMs } = app.service;
  const { workspaceId, testMode } = app.live.scope;
  const longAgo = realNowMs() - 3_600_000;
  const key = [workspaceId, testMode, app.service.ids.next(0)];
  await pool.query(
    `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lease_until_ms)
     values ($1, $2, 'warn_of_card', $3, $4, $4, $4)`,
    [...key, longAgo],
  );
  await inTransaction(app.service.db, (tx) => holdRestored(tx, realNowMs()));
  await expectInvariants(app);
  await pool.query('delete from due_work where workspace_id = $1 and test_mode = $2 and ref_id = $3', key);
});

it('O30 the test stores of what is held sell on', async () => {
  await hold();
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
  expect(body.data.order.status).toBe('PAID');
});

it('O30 nothing goes out of a held store, and what waited goes when it is let go', async () => {
  const url = `${receiver.url}/held`;
  await app.live.post('/v0/webhooks/create', { url, events: ['payment_success'] });
  expect((await claim('held@example.com')).body.data.checkout.status).toBe('paid');
  await hold();
  await app.wired.worker.runDue();
  expect(receiver.requests).toHaveLength(0);
  expect([await countDue('deliver_webhook'), await countDue('send_mail')]).toEqual([1, expect.any(Number)]);
  const waiting = await app.service.db
    .selectFrom('mails')
    .select('status')
    .where('recipient', '=', 'held@example.com')
    .execute();
  expect(waiting.length).toBeGreaterThan(0);
  expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['queued']));
  await letGo();
  await app.wired.worker.runDue();
  expect(receiver.requests).toHaveLength(1);
});

it('O30 what a processor tells of a held store is kept and not read', async () => {
  const { scope } = app.live;
  const connected = await app.service.db
    .insertInto('processors')
    .values({
      ...{ workspaceId: scope.workspaceId, testMode: false, kind: 'manual', name: 'Bank' },
      ...{ id: app.service.ids.next(Date.now()), health: 'broken', healthSince: 0, createdAt: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await hold();
  const object = { kind: 'charge' as const, processorId: 'pi_1', ofCharge: null, ownId: null };
  const nowMs = app.service.realNowMs();
  const notification = { id: 'evt_1', type: 'payment_intent.succeeded', happenedAtMs: nowMs, object };
  const kept = { connectionId: connected.id, notifications: [notification], wasRead: false };
  await inTransaction(app.service.db, (tx) =>
    keepNotifications({ ...app.service, nowMs }, scope, { tx, ...kept }),
  );
  await app.wired.worker.runDue();
  expect(await countDue('read_processor_event')).toBe(1);
  // Nor is one asked that is not well.
  expect(await checkProcessors(app.service)).toBe(0);
  const row = await app.service.db
    .selectFrom('processors')
    .select('checkedAt')
    .where('id', '=', connected.id)
    .executeTakeFirstOrThrow();
  expect(row.checkedAt).toBeNull();
  await app.service.db.deleteFrom('dueWork').where('kind', '=', 'read_processor_event').execute();
  await app.service.db.deleteFrom('processorEvents').where('connectionId', '=', connected.id).execute();
  await app.service.db.deleteFrom('processors').where('id', '=', connected.id).execute();
});

it('O30 the books of a processor are not compared while its store is held, or being restored', async () => {
  const { scope } = app.live;
  const { id } = await app.service.db
    .insertInto('processors')
    .values({
      ...{ workspaceId: scope.workspaceId, testMode: false, kind: 'manual', name: 'Bank' },
      ...{ id: app.service.ids.next(Date.now()), health: 'ok', healthSince: 0, createdAt: 0 },
      // Nobody opens them: whose turn it is is told by the row.
      credentials: 'v1.none',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const comparedAt = async () => {
    await reconcileDaily(app.service);
    const of = app.service.db.selectFrom('processors').select('reconciledAt').where('id', '=', id);
    return (await of.executeTakeFirstOrThrow()).reconciledAt;
  };
  const setState = (state: 'active' | 'restoring') =>
    app.service.db.updateTable('workspaces').set({ state }).where('id', '=', scope.workspaceId).execute();
  await hold();
  expect(await comparedAt()).toBeNull();
  await letGo();
  await setState('restoring');
  expect(await comparedAt()).toBeNull();
  await setState('active');
  expect(await comparedAt()).not.toBeNull();
  await app.service.db.deleteFrom('processors').where('id', '=', id).execute();
});

it('O30 of the letters to accounts only those go that let people in', async () => {
  const mail = (kind: 'link' | 'changed') => ({
    ...{
      id: app.service.ids.next(Date.now()),
      kind,
      recipient: 'owner@first.example',
      status: 'queued' as const,
    },
    ...{ params: '{}', dueAt: 0, endsAt: Date.now() + 3_600_000, createdAt: Date.now() },
  });
  await app.service.db.deleteFrom('accountMails').execute();
  await app.service.db
    .insertInto('accountMails')
    .values([mail('changed'), mail('link')])
    .execute();
  await hold();
  const asked = { nowMs: Date.now(), limit: 10 };
  expect((await takeAccountMails(app.service.db, asked)).map(({ kind }) => kind)).toEqual(['link']);
  await letGo();
  expect((await takeAccountMails(app.service.db, asked)).map(({ kind }) => kind)).toEqual(['changed']);
  await app.service.db.deleteFrom('accountMails').execute();
});

it('a workspace that is held alone is, and the others sell', async () => {
  await holdAlone(app.other.scope.workspaceId);
  expect((await claim('free@example.com')).body.data.checkout.status).toBe('paid');
  expect((await app.live.post('/v0/products/create', { type: 'SoftwareKey', name: 'Mine' })).status).toBe(
    200,
  );
  expect((await app.app.inject('/readyz')).json().held).toBe(true);
  const page = await openPage(app, `/checkout/${freeOfferId}`);
  await holdAlone(app.live.scope.workspaceId);
  await expectRefusal(page.submit({ card: undefined }), 503, 'store_held');
});

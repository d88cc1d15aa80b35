import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, FORMS, type TestDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createIds } from '../../main/ids.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';
import { type NewEvent, recordEvents } from './record-event.ts';

const ids = createIds();
const LIMITS = { maxConnections: 4, acquireTimeoutMs: 2_000, statementTimeoutMs: 10_000 };
let made: TestDatabase;
let store: Database;
/** The same in the form that is tried. */
let formed: Database;
let test: Scope;
let live: Scope;
let other: Scope;

beforeAll(async () => {
  made = await createTestDatabase();
  store = openDatabase({ ...made.poolConfig, ...LIMITS });
  const first = await addWorkspace('first');
  test = { workspaceId: first, testMode: true };
  live = { workspaceId: first, testMode: false };
  other = { workspaceId: await addWorkspace('second'), testMode: true };
});
afterAll(async () => {
  await store.close();
  await made.drop();
});
beforeEach(async () => {
  await store.db.deleteFrom('webhookDeliveries').execute();
  await store.db.deleteFrom('events').execute();
  await store.db.deleteFrom('webhookDeliveries').execute();
  await store.db.deleteFrom('webhooks').execute();
  await store.db.deleteFrom('listeners').execute();
  await store.db.deleteFrom('dueWork').execute();
});

async function addWorkspace(name: string): Promise<string> {
  const owner = { ownerEmail: `${name}@owner.example`, ownerPasswordHash: 'not used' };
  const { workspaceId } = await inTransaction(store.db, (tx) =>
    createWorkspace(tx, ids, { name, ...owner, nowMs: NOW_MS }),
  );
  return workspaceId;
}

const NOW_MS = 1_767_225_600_000;
const DATA = { items: [], order: { value: 1200 }, payment: {}, customer: {}, user: {} };

function makeEvent(event: Partial<NewEvent> = {}): NewEvent {
  return {
    type: 'payment_success',
    entityId: randomUUID(),
    entityVersion: 1,
    orderId: randomUUID(),
    paymentId: randomUUID(),
    subscriptionId: null,
    createdAtMs: NOW_MS,
    data: DATA,
    ...event,
  };
}

interface Hearer {
  events?: string[];
  status?: 'active' | 'inactive';
  deletedAt?: number | null;
}

async function addWebhook(scope: Scope, webhook: Hearer = {}): Promise<string> {
  const id = randomUUID();
  await store.db
    .insertInto('webhooks')
    .values({
      ...scopeColumns(scope),
      id,
      url: 'https://example.com/',
      status: 'active',
      secret: 'a secret of the test',
      events: ['payment_success'],
      deletedAt: null,
      createdAt: NOW_MS,
      ...webhook,
    })
    .execute();
  return id;
}

async function addListener(scope: Scope): Promise<string> {
  const id = randomUUID();
  const hears = { name: 'a terminal', secret: 'a secret of the test', events: ['payment_success'] };
  await store.db
    .insertInto('listeners')
    .values({
      ...scopeColumns(scope),
      id,
      ...hears,
      askedRealMs: NOW_MS,
      endedRealMs: null,
      createdAt: NOW_MS,
    })
    .execute();
  return id;
}

const record = (events: NewEvent[]) => inTransaction(formed.db, (tx) => recordEvents(tx, test, ids, events));
const rowsOf = (table: 'events' | 'webhookDeliveries' | 'dueWork') =>
  store.db.selectFrom(table).selectAll().where(inScope(test)).execute();

describe.each(FORMS)('recordEvents in the %s form', (form) => {
  beforeAll(() => {
    formed = openDatabase({ ...made.poolConfig, ...LIMITS, form });
  });
  afterAll(() => formed.close());

  it('stores the exact text that is sent, once, with a key that stays', async () => {
    await record([makeEvent()]);
    const event = await store.db.selectFrom('events').selectAll().executeTakeFirstOrThrow();
    expect(JSON.parse(event.body ?? '')).toEqual({
      object: 'event',
      id: event.id,
      type: 'payment_success',
      idempotencyKey: event.idempotencyKey,
      testMode: true,
      createdAt: NOW_MS,
      data: DATA,
    });
    expect(event.idempotencyKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  });

  it('writes the event alone when no webhook hears it', async () => {
    await record([makeEvent()]);
    expect(await rowsOf('events')).toHaveLength(1);
    expect(await rowsOf('webhookDeliveries')).toEqual([]);
    expect(await rowsOf('dueWork')).toEqual([]);
  });

  it('makes one delivery, due now, for each event and active webhook that subscribed to its type', async () => {
    const both = await addWebhook(test, { events: ['payment_success', 'subscription_updated'] });
    const one = await addWebhook(test, { events: ['payment_success'] });
    await addWebhook(test, { events: ['payment_refunded'] });
    await addWebhook(test, { status: 'inactive' });
    await addWebhook(test, { deletedAt: NOW_MS });
    await addWebhook(live);
    await addWebhook(other);
    await record([makeEvent(), makeEvent({ type: 'subscription_updated' })]);
    const deliveries = await store.db.selectFrom('webhookDeliveries').selectAll().execute();
    expect(deliveries.map((row) => row.webhookId).sort()).toEqual([both, both, one].sort());
    expect(deliveries.every((row) => row.status === 'waiting' && row.testMode)).toBe(true);
    const due = await store.db.selectFrom('dueWork').selectAll().execute();
    expect(due.map((row) => row.refId).sort()).toEqual(deliveries.map((row) => row.id).sort());
    expect(due.every((row) => row.kind === 'deliver_webhook' && row.dueMs === NOW_MS)).toBe(true);
  });

  it('queues the deliveries of an order by their events, and none that a listener asks for', async () => {
    const webhookId = await addWebhook(test);
    const listenerId = await addListener(test);
    const ofOrder = makeEvent();
    await record([ofOrder, makeEvent({ orderId: null })]);
    const deliveries = await store.db
      .selectFrom('webhookDeliveries as d')
      .leftJoin('dueWork as w', 'w.refId', 'd.id')
      .innerJoin('events as e', 'e.id', 'd.eventId')
      .select(['d.webhookId', 'd.listenerId', 'd.status', 'd.createdAt', 'e.orderId', 'e.id as eventId'])
      .select(['w.kind', 'w.lane', 'w.queue', 'w.place', 'w.dueMs', 'w.dueRealMs', 'w.fence'])
      .orderBy('e.id')
      .orderBy('d.listenerId')
      .execute();
    const [first, , second] = deliveries;
    const made = { status: 'waiting', createdAt: NOW_MS };
    const due = { kind: 'deliver_webhook', lane: webhookId, dueMs: NOW_MS, dueRealMs: NOW_MS, fence: 0 };
    const none = {
      kind: null,
      lane: null,
      queue: null,
      place: null,
      dueMs: null,
      dueRealMs: null,
      fence: null,
    };
    const { orderId } = ofOrder;
    const ofFirst = { ...made, orderId, eventId: first?.eventId };
    const ofSecond = { ...made, orderId: null, eventId: second?.eventId };
    expect(deliveries).toEqual([
      { ...ofFirst, webhookId: null, listenerId, ...none },
      { ...ofFirst, webhookId, listenerId: null, ...due, queue: orderId, place: first?.eventId },
      { ...ofSecond, webhookId: null, listenerId, ...none },
      { ...ofSecond, webhookId, listenerId: null, ...due, queue: null, place: null },
    ]);
  });

  it("is due in real time by the store's clock", async () => {
    await addWebhook(test);
    const setClock = (clockOffsetMs: number) =>
      store.db.updateTable('stores').set({ clockOffsetMs }).where(inScope(test)).execute();
    await setClock(5_000);
    await record([makeEvent()]);
    await setClock(0);
    const due = await store.db.selectFrom('dueWork').selectAll().executeTakeFirstOrThrow();
    expect(due.dueRealMs).toBe(NOW_MS - 5_000);
  });

  it('gives deliveries ids of version 7 that carry the moment of the event', async () => {
    await addWebhook(test);
    await record([makeEvent()]);
    const { id } = await store.db.selectFrom('webhookDeliveries').selectAll().executeTakeFirstOrThrow();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOW_MS);
  });

  it('leaves nothing behind when the change is rolled back', async () => {
    await addWebhook(test);
    const change = inTransaction(formed.db, async (tx) => {
      await recordEvents(tx, test, ids, [makeEvent()]);
      throw new Error('the change failed');
    });
    await expect(change).rejects.toThrow('the change failed');
    expect(await rowsOf('events')).toEqual([]);
    expect(await rowsOf('dueWork')).toEqual([]);
  });

  it('tells one change once', async () => {
    const event = makeEvent();
    await record([event]);
    await expect(record([event])).rejects.toThrow(/duplicate key/);
  });

  it('lists events of one moment in the order they were given', async () => {
    const types = ['subscription_created', 'subscription_updated', 'payment_success'] as const;
    await record(types.map((type) => makeEvent({ type })));
    const rows = await store.db.selectFrom('events').select('type').orderBy('id').execute();
    expect(rows.map((row) => row.type)).toEqual(types);
  });
});

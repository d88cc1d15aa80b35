import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, FORMS, type TestDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { type Scope, scopeColumns } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents } from '../../flows/outbox/record-event.ts';
import { createWorkspace } from '../../flows/workspaces/create-workspace.ts';
import { createIds } from '../../main/ids.ts';
import { findWholeDeliveries, writeDeliverySteps } from './attempts.queries.ts';
import type { DeliveryStep } from './attempts.sql.ts';
import { lockWebhookHealth } from './webhooks.queries.ts';

const ids = createIds();
const NOW_MS = 1_767_225_600_000;
let made: TestDatabase;
let store: Database;

beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made.drop());

interface Delivery {
  scope: Scope;
  id: string;
  webhookId: string;
  eventId: string;
}

async function addStores(name: string): Promise<Scope[]> {
  const owner = { ownerEmail: `${name}@owner.example`, ownerPasswordHash: 'not used' };
  const { workspaceId } = await inTransaction(store.db, (tx) =>
    createWorkspace(tx, ids, { name, ...owner, nowMs: NOW_MS }),
  );
  return [true, false].map((testMode) => ({ workspaceId, testMode }));
}

async function addDelivery(scope: Scope): Promise<Delivery> {
  const webhookId = randomUUID();
  const entityId = randomUUID();
  const hook = { secret: 'a secret', events: ['payment_success'], deletedAt: null, createdAt: NOW_MS };
  await store.db
    .insertInto('webhooks')
    .values({
      ...scopeColumns(scope),
      id: webhookId,
      url: 'https://one.example/',
      status: 'active',
      ...hook,
    })
    .execute();
  const told = { orderId: null, paymentId: null, subscriptionId: null, mail: null, data: {} };
  await inTransaction(store.db, (tx) =>
    recordEvents(tx, scope, ids, [
      { type: 'payment_success', entityId, entityVersion: 1, createdAtMs: NOW_MS, ...told },
    ]),
  );
  const { id, eventId } = await store.db
    .selectFrom('webhookDeliveries')
    .select(['id', 'eventId'])
    .where('webhookId', '=', webhookId)
    .executeTakeFirstOrThrow();
  return { scope, id, webhookId, eventId: eventId ?? '' };
}

function toStep({ scope, id: refId, webhookId, eventId }: Delivery): DeliveryStep {
  const answer = {
    statusCode: 200,
    error: null,
    errorDetail: null,
    responseText: 'ü "\\',
    responseCut: false,
  };
  const asked = { address: '192.0.2.1', durationMs: 12, webhookVersion: 7, createdAt: NOW_MS };
  const attempt = { id: ids.next(NOW_MS), webhookId, eventId, eventType: 'payment_success', sequence: 0 };
  const ended = { fence: 0, dueMs: null, status: 'delivered', reason: null } as const;
  return { scope, refId, ...ended, attempt: { ...attempt, ...answer, ...asked } };
}

const readDelivery = ({ id }: Delivery) =>
  store.db
    .selectFrom('webhookDeliveries as d')
    .leftJoin('webhookAttempts as a', 'a.deliveryId', 'd.id')
    .leftJoin('dueWork as w', 'w.refId', 'd.id')
    .select(['d.status', 'd.reason', 'd.attemptCount'])
    .select(['a.id as attemptId', 'a.statusCode', 'a.responseText', 'a.webhookVersion', 'a.createdAt as at'])
    .select(['w.dueMs', 'w.dueRealMs', 'w.failures', 'w.queue'])
    .where('d.id', '=', id)
    .execute();

const NO_WORK = { dueMs: null, dueRealMs: null, failures: null, queue: null };
const NO_ATTEMPT = { attemptId: null, statusCode: null, responseText: null, webhookVersion: null, at: null };
const DUE = { dueMs: NOW_MS, dueRealMs: NOW_MS, failures: 0, queue: null };

describe.each(FORMS)('deliveries of several stores in the %s form', (form) => {
  let deliveries: [Delivery, Delivery, Delivery, Delivery, Delivery];

  beforeAll(async () => {
    const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    store = openDatabase({ ...made.poolConfig, ...limits, form });
    const [one, two] = await addStores(`${form}-1`);
    const [three] = await addStores(`${form}-2`);
    if (!one || !two || !three) throw new Error('a workspace has two stores');
    deliveries = [
      await addDelivery(one),
      await addDelivery(two),
      await addDelivery(three),
      await addDelivery(three),
      await addDelivery(one),
    ];
  });
  afterAll(() => store.close());

  it('are read with their webhooks and events, each of its own store', async () => {
    const [first, ...others] = deliveries;
    const strange = { scope: deliveries[1].scope, refId: first.id };
    const keys = others.map(({ scope, id }) => ({ scope, refId: id }));
    const { deliveries: found } = await findWholeDeliveries(store.db, [strange, ...keys]);
    expect([...found.keys()].sort()).toEqual(others.map(({ id }) => id).sort());
    for (const { id, webhookId, eventId } of others) {
      expect(found.get(id)).toMatchObject({ webhookId, eventId, isHeard: true, isWell: true });
    }
  });

  it.runIf(form === 'spread')(
    'of a store whose node is gone are left alone, and all others are read',
    async () => {
      const [one, two, three, four, five] = deliveries;
      const goneId = three.scope.workspaceId;
      // To whom its rows are asked for, the engine says that their node cannot be reached.
      await sql`
      create function reached(id uuid) returns boolean language plpgsql cost 1000 as $$
      begin
        if id = '${sql.raw(goneId)}' then raise exception 'could not connect' using errcode = '08006'; end if;
        return true;
      end $$`.execute(store.db);
      await sql`alter table webhooks rename to webhooks_there`.execute(store.db);
      await sql`create view webhooks as select * from webhooks_there where reached(workspace_id)`.execute(
        store.db,
      );
      try {
        const keys = deliveries.map(({ scope, id }) => ({ scope, refId: id }));
        const found = await findWholeDeliveries(store.db, keys);
        expect([...found.deliveries.keys()].sort()).toEqual([one.id, two.id, five.id].sort());
        expect([...found.unread.keys()].sort()).toEqual([three.id, four.id].sort());
        expect(found.unread.get(three.id)).toMatchObject({ code: '08006' });
      } finally {
        await sql`drop view webhooks`.execute(store.db);
        await sql`alter table webhooks_there rename to webhooks`.execute(store.db);
      }
    },
  );

  it('have their webhooks locked, in one order', async () => {
    const keys = deliveries.map(({ scope, webhookId }) => ({ scope, id: webhookId }));
    const rows = await inTransaction(store.db, (tx) => lockWebhookHealth(tx, keys));
    const names = rows.map(({ workspaceId, testMode, id }) => `${workspaceId} ${testMode} ${id}`);
    expect(names).toEqual([...names].sort());
    expect(rows.map(({ id }) => id).sort()).toEqual(keys.map(({ id }) => id).sort());
  });

  it('are written where the lease holds, with the attempt and the end of the work or its next time', async () => {
    const [delivered, postponed, lost, gone, ended] = deliveries;
    await store.db.deleteFrom('webhookDeliveries').where('id', '=', gone.id).execute();
    const waits = { ...toStep(postponed), dueMs: NOW_MS + 5_000, status: null };
    const alone = { ...toStep(ended), status: 'dropped', reason: 'webhook_archived', attempt: null } as const;
    const steps = [toStep(delivered), waits, { ...toStep(lost), fence: 3 }, toStep(gone), alone];
    const held = await inTransaction(store.db, (tx) => writeDeliverySteps(tx, steps));
    expect([...held].sort()).toEqual([delivered.id, postponed.id, ended.id].sort());
    const answer = { statusCode: 200, responseText: 'ü "\\', webhookVersion: 7, at: NOW_MS };
    const tried = { reason: null, attemptCount: 1, ...answer };
    expect(await readDelivery(delivered)).toEqual([
      { status: 'delivered', ...tried, attemptId: steps[0]?.attempt?.id, ...NO_WORK },
    ]);
    const later = { ...DUE, dueMs: NOW_MS + 5_000, dueRealMs: NOW_MS + 5_000 };
    expect(await readDelivery(postponed)).toEqual([
      { status: 'waiting', ...tried, attemptId: waits.attempt?.id, ...later },
    ]);
    const untried = { attemptCount: 0, ...NO_ATTEMPT };
    expect(await readDelivery(lost)).toEqual([{ status: 'waiting', reason: null, ...untried, ...DUE }]);
    expect(await readDelivery(ended)).toEqual([
      { status: 'dropped', reason: 'webhook_archived', ...untried, ...NO_WORK },
    ]);
    // What was to be sent of it ends without a trace.
    const left = await store.db.selectFrom('dueWork').select('refId').where('refId', '=', gone.id).execute();
    expect(left).toEqual([]);
  });
});

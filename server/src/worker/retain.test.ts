import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { expectInvariants } from '../../test/support/expect-invariants.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';
import { inScope } from '../db/scope.ts';
import { listBehind, listLate } from '../resources/retention/retention.queries.ts';
import { letGo, retain } from './retain.ts';

const HOUR_MS = 3_600_000;
const TABLES = ['events', 'webhook_deliveries', 'webhook_attempts', 'mails', 'audit_log'] as const;

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await createReceiver();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  await app.test.post('/v0/webhooks/create', { url: `${receiver.url}/hook`, events: ['payment_success'] });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const REAL_NOW = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Real time is the database's: it is so many days later for as long as `run` takes. */
async function after<T>(days: number, run: () => Promise<T>): Promise<T> {
  const { db } = app.service;
  const setClock = (byMs: number) =>
    sql`create or replace function real_now_ms() returns bigint language sql volatile parallel safe
      return ${REAL_NOW} + ${sql.raw(String(byMs))}::bigint`.execute(db);
  await setClock(days * DAY_MS);
  try {
    return await run();
  } finally {
    await setClock(0);
    await sql`update retention_marks set looked_real_ms = 0`.execute(db);
  }
}

const letGoNow = () =>
  letGo(app.service.db, {
    signal: new AbortController().signal,
    days: app.service.config.retainDays,
    exportTo: null,
  });
const sweepAfter = (days: number) => after(days, letGoNow);

/** A sale once, one that is given back, a subscription, a decline. */
async function sell(store: TestStore): Promise<void> {
  const offerId = await makeOffer(store);
  await buy(store, { offersIds: [await makePlanOffer(store)] });
  await buy(store, { offersIds: [offerId], card: '4000000000000002' });
  const { body } = await buy(store, { offersIds: [offerId] });
  const { body: refunded } = await store.post(`/v0/orders/${body.data.order.id}/refunds`, {});
  expect(refunded.data.refund.status).toBe('succeeded');
}

/** How many rows each table holds, but those that the sweep keeps its own book in. */
async function countAll(): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relname not in ('retention_marks', 'upkeep', 'api_key_uses')`.execute(app.service.db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(name)}`.execute(app.service.db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

const countWhere = async (table: (typeof TABLES)[number], condition = sql`true`): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${condition}`.execute(app.service.db);
  return rows[0]?.count ?? 0;
};

describe('what is kept for its time', () => {
  it('O32 O34 O35 goes after it, row by row of the table, and nothing else does', async () => {
    const { test } = app;
    // The first is taken at the second try; that of the last sale waits for its second.
    receiver.script({ status: 500 });
    await sell(test);
    await app.wired.worker.runDue();
    await advance(app, test.scope, 2 * HOUR_MS);
    receiver.script({ status: 500 });
    const { body: last } = await buy(test, { offersIds: [await makeOffer(test)] });
    await app.wired.worker.runDue();
    expect(await countWhere('webhook_deliveries', sql`status = 'waiting'`)).toBe(1);
    const before = await countAll();

    expect(await sweepAfter(29)).toBe(0);
    expect(await countAll()).toEqual(before);

    expect(await sweepAfter(31)).toBe(1);
    // The first try of the delivery that was taken at its second; the only try of others stays.
    expect(await countAll()).toEqual({ ...before, webhook_attempts: (before.webhook_attempts ?? 0) - 1 });
    await expectInvariants(app);

    await sweepAfter(91);
    expect(await countAll()).toEqual({ ...before, webhook_attempts: (before.webhook_attempts ?? 0) - 1 });
    expect(await countWhere('events', sql`body is not null`)).toBe(1);
    expect(await countWhere('mails', sql`letter is not null or expired_at is null`)).toBe(0);
    const { body: listed } = await test.get('/v0/events/list?take=100');
    const gone = listed.data.events.filter((event: { data: unknown }) => event.data === null);
    expect(gone).toHaveLength((before.events ?? 0) - 1);
    expect(gone[0]).toMatchObject({ data: null, expiredAt: expect.any(Number) });
    await expectRefusal(test.post(`/v0/events/${gone[0].id}/resend`, {}), 409, 'event_expired');
    await expectInvariants(app);

    await sweepAfter(401);
    expect(await countAll()).toEqual({
      ...before,
      // What waits stays, with its event and its body.
      events: 1,
      webhook_deliveries: 1,
      webhook_attempts: 1,
      mails: 0,
    });
    const { body: waiting } = await test.get('/v0/events/list');
    expect(waiting.data.events[0].data.order?.id ?? waiting.data.events[0].data.payment.orderId).toBe(
      last.data.order.id,
    );
    await expectInvariants(app);

    await sweepAfter(731);
    expect(await countWhere('audit_log')).toBe(0);
    await expectInvariants(app);

    // What waited is sent, and goes as all else; new sales are told as ever.
    await advance(app, test.scope, 2 * HOUR_MS);
    expect(await countWhere('webhook_deliveries', sql`status = 'waiting'`)).toBe(0);
    await sell(test);
    await app.wired.worker.runDue();
    await expectInvariants(app);
    await sweepAfter(731);
    expect(await countWhere('events', sql`order_id = ${last.data.order.id}`)).toBe(0);
    await expectInvariants(app);
  });

  it('O34 goes by real time in a test store that is five years ahead', async () => {
    const { other } = app;
    await advance(app, other.scope, 5 * 365 * DAY_MS);
    await buy(other, { offersIds: [await makeOffer(other)] });
    await app.wired.worker.runDue();
    await letGoNow();
    const ofOther = sql`workspace_id = ${other.scope.workspaceId}`;
    expect(await countWhere('events', sql`${ofOther} and body is null`)).toBe(0);
    await sweepAfter(91);
    expect(await countWhere('events', ofOther)).toBeGreaterThan(0);
    expect(await countWhere('events', sql`${ofOther} and body is not null`)).toBe(0);
    await expectInvariants(app);
  });

  it('O36 a sweep that is killed goes on where it was', async () => {
    await sell(app.test);
    await app.wired.worker.runDue();
    const total = await countWhere('events', sql`body is not null`);
    const ending = new AbortController();
    let batches = 0;
    const killed = {
      signal: ending.signal,
      days: { ...app.service.config.retainDays, mail_bodies: 0, webhook_attempts: 0 },
      exportTo: null,
      rowsMax: 1,
      onBatch: () => {
        batches += 1;
        if (batches === 3) ending.abort();
      },
    };
    expect(await after(91, () => letGo(app.service.db, killed))).toBe(3);
    expect(await countWhere('events', sql`body is not null`)).toBe(total - 3);
    await expectInvariants(app);
    const left = await after(91, async () => {
      await retain(app.service, new AbortController().signal);
      return listBehind(app.service.db, { kept: 'event_bodies', days: 90, limit: 10 });
    });
    // Nothing is left to be looked at.
    expect(left).toEqual([]);
    expect(await countWhere('events', sql`body is not null`)).toBe(0);
    await expectInvariants(app);
  });

  it('O34 is late with nothing that is kept since it is open', async () => {
    receiver.script({ status: 500 });
    await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    await app.wired.worker.runDue();
    expect(await countWhere('webhook_deliveries', sql`status = 'waiting'`)).toBe(1);
    const tell = (of: typeof listLate) => of(app.service.db, { kept: 'events', days: 400, limit: 10 });
    await after(401, async () => {
      expect(await tell(listLate)).not.toEqual([]);
      await letGoNow();
      // The sweep looks again, and operators are told nothing.
      expect(await tell(listBehind)).toMatchObject([app.test.scope]);
      expect(await tell(listLate)).toEqual([]);
    });
    await advance(app, app.test.scope, 2 * HOUR_MS);
    await sweepAfter(401);
  });

  it('O30 stays in a store that is held', async () => {
    const { live } = app;
    await makeOffer(live);
    const { workspaceId, testMode } = live.scope;
    const hold = (heldSince: number | null) =>
      app.service.db
        .updateTable('stores')
        .set({ heldSince, heldReason: heldSince === null ? null : 'restored' })
        .where(inScope({ workspaceId, testMode }))
        .execute();
    const ofLive = sql`workspace_id = ${workspaceId} and test_mode = ${testMode}`;
    const audited = await countWhere('audit_log', ofLive);
    expect(audited).toBeGreaterThan(0);
    await hold(1);
    await sweepAfter(731);
    expect(await countWhere('audit_log', ofLive)).toBe(audited);
    await hold(null);
    await sweepAfter(731);
    expect(await countWhere('audit_log', ofLive)).toBe(0);
  });

  it('is kept for ever where the days are 0', async () => {
    const before = await countAll();
    const never = { event_bodies: 0, events: 0, webhook_attempts: 0, mail_bodies: 0, mails: 0, audit_log: 0 };
    const { signal } = new AbortController();
    expect(await after(5000, () => letGo(app.service.db, { signal, days: never, exportTo: null }))).toBe(0);
    expect(await countAll()).toEqual(before);
  });
});

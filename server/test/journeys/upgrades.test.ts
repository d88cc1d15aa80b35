/** Stores of releases before this one, in every state that they could be brought into: today's code goes on with them. */
import type pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { ORDER } from '../../src/domain/states/order.ts';
import { PAYMENT } from '../../src/domain/states/payment.ts';
import { SUBSCRIPTION } from '../../src/domain/states/subscription.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import type { Wired } from '../../src/main/wire.ts';
import { DAY_MS } from '../support/clock.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { listFixtures, type Pair, readFixture, type Upgraded, upgrade } from '../support/upgrading.ts';

/** States that no release could be brought into from outside but by an hour that is never the same. */
const PASSING: Record<string, readonly string[]> = {
  orders: ['UNPAID'],
  payments: ['UNPAID'],
  subscriptions: [],
};

const fixtures = await listFixtures();

it('X36 there is a store of a release to upgrade', () => {
  expect(fixtures).toContain('0.1.0.tar.gz');
});

describe.each(fixtures)('X36 a store of %s', (name) => {
  let upgraded: Upgraded | null = null;
  let receiver: Receiver | null = null;
  afterAll(async () => {
    await upgraded?.wired.close();
    await upgraded?.database.drop();
    await receiver?.close();
  });

  it('is upgraded: all holds, the proof is empty, it renews, gives back and delivers', async () => {
    const fixture = await readFixture(name);
    upgraded = await upgrade(fixture);
    const { wired, ran } = upgraded;
    const { service } = wired;
    // Else it would prove nothing of migrations.
    expect(ran).toBeGreaterThan(0);
    const keys = fixture.about.keys.test;
    const ask = asker(wired, keys);
    await expectStates(service.pool);
    expect(await findBroken(service.db, ['127.0.0.1/32'])).toEqual([]);
    expect((await ask('GET', '/v0/ledger/proof')).proof).toMatchObject({ ok: true, differences: [] });
    await wired.worker.runDue();

    receiver = await createReceiver();
    const hook = { url: `${receiver.url}/upgraded`, events: ['payment_success', 'payment_refunded'] };
    await ask('POST', '/v0/webhooks/create', hook);
    const { subscriptions } = await ask('GET', '/v0/subscriptions/list?statuses=active&take=100');
    expect(subscriptions.length).toBeGreaterThan(0);
    const scope = await findTestScope(service.pool, keys);
    const { now } = (await ask('GET', '/v0/test-clock')).testClock;
    await service.clock.advance(scope, now + 33 * DAY_MS);
    const renewed = (await ask('GET', '/v0/subscriptions/list?statuses=active&take=100')).subscriptions;
    const later = (one: { id: string; currentIntervalEnd: number }) =>
      renewed.some(
        (now: { id: string; currentIntervalEnd: number }) =>
          now.id === one.id && now.currentIntervalEnd > one.currentIntervalEnd,
      );
    expect(subscriptions.filter(later).length).toBeGreaterThan(0);

    const { orders } = await ask('GET', '/v0/orders/list?statuses=PAID&take=100');
    const old = orders.find(
      ({ type, value }: { type: string; value: number }) => type === 'one_time' && value > 0,
    );
    await ask('POST', `/v0/orders/${old.id}/refunds`, {});
    await wired.worker.runDue();
    expect((await ask('GET', `/v0/orders/${old.id}`)).order.status).toBe('REFUNDED');
    const told = receiver.requests.map(({ raw }) => JSON.parse(String(raw)).type);
    expect(new Set(told)).toEqual(new Set(['payment_success', 'payment_refunded']));
    expect(await findBroken(service.db, ['127.0.0.1/32'])).toEqual([]);
    expect((await ask('GET', '/v0/ledger/proof')).proof).toMatchObject({ ok: true, differences: [] });
  });
});

function asker({ app }: Wired, { publicKey, secretKey }: Pair) {
  const headers = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey };
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are read for a field or two.
  return async (method: 'GET' | 'POST', url: string, payload?: object): Promise<any> => {
    const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    expect(answer.statusCode, answer.payload).toBe(200);
    return answer.json().data;
  };
}

async function findTestScope(pool: pg.Pool, { publicKey }: Pair) {
  const { rows } = await pool.query<{ id: string }>(
    'select workspace_id as id from api_keys where public_key = $1',
    [publicKey],
  );
  return { workspaceId: rows[0]?.id ?? '', testMode: true };
}

/** Each state of these tables has a row in the store. */
async function expectStates(pool: pg.Pool): Promise<void> {
  for (const [table, { moves }] of [
    ['orders', ORDER],
    ['payments', PAYMENT],
    ['subscriptions', SUBSCRIPTION],
  ] as const) {
    const { rows } = await pool.query<{ status: string }>(`select distinct status from ${table} order by 1`);
    const wanted = Object.keys(moves)
      .filter((state) => !PASSING[table]?.includes(state))
      .sort();
    expect([table, rows.map(({ status }) => status)]).toEqual([table, expect.arrayContaining(wanted)]);
  }
}

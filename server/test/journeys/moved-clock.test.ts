/** A request to a subscription that the test clock overtakes: what it wrote would lie before what was done on the way. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, jumpClock } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let offerId: string;
let extraId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makePlanOffer(app.test);
  extraId = await makeOffer(app.test, { price: 500 });
});
afterAll(() => app.close());

/** The request has begun and waits for the subscription's row while the clock moves by a month and more. */
async function overtake(subscriptionId: string, request: () => Promise<Answer>): Promise<Answer> {
  const { service, test } = app;
  const { rows } = await service.pool.query<{ name: string }>('select current_database() as name');
  const { host, port, user, connectionString } = service.pool.options;
  const url = connectionString && new URL(connectionString);
  if (url) url.pathname = `/${rows[0]?.name}`;
  const holder = new pg.Client(url ? { connectionString: url.href } : { host, port, user });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from subscriptions where id = $1 for update', [subscriptionId]);
    const answer = request();
    const waiting = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and cardinality(pg_blocking_pids(pid)) > 0`;
    // Not by the holder: within a transaction the list of sessions stays as it was first read.
    await expect
      .poll(async () => (await service.pool.query(waiting)).rows[0].count, { interval: 20 })
      .toBe(1);
    const { rows: clock } = await holder.query<{ now: string }>(
      'select real_now_ms() + clock_offset_ms as now from stores where workspace_id = $1 and test_mode',
      [test.scope.workspaceId],
    );
    await jumpClock(service.db, test.scope, Number(clock[0]?.now) + 40 * DAY_MS);
    await holder.query('commit');
    return await answer;
  } finally {
    await holder.end();
  }
}

type Ask = (subscription: Subscribed) => Promise<Answer>;

const at = ({ number }: Subscribed) => `/v0/subscriptions/${number}`;
const asks: Array<[string, Ask]> = [
  ['ends it', (one) => app.test.patch(`${at(one)}/cancel`, { immediately: true })],
  ['ends it with its interval', (one) => app.test.patch(`${at(one)}/cancel`, { cancelAtIntervalEnd: true })],
  ['pauses it', (one) => app.test.patch(`${at(one)}/pauseCollection`, {})],
  ['changes its plan', (one) => app.test.patch(`${at(one)}/update`, { items: [{ offerId, quantity: 2 }] })],
  ['charges for more', (one) => app.test.post(`${at(one)}/charge`, { items: [{ offerId: extraId }] })],
];

describe('a request to a subscription that the test clock overtakes', () => {
  it.each(asks)('which %s is told so, nothing is done, and its next try is of now', async (_what, ask) => {
    const subscription = await subscribe(app, offerId);
    const before = await show(app, subscription);
    const refused = await overtake(subscription.id, () => ask(subscription));
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'clock_advancing']);
    expect(await show(app, subscription)).toEqual(before);
    // What fell due meanwhile.
    await app.wired.worker.runDue();
    expect(await listPeriods(app, subscription)).toMatchObject([{ status: 'PAID' }]);
    const answer = await ask(subscription);
    expect(answer.status, answer.text).toBe(200);
    await expectInvariants(app);
  });
});

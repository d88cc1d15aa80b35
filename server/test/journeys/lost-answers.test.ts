/** Answers of Stripe that are lost: nothing is taken twice, nothing is forgotten, and both books are equal. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { resumeStoredCharge } from '../../src/flows/payments/resume-stored-charge.ts';
import { noteHealth } from '../../src/flows/processors/change-health.ts';
import { keepStatistics } from '../../src/worker/upkeep.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS, jumpClock, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp, type StripeApp } from '../support/stripe-app.ts';

const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
const PURCHASES = sizeOf(30, 2_000);
const HOUR_MS = 60 * MINUTE_MS;
const CONFIRM = { method: 'POST', path: '/v1/payment_intents/*/confirm' };

let shop: StripeApp;
beforeAll(async () => {
  shop = await openStripeApp();
  // Nothing listens where it would tell.
  await shop.double.control('POST /events', { deliver: 'never' });
});
afterEach(() => expectInvariants(shop.app));
afterAll(() => shop?.close());

async function sell(offerId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { status, text } = await buy(shop.app.test, {
      ...{ offersIds: [offerId], processorId: shop.processorId, paymentMethod: 'pm_card_visa' },
      userEmail: `${offerId}-${n}@example.com`,
    });
    expect(status, text).toBe(200);
    // A worker does it every three seconds: plans made for an empty store look at all of its charges for one.
    if (n % 100 === 99) await keepStatistics(shop.app.service.db, { isWorker: true });
  }
}

async function addFault(match: object, fault: object): Promise<string> {
  const body = { match: { account: shop.account.id, ...match }, do: fault };
  return (await shop.double.control<{ id: string }>('POST /faults', body)).id;
}

async function heal(faults: readonly string[]): Promise<void> {
  for (const id of faults) await shop.double.control(`DELETE /faults/${id}`);
}

interface Books {
  charges: Record<string, { taken: number; refunded: number }>;
}

/** What each payment has taken there; every taking is a charge that has succeeded here, of the same sum. */
async function compareBooks(): Promise<number> {
  const { charges } = await shop.double.control<Books>(`GET /books?account=${shop.account.id}`);
  const { rows } = await shop.app.service.pool.query<{ id: string; amount: number }>(
    `select id, amount::int as amount from charges where status = 'succeeded' and connection_id = $1`,
    [shop.processorId],
  );
  const theirs = Object.entries(charges)
    .filter(([, { taken }]) => taken > 0)
    .map(([id, { taken, refunded }]) => [id, taken, refunded]);
  const ours = rows.map(({ id, amount }) => [id, amount, 0]);
  expect(theirs.sort()).toEqual(ours.sort());
  const payments = await shop.app.service.pool.query(
    `select distinct payment_id from charges where status = 'succeeded' and connection_id = $1`,
    [shop.processorId],
  );
  // None was paid twice.
  expect(payments.rowCount).toBe(rows.length);
  return rows.length;
}

const statusesOf = async (type: string) => {
  const { rows } = await shop.app.service.pool.query<{ status: string }>(
    'select distinct status from payments where type = $1',
    [type],
  );
  return rows.map(({ status }) => status);
};

it('P22 of purchases whose answers are lost behind their effect each is paid once', async () => {
  const offerId = await makeOffer(shop.app.test, { ...EUROS, price: 700 });
  const faults = [
    await addFault({ ...CONFIRM, share: sizeOf(0.3, 0.1) }, { drop: 'after' }),
    await addFault({ method: 'POST', path: '/v1/payment_intents', share: 0.1 }, { drop: 'after' }),
  ];
  await sell(offerId, PURCHASES);
  await heal(faults);
  await advance(shop.app, shop.app.test.scope, DAY_MS);
  expect(await statusesOf('one_time')).toEqual(['PAID']);
  expect(await compareBooks()).toBe(PURCHASES);
  tellFigures('P22', { purchases: PURCHASES, paid: PURCHASES });
});

it('a renewal that nobody answers anything about goes on at once when its processor is well again', async () => {
  const planId = await makePlanOffer(shop.app.test, { ...EUROS, price: 900 });
  await sell(planId, 1);
  const fault = await addFault(CONFIRM, { status: 429, code: 'lock_timeout' });
  await advance(shop.app, shop.app.test.scope, 32 * DAY_MS);
  const read = () =>
    shop.app.service.db
      .selectFrom('charges')
      .select(['status', 'lookCount', 'silentLooks'])
      .where('connectionId', '=', shop.processorId)
      .where('offSession', '=', true)
      .execute();
  // Each look found that nothing was tried, and asked for it once more: none of them is one of those that count.
  const [waiting] = await read();
  expect(waiting).toMatchObject({ status: 'pending', lookCount: 1 });
  expect(waiting?.silentLooks).toBe(3);
  await heal([fault]);
  const { service, test, wired } = shop.app;
  await wired.worker.runDue();
  expect(await read()).toMatchObject([{ status: 'pending' }]);
  const to = (state: 'degraded' | 'ok') =>
    noteHealth(service, test.scope, { id: shop.processorId, to: state, reason: null });
  await to('degraded');
  await to('ok');
  await wired.worker.runDue();
  expect(await read()).toMatchObject([{ status: 'succeeded' }]);
});

it('P23 an answer lost just behind the moment at which its processor was found well is asked for a minute later', async () => {
  const planId = await makePlanOffer(shop.app.test, { ...EUROS, price: 900 });
  await sell(planId, 1);
  const fault = await addFault(CONFIRM, { status: 429, code: 'lock_timeout' });
  await advance(shop.app, shop.app.test.scope, 32 * DAY_MS);
  const { test, wired, service } = shop.app;
  const to = (state: 'degraded' | 'ok') =>
    noteHealth(service, test.scope, { id: shop.processorId, to: state, reason: null });
  await to('degraded');
  await to('ok');
  // What was on its way then has no answer either, though nobody had one for a month.
  await wired.worker.runDue();
  await heal([fault]);
  await advance(shop.app, test.scope, MINUTE_MS);
  expect(await statusesOf('subscription_interval')).toEqual(['PAID']);
});

it('P23 asking for a charge once more without an answer is no look that counts: the next one comes within the hour', async () => {
  const planId = await makePlanOffer(shop.app.test, { ...EUROS, price: 900 });
  await sell(planId, 1);
  const fault = await addFault(CONFIRM, { status: 429, code: 'lock_timeout' });
  const { test, wired, service } = shop.app;
  const { rows: ends } = await service.pool.query<{ end: number }>(
    'select max(current_interval_end)::float as end from subscriptions',
  );
  const nowMs = Number(ends[0]?.end) + 1_000;
  await jumpClock(service.db, test.scope, nowMs);
  await wired.worker.runDue();
  const { rows } = await service.pool.query<{ id: string }>(
    `select id from payments where status = 'PENDING' and type = 'subscription_interval'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (let n = 0; n < 4; n += 1)
    for (const { id } of rows) await resumeStoredCharge({ ...service, nowMs }, test.scope, id);
  await heal([fault]);
  await advance(shop.app, test.scope, 2 * HOUR_MS);
  expect(await statusesOf('subscription_interval')).toEqual(['PAID']);
});

it('P27 a renewal that Stripe finds wrongly asked for stays pending, and is asked for once a day', async () => {
  const planId = await makePlanOffer(shop.app.test, { ...EUROS, price: 900 });
  await sell(planId, 1);
  const fault = await addFault(CONFIRM, { status: 400, code: 'parameter_unknown', effect: false });
  const { test, service } = shop.app;
  const { rows: ends } = await service.pool.query<{ end: number }>(
    'select max(current_interval_end)::float as end from subscriptions',
  );
  const dueMs = Number(ends[0]?.end);
  const moveTo = (hours: number) => service.clock.advance(test.scope, dueMs + hours * HOUR_MS);
  /** Of the last renewal: those of the tests before have been due for longer. */
  const countAsked = async () => {
    const { calls } = await shop.double.control<{
      calls: Array<{ endpoint: string; key: string | null; count: number }>;
    }>(`GET /books?account=${shop.account.id}`);
    const { rows } = await service.pool.query<{ id: string }>(
      `select id from charges where off_session and status = 'pending' order by created_at desc limit 1`,
    );
    const asked = calls.filter(({ endpoint }) => endpoint === `${CONFIRM.method} ${CONFIRM.path}`);
    const countOf = (id: string) =>
      asked.filter(({ key }) => key?.startsWith(id)).reduce((sum, { count }) => sum + count, 0);
    return rows.map(({ id }) => countOf(id));
  };
  await moveTo(23);
  expect(await countAsked()).toEqual([1]);
  await moveTo(47);
  expect(await countAsked()).toEqual([2]);
  await heal([fault]);
  await moveTo(72);
  expect(await statusesOf('subscription_interval')).toEqual(['PAID']);
});

it('and when somebody asks whether it is well', async () => {
  const planId = await makePlanOffer(shop.app.test, { ...EUROS, price: 900 });
  await sell(planId, 1);
  const fault = await addFault(CONFIRM, { status: 429, code: 'lock_timeout' });
  await advance(shop.app, shop.app.test.scope, 32 * DAY_MS);
  await heal([fault]);
  const { test, wired } = shop.app;
  expect((await test.post(`/v0/processors/${shop.processorId}/check`, {})).status).toBe(200);
  await wired.worker.runDue();
  expect(await statusesOf('subscription_interval')).toEqual(['PAID']);
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { recordMrrMovement } from '../../src/flows/reports/record-mrr-movement.ts';
import { PAYS_ONCE } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { overviewOf } from '../support/figures.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
useShop((made) => {
  app = made;
  plans = createPlanOperations(app);
});

const pass = (days: number) => advance(app, app.test.scope, days * DAY_MS);
let count = 0;
const buyer = (fields = {}) => {
  count += 1;
  return { userEmail: `buyer-${count}@example.com`, ...fields };
};
const act = (subscribed: Subscribed, verb: string, body?: unknown) =>
  app.test.patch(`/v0/subscriptions/${subscribed.number}/${verb}`, body);

async function movementsOf({ id }: Subscribed): Promise<string[]> {
  const rows = await app.service.db
    .selectFrom('mrrMovements')
    .select(['kind', 'delta', 'after', 'eventId'])
    .where(inScope(app.test.scope))
    .where('subscriptionId', '=', id)
    .orderBy('position')
    .execute();
  expect(rows.every(({ eventId }) => eventId !== null)).toBe(true);
  return rows.map(({ kind, delta, after }) => `${kind} ${delta} ${after}`);
}

async function overview() {
  const to = String((await plans.now()) + 1);
  return overviewOf(app.test, { from: '0', to, currency: 'EUR' });
}

/** A plan of two editions, of 10.00 and of 25.00 a month. */
async function makeEditions(): Promise<{ small: string; large: string }> {
  const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
  const monthly = { productId, recurringInterval: 'month', recurringIntervalCount: 1 };
  const small = await makeOffer(app.test, { ...monthly, price: 1000 });
  return { small, large: await makeOffer(app.test, { ...monthly, price: 2500 }) };
}

describe('D41 recurring revenue', () => {
  it('D41 goes on from one movement to the next, also where a change began before the one it waited for', async () => {
    const { small } = await makeEditions();
    const { id: subscriptionId } = await subscribe(app, small, buyer());
    const times: number[] = [];
    const takenBack = inTransaction(app.service.db, async (tx) => {
      const scope = app.test.scope;
      const movements = tx.selectFrom('mrrMovements').select('at').where(inScope(scope)).orderBy('position');
      const list = () => movements.where('subscriptionId', '=', subscriptionId).execute();
      const at = (await list())[0]?.at ?? 0;
      await sql`update subscription_items set quantity = 2 where subscription_id = ${subscriptionId}`.execute(
        tx,
      );
      await recordMrrMovement(scope, { tx, subscriptionId, at: at - 2, eventId: null });
      times.push(...(await list()).map((one) => one.at));
      throw new Error('taken back');
    });
    await expect(takenBack).rejects.toThrow('taken back');
    expect(times).toEqual([times[0], times[0]]);
  });

  it.each([
    ['120.00 a year', { price: 12_000, recurringInterval: 'year' }, 1000],
    ['10.00 a week', { price: 1000, recurringInterval: 'week' }, 4345],
    ['11.90 a month inclusive of 19 %', { price: 1190, taxBehavior: 'inclusive' }, 1000],
  ])('D41 of %s is its net price of a month', async (_what, fields, expected) => {
    const before = (await overview()).mrr ?? 0;
    const subscribed = await subscribe(app, await makePlanOffer(app.test, fields), buyer());
    expect(await movementsOf(subscribed)).toEqual([`new ${expected} ${expected}`]);
    const { mrr, arr } = await overview();
    expect(mrr).toBe(before + expected);
    expect(arr).toBe(12 * (before + expected));
  });

  it('D41 is the sum of its movements after a year, each of its kind', { timeout: 120_000 }, async () => {
    const start = await overview();
    const { small, large } = await makeEditions();
    const changing = await subscribe(app, small, buyer());
    const pausing = await subscribe(app, small, buyer());
    const leaving = await subscribe(app, small, { userEmail: 'back@example.com' });
    const owing = await subscribe(app, small, buyer({ card: PAYS_ONCE }));
    const trying = await subscribe(
      app,
      await makePlanOffer(app.test, { price: 700, trialInterval: 'day', trialIntervalCount: 14 }),
      buyer(),
    );
    await pass(40);
    expect((await plans.update(changing, { items: [{ offerId: large }] })).status).toBe(200);
    expect((await act(pausing, 'pauseCollection', { invoicingBehavior: 'void' })).status).toBe(200);
    await pass(30);
    expect((await act(leaving, 'cancel')).status).toBe(200);
    await pass(60);
    expect((await plans.update(changing, { items: [{ offerId: small }] })).status).toBe(200);
    expect((await act(pausing, 'resume')).status).toBe(200);
    expect((await show(app, owing)).status).toBe('unpaid');
    await pass(60);
    const returning = await subscribe(app, small, { userEmail: 'back@example.com' });
    await plans.withCard(owing, '4242424242424242');
    await app.wired.worker.runDue();
    await pass(200);

    expect(await movementsOf(changing)).toEqual([
      'new 1000 1000',
      'expansion 1500 2500',
      'contraction -1500 1000',
    ]);
    expect(await movementsOf(pausing)).toEqual(['new 1000 1000', 'paused -1000 0', 'resumed 1000 1000']);
    expect(await movementsOf(leaving)).toEqual(['new 1000 1000', 'churn -1000 0']);
    expect(await movementsOf(returning)).toEqual(['reactivation 1000 1000']);
    expect(await movementsOf(owing)).toEqual(['new 1000 1000', 'churn -1000 0', 'reactivation 1000 1000']);
    expect(await movementsOf(trying)).toEqual(['new 700 700']);

    const end = await overview();
    const since = (metric: keyof typeof end) => (end[metric] ?? 0) - (start[metric] ?? 0);
    expect(since('mrr')).toBe(4700);
    expect(since('activeSubscriptions')).toBe(5);
    const kinds = [
      'New',
      'Expansion',
      'Contraction',
      'Churn',
      'Reactivation',
      'Paused',
      'Resumed',
      'Imported',
    ];
    const sum = kinds.reduce((total, kind) => total + (end[`mrr${kind}` as 'mrrNew'] ?? 0), 0);
    expect(end.mrr).toBe(sum);
    const { rows } = await app.service.pool.query('select sum(delta)::int as sum from mrr_movements');
    expect(rows[0].sum).toBe(sum);
  });

  it('D41 counts what was lost against what stood at the beginning', async () => {
    const from = await plans.now();
    const before = await overview();
    const lost = await subscribe(app, await makePlanOffer(app.test, { price: 1000 }), buyer());
    await pass(1);
    const middle = await plans.now();
    await act(lost, 'cancel');
    const to = String((await plans.now()) + 1);
    const shown = await overviewOf(app.test, { from: String(middle), to, currency: 'EUR' });
    const standing = (before.activeSubscriptions ?? 0) + 1;
    expect(shown.subscriberChurnRate).toBe(Math.round(1e6 / standing) / 1e6);
    expect(shown.mrrChurnRate).toBe(Math.round((1000 * 1e6) / ((before.mrr ?? 0) + 1000)) / 1e6);
    expect(from).toBeLessThan(middle);
  });
});

/** A store from before: its books are opened by the migration, at what its subscriptions bring then. */
describe('the books of a store from before', () => {
  it('D41 are opened at what its subscriptions bring, and figures of the time before are not known', async () => {
    const { service, test } = app;
    const before = await overview();
    expect(before.mrr).toBeGreaterThan(0);
    const { readFile } = await import('node:fs/promises');
    const path = new URL('../../src/db/migrations/0051_mrr_movements.sql', import.meta.url);
    const text = await readFile(path, 'utf8');
    const opening = text.slice(text.indexOf('with recurring as'));
    const terms = { type: 'code', amount: 12.5, amountType: 'percentage', duration: 'forever' };
    const fixed = { type: 'code', amount: 777, amountType: 'fixed', currency: 'EUR', duration: 'forever' };
    for (const [discountCode, fields] of [
      ['SHARE', terms],
      ['OFF', fixed],
    ] as const) {
      const made = await test.post('/v0/discounts/create', {
        ...fields,
        discountCode,
        includesAllOffers: true,
      });
      expect(made.status, made.text).toBe(200);
      const offerId = await makePlanOffer(test, { price: 1999, taxBehavior: 'inclusive' });
      await subscribe(app, offerId, { discountCode, ...buyer() });
    }
    const live = await overview();
    const beforeMs = await plans.now();
    await service.pool.query(
      `begin; set local counterfoil.purge = '${test.scope.workspaceId}'; delete from mrr_movements; ${opening} commit`,
    );
    const early = await overviewOf(test, { from: '0', to: String(beforeMs), currency: 'EUR' });
    const { mrr, activeSubscriptions, mrrNew, subscriberChurnRate } = early;
    expect([mrr, activeSubscriptions, mrrNew, subscriberChurnRate]).toEqual([null, null, null, null]);
    expect(early.orders).toBeGreaterThan(0);
    await pass(1);
    const later = await overview();
    expect(later.mrr).toBe(live.mrr);
    expect(later.activeSubscriptions).toBe(live.activeSubscriptions);
    expect(later.mrrNew).toBeNull();
  });
});

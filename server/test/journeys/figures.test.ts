import { describe, expect, it } from 'vitest';
import { closeFigures } from '../../src/worker/upkeep.ts';
import { buy } from '../support/buying.ts';
import { DECLINED, DISPUTED, PAYS_ONCE } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectRowsToAddUp, overviewOf, rowsOf } from '../support/figures.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
useShop((made) => {
  app = made;
  plans = createPlanOperations(app);
});

const pass = (ms: number) => advance(app, app.test.scope, ms);
const ALL = { from: '0', currency: 'EUR' };
const allTime = async () => ({ ...ALL, to: String((await plans.now()) + 1) });
let count = 0;
const buyer = (fields = {}) => {
  count += 1;
  return { userEmail: `buyer-${count}@example.com`, ...fields };
};
const countries = ['DE', 'FR', 'AT'];

/** Sales of every kind over half a year: renewals, refunds, a lost dispute, declines, a recovered one, trials. */
async function sellHalfAYear(): Promise<void> {
  const single = await makeOffer(app.test);
  const monthly = await makePlanOffer(app.test, { price: 1190, taxBehavior: 'inclusive' });
  const trial = await makePlanOffer(app.test, { price: 500, trialInterval: 'day', trialIntervalCount: 7 });
  const free = await makeOffer(app.test, { price: 0, freeProduct: true });
  const orders = [];
  for (let month = 0; month < 6; month += 1) {
    for (const countryCode of countries) {
      const { body } = await buy(app.test, {
        offersIds: [single],
        ...buyer({ billingDetails: { countryCode } }),
      });
      orders.push(body.data.order);
    }
    await buy(app.test, { offersIds: [single], userEmail: 'again@example.com' });
    await pass(31 * DAY_MS);
    if (month === 0) {
      await subscribe(app, monthly, buyer());
      await subscribe(app, monthly, { card: PAYS_ONCE, ...buyer() });
      await subscribe(app, trial, buyer());
      const left = await subscribe(app, trial, buyer());
      await app.test.patch(`/v0/subscriptions/${left.number}/cancel`);
      await buy(app.test, { offersIds: [free], ...buyer() });
      await buy(app.test, { offersIds: [single], card: DECLINED, ...buyer() });
      await buy(app.test, { offersIds: [single], card: DISPUTED, ...buyer() });
    }
  }
  await app.test.post(`/v0/orders/${orders[0].id}/refunds`, {});
  await app.test.post(`/v0/orders/${orders[1].id}/refunds`, { amount: 500 });
}

describe('figures after half a year of sales', () => {
  it('D40 are what their rows come to, and what the books say', { timeout: 120_000 }, async () => {
    await sellHalfAYear();
    const query = await allTime();
    await expectRowsToAddUp(app.test, query);
    const values = await overviewOf(app.test, query);
    const { body } = await app.test.get('/v0/ledger/balances');
    const balanceOf = (account: string) =>
      body.data.balances.find(
        (one: { account: string; currency: string }) => one.account === account && one.currency === 'EUR',
      ).balance;
    const left = -(balanceOf('sales') + balanceOf('refunds') + balanceOf('fees'));
    expect(values.netVolume).toBe(left);
    expect(values.taxCollected).toBe(-balanceOf('tax_payable'));
    expect(values).toMatchObject({
      orders: 29,
      newCustomers: 24,
      accountFees: null,
      checkoutConversion: null,
    });
    expect(values.disputeRate).toBeGreaterThan(0);
    expect(values.recoveredRate).toBe(0);
    // One was taken on, the other one left in its trial.
    expect(values.trialConversion).toBe(0.5);

    const dollars = await overviewOf(app.test, { ...query, currency: 'USD' });
    expect(dollars).toMatchObject({ grossVolume: 0, orders: 0, mrr: 0, averageOrderValue: null });
    await expectRowsToAddUp(app.test, { ...query, currency: 'USD' });
  });

  it('D40 are the same by buckets, by groups, and once their quarter hours are summed up', async () => {
    const { to } = await allTime();
    const from = String(Number(to) - 200 * DAY_MS);
    const metrics = ['grossVolume', 'refunds', 'netVolume', 'orders', 'mrr', 'failedPaymentRate'];
    const query = { from, to, metrics, interval: 'week', currency: 'EUR', timezone: 'Asia/Kathmandu' };
    const series = async (fields = {}) =>
      (await app.test.get('/v0/reports/timeseries', { query: { ...query, ...fields } })).body.data.series;
    const live = await series();
    const liveOverview = await overviewOf(app.test, { from, to, currency: 'EUR' });
    for (const { metric, points } of live.slice(0, 4)) {
      const sum = points.reduce((total: number, { value }: { value: number }) => total + value, 0);
      expect(sum, metric).toBe(liveOverview[metric as 'orders']);
      const some = points.find(({ value }: { value: number }) => value !== 0);
      const { total } = await rowsOf(app.test, {
        metric,
        currency: 'EUR',
        from: String(some.from),
        to: String(some.to),
      });
      expect(total, metric).toBe(some.value);
    }
    for (const groupBy of ['country', 'type']) {
      const groups = await series({ groupBy, metrics: ['grossVolume', 'orders'] });
      expect(groups.length).toBeGreaterThan(4);
      const sum = groups
        .filter(({ metric }: { metric: string }) => metric === 'grossVolume')
        .flatMap(({ points }: { points: Array<{ value: number }> }) => points.map(({ value }) => value))
        .reduce((total: number, value: number) => total + value, 0);
      expect(sum).toBe(liveOverview.grossVolume);
    }
    const ofFrance = { metric: 'grossVolume', groupBy: 'country', group: 'FR', from, to, currency: 'EUR' };
    const { rows, total } = await rowsOf(app.test, ofFrance);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    expect(total).toBeGreaterThan(0);

    // Days of UTC, quarter hours beside them, and both told apart.
    const manners = [
      { interval: 'month', timezone: 'Europe/Berlin' },
      { interval: 'day', timezone: 'UTC' },
      { interval: 'day', timezone: 'America/St_Johns' },
    ].flatMap((manner) => [
      manner,
      ...['country', 'type'].map((groupBy) => ({
        ...manner,
        ...{
          groupBy,
          metrics: ['grossVolume', 'netVolume', 'orders', 'newCustomers', 'averageOrderValue', 'refundRate'],
        },
      })),
    ]);
    const readAll = async () => {
      const read = [];
      for (const manner of manners) read.push(await series(manner));
      return read;
    };
    const all = await readAll();
    expect(await closeAll()).toBeGreaterThan(0);
    expect(await series()).toEqual(live);
    expect(await readAll()).toEqual(all);
    expect((await rowsOf(app.test, ofFrance)).total).toBe(total);
    expect(await overviewOf(app.test, { from, to, currency: 'EUR' })).toEqual(liveOverview);
    await expectRowsToAddUp(app.test, await allTime());
  });

  it('counts what was recovered to the moment of its first decline', { timeout: 60_000 }, async () => {
    const before = String(await plans.now());
    const weekly = await makePlanOffer(app.test, { price: 700, recurringInterval: 'week' });
    const late = await subscribe(app, weekly, { card: PAYS_ONCE, ...buyer() });
    await subscribe(app, weekly, { card: PAYS_ONCE, ...buyer() });
    await pass(7 * DAY_MS + 3_600_000);
    const declined = { from: before, to: String(await plans.now()), currency: 'EUR' };
    // The buyer's new card.
    await app.service.pool.query(
      `update payment_methods set reference = 'card_visa'
       where id = (select payment_method_id from subscriptions where id = $1)`,
      [late.id],
    );
    expect(await overviewOf(app.test, declined)).toMatchObject({ recoveredRate: 0 });
    await pass(3 * DAY_MS);
    const { failedPaymentRate, recoveredRate } = await overviewOf(app.test, declined);
    const { rows } = await rowsOf(app.test, { ...declined, metric: 'failedPaymentRate' });
    const count = (part: string) => rows.filter((row) => row.part === part).length;
    expect(failedPaymentRate).toBe(
      Math.round((count('numerator') / count('denominator')) * 1_000_000) / 1_000_000,
    );
    // Of the two, and of one of before that is declined each month, and stays so.
    expect(recoveredRate).toBe(Math.round(1_000_000 / count('numerator')) / 1_000_000);
    const later = { from: declined.to, to: String((await plans.now()) + 1), currency: 'EUR' };
    expect((await overviewOf(app.test, later)).recoveredRate ?? 0).toBe(0);
    await expectRowsToAddUp(app.test, declined);
  });
});

/** As the upkeep does for a store that sells much more. */
async function closeAll(): Promise<number> {
  return closeFigures(app.service.db, new AbortController().signal, { paymentsMin: 1, paymentsMax: 20 });
}

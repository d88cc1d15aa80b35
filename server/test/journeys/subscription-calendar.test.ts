import { describe, expect, it } from 'vitest';
import { listTaken } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import {
  listPeriods,
  listSteps,
  putToRest,
  type Subscribed,
  show,
  subscribe,
} from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

/** Moves the clock to a moment of the calendar that lies ahead. */
async function goTo(date: string): Promise<void> {
  const { body } = await app.test.get('/v0/test-clock');
  await advance(app, app.test.scope, Date.parse(date) - body.data.testClock.now);
}

async function startOf(fields: Record<string, unknown>, card = '4242424242424242'): Promise<Subscribed> {
  const offerId = await makePlanOffer(app.test, { price: 1000, ...fields });
  return subscribe(app, offerId, { card, userEmail: `${Math.random()}@example.com` });
}

const datesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ periodStart }) =>
    new Date(periodStart ?? 0).toISOString().slice(0, 10),
  );

describe('the calendar of a subscription', () => {
  it('T12 bills a monthly one from 31 January on the last day of each month for five years, without drift', async () => {
    await goTo('2027-01-31T10:00:00Z');
    const subscribed = await startOf({});
    await goTo('2032-02-01T00:00:00Z');
    const dates = await datesOf(subscribed);
    expect(dates).toHaveLength(60);
    expect(dates.slice(0, 4)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
    expect(dates.filter((date) => date.slice(5, 7) === '02')).toEqual([
      '2027-02-28',
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
    ]);
    const lastDays = dates.map((date) => new Date(Date.parse(date) + DAY_MS).getUTCDate());
    expect(new Set(lastDays)).toEqual(new Set([1]));
  });

  it('T12 bills a yearly one from 29 February on the 28th, and on the 29th of leap years', async () => {
    await goTo('2032-02-29T10:00:00Z');
    const subscribed = await startOf({ recurringInterval: 'year' });
    await goTo('2036-03-01T00:00:00Z');
    expect(await datesOf(subscribed)).toEqual(['2033-02-28', '2034-02-28', '2035-02-28', '2036-02-29']);
  });

  it('begins with the end of a trial, which is no period', async () => {
    await goTo('2036-05-17T10:00:00Z');
    const subscribed = await startOf({ trialInterval: 'day', trialIntervalCount: 14 });
    await goTo('2036-08-30T00:00:00Z');
    expect(await datesOf(subscribed)).toEqual(['2036-05-31', '2036-06-30', '2036-07-31']);
    expect((await listSteps(app, subscribed)).slice(0, 6)).toEqual([
      'subscription_created incomplete',
      'subscription_updated trialing',
      'payment_success trialing',
      'payment_success active',
      'subscription_interval active',
      'subscription_updated active',
    ]);
  });

  it('T13 follows UTC on the days on which clocks are changed, whatever the time zone of the process', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      await goTo('2037-03-07T07:30:00Z');
      const spring = await startOf({ recurringInterval: 'day' });
      await goTo('2037-03-10T08:00:00Z');
      await putToRest(app);
      await goTo('2037-10-31T05:30:00Z');
      const autumn = await startOf({ recurringInterval: 'day' });
      await goTo('2037-11-03T08:00:00Z');
      for (const subscribed of [spring, autumn]) {
        const periods = await listPeriods(app, subscribed);
        expect(periods).toHaveLength(3);
        for (const { periodStart, periodEnd } of periods) {
          expect((periodEnd ?? 0) - (periodStart ?? 0)).toBe(DAY_MS);
        }
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

describe('a card whose outcome is not known for two minutes', () => {
  it('is charged once for each period, and its payment is pending until the processor knows', async () => {
    const before = (await listTaken(app)).length;
    const subscribed = await startOf({}, '4000000000000119');
    await advance(app, app.test.scope, 5 * 60_000);
    expect((await show(app, subscribed)).status).toBe('active');
    const { currentIntervalEnd } = await show(app, subscribed);
    await goTo(new Date(currentIntervalEnd + 60_000).toISOString());
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PENDING' }]);
    await advance(app, app.test.scope, 65 * DAY_MS);
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual([
      'PAID',
      'PAID',
      'PAID',
    ]);
    expect(await listTaken(app)).toHaveLength(before + 4);
  });
});

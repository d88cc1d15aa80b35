/** What became of checkouts: exact counts, made by pages that somebody looks at, and nothing kept of who that was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepSessions } from '../../src/worker/sweeps.ts';
import { card, openPage } from '../support/buying.ts';
import { DECLINED } from '../support/cards.ts';
import { DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { newEmail } from '../support/stranger.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const today = () => Math.floor(Date.now() / DAY_MS);
/** Days on either side: a test may run over midnight. */
const window = () => ({ from: String((today() - 1) * DAY_MS), to: String((today() + 2) * DAY_MS) });

const report = async (query: Record<string, string>) =>
  (await app.test.get('/v0/reports/checkouts', { query: { ...window(), ...query } })).body.data;

const NOTHING = { viewed: 0, started: 0, submitted: 0, declined: 0, paid: 0, value: 0 };

/** Twenty visits: a quarter only looks, and so on. */
async function visit(offerId: string): Promise<void> {
  const open = () => openPage(app, `/checkout/${offerId}`);
  for (let count = 0; count < 5; count += 1) {
    await (await open()).quote({ email: '' });
    await (await open()).quote({ email: newEmail() });
    await (await open()).submit({ email: newEmail(), card: card(DECLINED) });
    const buying = await open();
    const email = newEmail();
    // However often the page asks, it is one visit.
    await buying.quote({ email });
    await buying.quote({ email, city: 'Berlin' });
    await buying.submit({ email });
  }
}

describe('S47 the report of checkouts', () => {
  it('S47 counts 20 visits exactly, and 30 HEADs not at all, without a cookie', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    await visit(offerId);
    for (let count = 0; count < 30; count += 1) {
      const led = await app.app.inject({ method: 'HEAD', url: `/checkout/${offerId}` });
      const location = String(led.headers.location);
      const page = await app.app.inject({ method: count % 2 ? 'HEAD' : 'GET', url: location });
      expect([led.headers['set-cookie'], page.headers['set-cookie']]).toEqual([undefined, undefined]);
    }
    const counts = { viewed: 20, started: 15, submitted: 10, declined: 5, paid: 5, value: 5 * 1190 };
    const { currency, rows } = await report({ offersIds: offerId, groupBy: 'frame' });
    expect(currency).toBe('EUR');
    expect(rows).toEqual([{ date: null, frame: 'page', ...counts }]);
    const byDate = (await report({ offersIds: offerId, groupBy: 'date' })).rows;
    expect(byDate[0]).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), frame: null });
  });

  it('S47 tells frames and checkouts apart', async () => {
    const [offerId, other] = [await makeOffer(app.test), await makeOffer(app.test)];
    const element = { offersIds: [offerId] };
    const { checkoutElement } = (await app.test.post('/v0/elements/checkout/create', element)).body.data;
    await (await openPage(app, `/checkout/${offerId}`)).quote({ frame: 'overlay' });
    await (await openPage(app, `/checkout/${other}`)).quote();
    await (await openPage(app, `/checkout-element/${checkoutElement.id}`)).quote({ frame: 'embed' });
    const framesOf = async (query: Record<string, string>) =>
      (await report({ groupBy: 'frame', ...query })).rows.map(({ frame }: { frame: string }) => frame);
    expect(await framesOf({ offersIds: offerId })).toEqual(['overlay']);
    expect(await framesOf({ offersIds: `${offerId},${other}` })).toEqual(['overlay', 'page']);
    expect(await framesOf({ checkoutIds: checkoutElement.id })).toEqual(['embed']);
  });

  it('S47 counts a checkout that the merchant prepared once somebody looks at it', async () => {
    const offerId = await makeOffer(app.test);
    const body = { offersIds: [offerId], email: newEmail() };
    const { checkoutSession } = (await app.test.post('/v0/checkout-sessions/create', body)).body.data;
    expect((await report({ offersIds: offerId })).rows).toEqual([]);
    const path = `/checkout-sessions/${new URL(checkoutSession.url).pathname.split('/').at(-1)}`;
    await app.test.request('POST', `${path}/quote`, { keys: 'none', body: { email: body.email } });
    expect((await report({ offersIds: offerId, groupBy: 'frame' })).rows).toEqual([
      { date: null, frame: 'page', ...NOTHING, viewed: 1, started: 1 },
    ]);
  });

  it('S47 keeps the counts of sessions that are gone', async () => {
    const offerId = await makeOffer(app.test);
    for (const email of ['', newEmail(), newEmail()]) {
      await (await openPage(app, `/checkout/${offerId}`)).quote({ email });
    }
    const before = await report({ offersIds: offerId });
    expect(before.rows).toMatchObject([{ viewed: 3, started: 2 }]);
    await app.service.db
      .updateTable('checkoutSessions')
      .set((eb) => ({ writtenRealMs: eb('writtenRealMs', '-', 9 * DAY_MS) }))
      .where('orderId', 'is', null)
      .execute();
    expect(await sweepSessions(app.service.db, new AbortController().signal)).toBeGreaterThanOrEqual(3);
    expect(await report({ offersIds: offerId })).toEqual(before);
  });

  it('S47 refuses more days than it tells apart', async () => {
    const query = { from: '0', to: String(today() * DAY_MS) };
    await expectRefusal(app.test.get('/v0/reports/checkouts', { query }), 400, 'invalid_input');
    const summed = { ...query, groupBy: 'frame' };
    expect((await app.test.get('/v0/reports/checkouts', { query: summed })).status).toBe(200);
  });
});

describe('S47 the share of checkouts that were paid', () => {
  it('S47 is told by days, with the orders that it is made of, and for no hour', async () => {
    const shop = await createTestApp();
    try {
      const offerId = await makeOffer(shop.test, { price: 1000 });
      const emails = [newEmail(), newEmail(), newEmail(), newEmail()];
      for (const email of emails) await (await openPage(shop, `/checkout/${offerId}`)).quote({ email });
      await (await openPage(shop, `/checkout/${offerId}`)).submit({ email: newEmail() });
      const query = { ...window(), currency: 'EUR', timezone: 'UTC' };
      const overview = (await shop.test.get('/v0/reports/overview', { query })).body.data.metrics;
      const own = overview.find(({ metric }: { metric: string }) => metric === 'checkoutConversion');
      expect(own).toMatchObject({ unit: 'ratio', value: 0.2 });
      const rows = { ...query, metric: 'checkoutConversion' };
      const behind = (await shop.test.get('/v0/reports/rows', { query: rows })).body.data;
      expect(behind).toMatchObject({ total: 1, rows: [{ object: 'order', part: 'numerator', amount: 1 }] });
      const pointsOf = async (interval: string) => {
        const asked = { ...query, metrics: 'checkoutConversion', interval };
        const { series } = (await shop.test.get('/v0/reports/timeseries', { query: asked })).body.data;
        return series[0].points.map(({ value }: { value: number | null }) => value);
      };
      expect((await pointsOf('day')).filter((value: number | null) => value !== null)).not.toEqual([]);
      expect((await pointsOf('hour')).filter((value: number | null) => value !== null)).toEqual([]);
    } finally {
      await shop.close();
    }
  });
});

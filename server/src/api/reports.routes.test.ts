import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { jumpClock } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

import { METRIC_NAMES } from '../domain/figures/metrics.ts';

let app: TestApp;
let offerId: string;
/** A Saturday in winter, and the evenings after it. */
const START_MS = Date.UTC(2040, 0, 7);
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test, { price: 1000 });
});
afterAll(() => app.close());

async function sellAt(atMs: number): Promise<void> {
  await jumpClock(app.service.db, app.test.scope, atMs);
  const { body } = await buy(app.test, { offersIds: [offerId] });
  expect(body.data.order.status).toBe('PAID');
}

const WINDOW = { from: String(START_MS), to: String(START_MS + 96 * HOUR_MS) };
const ask = (name: string, query: Record<string, string | string[]> = {}, keys?: 'public') =>
  app.test.get(`/v0/reports/${name}`, { query: { ...WINDOW, ...query }, ...(keys ? { keys } : {}) });

async function daysOf(timezone: string): Promise<number[]> {
  const { body } = await ask('timeseries', { metrics: 'orders', interval: 'day', timezone });
  expect(body.data.timezone).toBe(timezone);
  return body.data.series[0].points.map(({ value }: { value: number }) => value);
}

describe('GET /v0/reports/timeseries', () => {
  it('D43 counts an evening to the day that it is in the zone', async () => {
    // 23:30 and 18:20 UTC; the window begins at midnight UTC, an hour into the day of Berlin.
    await sellAt(START_MS + 18 * HOUR_MS + 20 * 60_000);
    await sellAt(START_MS + 23 * HOUR_MS + 30 * 60_000);
    // A day that has not begun is not known.
    expect(await daysOf('UTC')).toEqual([2, null, null, null]);
    expect(await daysOf('Europe/Berlin')).toEqual([1, 1, null, null, null]);
    expect(await daysOf('Asia/Kathmandu')).toEqual([0, 2, null, null, null]);
    expect(await daysOf('+05:45')).toEqual([0, 2, null, null, null]);
  });

  it('D42 says which bucket is not over, and which the window has cut', async () => {
    await jumpClock(app.service.db, app.test.scope, START_MS + 30 * HOUR_MS);
    const { body } = await ask('timeseries', {
      metrics: 'grossVolume',
      interval: 'day',
      timezone: 'Europe/Berlin',
    });
    const [series] = body.data.series;
    expect(series).toMatchObject({ metric: 'grossVolume', unit: 'minor', currency: 'EUR', group: null });
    expect(series.points.map(({ complete }: { complete: boolean }) => complete)).toEqual([
      ...[false, false, false, false, false],
    ]);
    const [cut, second] = series.points;
    expect([cut.from, cut.to]).toEqual([START_MS, START_MS + 23 * HOUR_MS]);
    expect(second).toMatchObject({ from: cut.to, to: cut.to + 24 * HOUR_MS, value: 1190 });
    const inUtc = await ask('timeseries', { metrics: 'grossVolume', interval: 'day' });
    expect(inUtc.body.data.series[0].points[0]).toMatchObject({ complete: true, value: 2380 });
  });

  it('D43 takes the zone of the store where none is asked for', async () => {
    await app.service.pool.query(
      `update stores set settings = settings || '{"timezone": "Asia/Kathmandu"}' where workspace_id = $1 and test_mode`,
      [app.test.scope.workspaceId],
    );
    const { body } = await ask('timeseries', { metrics: 'orders', interval: 'day' });
    expect(body.data.timezone).toBe('Asia/Kathmandu');
    expect(body.data.series[0].points[1].value).toBe(2);
    await app.service.pool.query("update stores set settings = settings - 'timezone'");
  });

  it.each([
    ['interval', { metrics: 'orders', interval: 'hour', to: String(START_MS + 401 * HOUR_MS) }],
    ['interval', { metrics: 'orders', interval: 'minute' }],
    ['metrics', { metrics: 'profit', interval: 'day' }],
    ['metrics', { metrics: 'mrr,arr,orders,fees,refunds,mrrNew,mrrChurn', interval: 'day' }],
    ['groupBy', { metrics: 'mrr', interval: 'day', groupBy: 'country' }],
    ['timezone', { metrics: 'orders', interval: 'day', timezone: 'Mars/Olympus' }],
    ['to', { metrics: 'orders', interval: 'day', to: String(START_MS) }],
    ['currency', { metrics: 'orders', interval: 'day', currency: 'XXX' }],
  ])('refuses a wrong %s', async (name, query) => {
    const { status, body } = await ask('timeseries', query);
    expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    expect(body.error.details[0].path).toContain(name);
  });
});

describe('GET /v0/reports/overview', () => {
  it('shows every metric of the window, beside the window before', async () => {
    const to = START_MS + 24 * HOUR_MS;
    const { body } = await ask('overview', { to: String(to) });
    expect(body.data.compared).toEqual({ from: START_MS - 24 * HOUR_MS, to: START_MS });
    const of = (name: string) => body.data.metrics.find(({ metric }: { metric: string }) => metric === name);
    expect(of('orders')).toEqual({ metric: 'orders', unit: 'count', currency: 'EUR', value: 2, previous: 0 });
    expect(of('averageOrderValue')).toMatchObject({ value: 1190, previous: null });
    const later = await ask('overview', { from: String(to), to: String(to + 24 * HOUR_MS) });
    const orders = later.body.data.metrics.find(({ metric }: { metric: string }) => metric === 'orders');
    expect(orders).toMatchObject({ value: 0, previous: 2 });
    const alone = await ask('overview', { compare: 'none' });
    expect(alone.body.data.compared).toBeNull();
    expect(alone.body.data.metrics[0].previous).toBeNull();
  });

  it('shows another store nothing of it', async () => {
    const { body } = await app.other.get('/v0/reports/overview', { query: { ...WINDOW, currency: 'EUR' } });
    const values = body.data.metrics.map(({ value }: { value: number | null }) => value ?? 0);
    expect(new Set(values)).toEqual(new Set([0]));
  });
});

describe('GET /v0/reports/rows', () => {
  it('lists what a figure is the sum of, newest first', async () => {
    const { body } = await ask('rows', { metric: 'grossVolume', take: '1' });
    expect(body.data).toMatchObject({
      metric: 'grossVolume',
      unit: 'minor',
      currency: 'EUR',
      total: 2380,
      hasMore: true,
    });
    const [row] = body.data.rows;
    expect(row).toMatchObject({ object: 'payment', amount: 1190, part: null });
    expect(row.at).toBeGreaterThanOrEqual(START_MS + 23 * HOUR_MS);
    const next = await ask('rows', { metric: 'grossVolume', take: '1', cursor: body.data.cursor });
    expect(next.body.data).toMatchObject({ total: 2380, hasMore: false, cursor: null });
    expect(next.body.data.rows[0].id).not.toBe(row.id);
  });

  it.each([
    ['cursor', { metric: 'orders', cursor: 'abc' }],
    ['group', { metric: 'orders', group: 'DE' }],
    ['groupBy', { metric: 'mrr', groupBy: 'type' }],
    ['metric', { metric: 'profit' }],
    ['from', { metric: 'orders', from: 'yesterday' }],
  ])('refuses a wrong %s', async (name, query) => {
    const { status, body } = await ask('rows', query);
    expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    expect(body.error.details[0].path).toContain(name);
  });

  it('asks for a currency where the store has none of its own', async () => {
    const query = { ...WINDOW, metric: 'orders' };
    const { status, body } = await app.live.get('/v0/reports/rows', { query });
    expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    expect(body.error.details[0].path).toBe('currency');
  });
});

describe('every report', () => {
  it('D55 asks for the secret key', async () => {
    const queries = {
      overview: {},
      timeseries: { metrics: 'orders', interval: 'day' },
      rows: { metric: 'orders' },
      definitions: {},
    };
    for (const [name, query] of Object.entries(queries)) {
      await expectRefusal(ask(name, query, 'public'), 401, 'secret_key_required');
      expect((await ask(name, query)).status, name).toBe(200);
    }
  });

  it('is explained', async () => {
    const { body } = await app.test.get('/v0/reports/definitions');
    expect(body.data.definitions).toHaveLength(METRIC_NAMES.length);
    const net = body.data.definitions.find(({ metric }: { metric: string }) => metric === 'netVolume');
    expect(net).toMatchObject({ unit: 'minor', kind: 'flow', groupBy: ['type', 'country'] });
  });
});

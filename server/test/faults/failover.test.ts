/** The primary of a store of two hosts is lost under a service that sells, and comes back when another has its place. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrate.ts';
import { compareStore } from '../../src/main/compare-store.ts';
import { EXIT } from '../../src/main/exit-codes.ts';
import { keepBeating } from '../../src/main/process-beat.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { buy, openPage } from '../support/buying.ts';
import { type Cluster, createCluster } from '../support/clusters.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { buildService, findFreePort, spawnService } from './service-process.ts';

/** Even, so that the host that is first in the list has lost its place at the end. */
const ROUNDS = sizeOf(2, 10);
const PACE_MS = 25;
/** From a promotion until sales go through; a machine that is busy with other tests is slow at all it does. */
const BACK_WITHIN_MS = sizeOf(15_000, 2_000);

let dataDir: string;
let receiver: Receiver;
let app: TestApp;
let endBeating: () => Promise<void>;
let url: string;
let offerId: string;
let freeOfferId: string;
/** In the order of the list. */
let first: Cluster;
let second: Cluster;
const lines: string[] = [];

beforeAll(async () => {
  await buildService();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-failover-'));
  receiver = await createReceiver();
  [first, second] = [await createCluster('nothing'), await createCluster('primary')];
  url = `postgres://postgres@127.0.0.1:${first.port},127.0.0.1:${second.port}/shop`;
  await migrate({ connectionString: url });
  const env = {
    DATABASE_URL: url,
    REPORTS_DATABASE_URL: url,
    DATA_DIR: dataDir,
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  };
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  // With the limits of production: who waits for a connection is told in 2 s.
  app = await createTestApp(env, log, { through: async () => url, limits: {} });
  await compareStore(app.service, app.service.config, null);
  endBeating = await keepBeating(app.service, app.wired.witness);
  offerId = await makeOffer(app.test);
  freeOfferId = await makeOffer(app.live, { price: 0, freeProduct: true });
}, 600_000);
afterAll(async () => {
  await endBeating?.();
  await app?.close();
  await receiver?.close();
  for (const one of [first, second]) await one?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) await wait(10);
};

/** Buyers come at a steady pace, whatever becomes of the store; answers how to end it. */
function sell() {
  const lists = { acknowledged: [] as string[], paid: [] as string[], odd: [] as string[] };
  const told = { ...lists, refused: 0, lastGoodMs: 0, longestMs: 0 };
  const running = new Set<Promise<void>>();
  let isOver = false;
  const one = async () => {
    const fromMs = performance.now();
    const { status, headers, body, text } = await buy(app.test, { offersIds: [offerId] });
    told.longestMs = Math.max(told.longestMs, performance.now() - fromMs);
    if (status === 200) {
      const { id, status } = body.data.order;
      told.acknowledged.push(id);
      if (status === 'PAID') told.paid.push(id);
      told.lastGoodMs = performance.now();
    } else if (status === 503 && Number(headers['retry-after']) === 1) told.refused += 1;
    else told.odd.push(`${status} ${text}`);
  };
  const loop = (async () => {
    while (!isOver) {
      const purchase: Promise<void> = one().finally(() => running.delete(purchase));
      running.add(purchase);
      await wait(PACE_MS);
    }
    await Promise.all(running);
  })();
  const end = () => {
    isOver = true;
    return loop;
  };
  return { told, end };
}

const countOrders = async (cluster: Cluster) =>
  (await cluster.query<{ count: number }>('select count(*)::int as count from orders'))[0]?.count;
const readyz = async () => (await app.app.inject('/readyz')).json();
const findLines = (event: string) => lines.filter((line) => line.includes(`"${event}"`));

it('O09 loses nothing that was acknowledged when a primary is killed and its standby promoted', async () => {
  let [primary, standby] = [second, first];
  const { told, end } = sell();
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await standby.follow(primary);
    await primary.setSynchronous(true);
    const before = told.acknowledged.length;
    await until(() => told.acknowledged.length >= before + 5);
    const refused = told.refused;
    await primary.kill();
    await until(() => told.refused > refused);
    await standby.promote();
    const promotedMs = performance.now();
    await until(() => told.lastGoodMs > promotedMs);
    waits.push(Math.round(told.lastGoodMs - promotedMs));
    [primary, standby] = [standby, primary];
  }
  await end();
  tellFigures('O09', {
    rounds: ROUNDS,
    sales: told.acknowledged.length,
    refused: told.refused,
    waits: waits.join(),
  });
  expect(told.odd).toEqual([]);
  expect(Math.max(...waits)).toBeLessThan(BACK_WITHIN_MS);
  // A charge whose answer was lost with the primary is PENDING in the answer, and looked at later.
  const orders = await app.service.db.selectFrom('orders').select(['id', 'status']).execute();
  const statuses = new Map(orders.map(({ id, status }) => [id, status]));
  expect(told.acknowledged.filter((id) => !statuses.has(id))).toEqual([]);
  expect(told.paid.filter((id) => statuses.get(id) !== 'PAID')).toEqual([]);
  await until(() => findLines('store_failover').length > 0);
  expect(await readyz()).toMatchObject({ held: false, store: { timeline: ROUNDS + 1 } });
  await expectInvariants(app);
});

it('O11 writes nothing to a primary of before that comes back first in the list', async () => {
  await first.start();
  expect(await first.query('select pg_is_in_recovery() as "isStandby"')).toEqual([{ isStandby: false }]);
  const [before, sold] = [await countOrders(first), await countOrders(second)];
  await second.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'counterfoil'`,
  );
  await until(async () => (await buy(app.test, { offersIds: [offerId] })).status === 200);
  expect(findLines('store_lower_primary')).toHaveLength(1);
  expect(await countOrders(second)).toBe((sold ?? 0) + 1);

  const beside = await startBeside();
  const isThere = `select exists (select from processes where id = '${beside.service.processId}') as "isThere"`;
  expect([await second.query(isThere), await first.query(isThere)]).toEqual([
    [{ isThere: true }],
    [{ isThere: false }],
  ]);
  await beside.close();

  await second.kill();
  await until(() => findLines('store_stale_primary').length > 0);
  await expectRefusal(buy(app.test, { offersIds: [offerId] }), 503, 'unavailable');
  await expect.poll(readyz).toMatchObject({ status: 'unavailable' });
  const service = spawnService({ port: await findFreePort(), dataDir, databaseUrl: url });
  expect((await service.exited).code, service.output()).toBe(EXIT.unreachable);
  expect(service.output()).toContain(`of timeline ${ROUNDS}, and timeline ${ROUNDS + 1} was written to`);
  expect(await countOrders(first)).toBe(before);
  const beaten = await first.query<{ seen: number }>('select max(beat)::int as seen from processes');
  expect(beaten[0]?.seen).toBeLessThanOrEqual(app.wired.witness.last()?.count ?? 0);
  await second.start();
  await until(async () => (await buy(app.test, { offersIds: [offerId] })).status === 200);
});

/** A process that is started afterwards, on a machine where nobody remembers. */
async function startBeside(): Promise<Wired> {
  const folder = path.join(dataDir, 'beside');
  const config = parseConfig({ DATABASE_URL: url, DATA_DIR: folder, VIES_URL: 'http://127.0.0.1:9' });
  const wired = await wire({ config, store: { connectionString: url }, log: pino({ level: 'silent' }) });
  expect(await compareStore(wired.service, config, null)).toBeNull();
  const end = await keepBeating(wired.service, wired.witness);
  return {
    ...wired,
    close: async () => {
      await end();
      await wired.close();
    },
  };
}

it('O12 exports whole, and shows figures, whatever becomes of the standby for reports', async () => {
  await first.follow(second);
  await second.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'counterfoil'`,
  );
  const window = {
    from: String(Date.now() - 86_400_000),
    to: String(Date.now() + 86_400_000),
    currency: 'EUR',
  };
  const show = async () => {
    const { status, headers, text } = await app.test.get('/v0/reports/overview', { query: window });
    expect(status, text).toBe(200);
    return headers['x-counterfoil-stale'];
  };
  // From the standby, which is asked first as soon as it is there.
  await expect.poll(show).toMatch(/^\d+$/);
  const reading = `select count(*)::int as count from pg_stat_activity where application_name = 'counterfoil'`;
  expect((await first.query<{ count: number }>(reading))[0]?.count).toBeGreaterThan(0);
  await expectWhole();

  await first.query('select pg_wal_replay_pause()');
  expect((await buy(app.test, { offersIds: [offerId] })).status).toBe(200);
  await expectWhole();
  await expect.poll(show).toBeUndefined();
  await first.query('select pg_wal_replay_resume()');
  await expect.poll(show).toMatch(/^\d+$/);

  await first.kill();
  await expectWhole();
  await first.start();
});

/** An export of all orders and one of the store, each made now. */
async function expectWhole(): Promise<void> {
  const { count } =
    (await second.query<{ count: number }>('select count(*)::int as count from orders'))[0] ?? {};
  for (const body of [{ kind: 'list', resource: 'orders', format: 'ndjson' }, { kind: 'store' }]) {
    const made = await app.test.post('/v0/exports/create', body);
    expect(made.status, made.text).toBe(200);
    await app.wired.worker.runDue();
    const shown = await app.test.get(`/v0/exports/${made.body.data.export.id}`);
    expect(shown.body.data.export.status, shown.text).toBe('done');
    if (body.kind === 'list') expect(shown.body.data.export.rows).toBe(count);
  }
}

it('O10 holds a store whose standby was behind when it was promoted, and nothing goes out of it', async () => {
  await second.setSynchronous(false);
  await first.follow(second);
  await app.live.post('/v0/webhooks/create', { url: `${receiver.url}/late`, events: ['payment_success'] });
  const page = await openPage(app, `/checkout/${freeOfferId}`);
  expect((await page.submit({ card: undefined, email: 'late@example.com' })).body.data.checkout.status).toBe(
    'paid',
  );
  const due = `select kind, count(*)::int as count from due_work where not test_mode group by 1 order by 1`;
  const waiting = await second.query(due);
  await expect.poll(() => first.query(due)).toEqual(waiting);
  expect(waiting).toContainEqual({ kind: 'deliver_webhook', count: 1 });
  await second.haltSending();
  const count = app.wired.witness.last()?.count ?? 0;
  await until(() => (app.wired.witness.last()?.count ?? 0) >= count + 2);
  await second.kill();
  await first.promote();
  await until(async () => (await readyz()).held === true);
  await app.wired.worker.runDue();
  expect(receiver.requests).toHaveLength(0);
  expect(await first.query(due)).toEqual(waiting);
  expect(
    await first.query(
      `select distinct status from mails where recipient = 'late@example.com' and not test_mode`,
    ),
  ).toEqual([{ status: 'queued' }]);
  await expectRefusal(
    app.live.post('/v0/products/create', { type: 'SoftwareKey', name: 'New' }),
    503,
    'store_held',
  );
  expect((await buy(app.test, { offersIds: [offerId] })).status).toBe(200);
  const state = await first.query('select held_reason as reason from installation_state');
  expect(state).toEqual([{ reason: 'witness' }]);
});

it('O09 lets go of a primary that says nothing any more when its standby is promoted', async () => {
  await second.follow(first);
  await first.halt();
  const asked = Array.from({ length: 4 }, () => buy(app.test, { offersIds: [offerId] }));
  await second.promote();
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  await until(async () => (await buy(app.test, { offersIds: [offerId] })).status === 200);
  expect(await readyz()).toMatchObject({ status: 'ready', store: { reachable: true } });
});

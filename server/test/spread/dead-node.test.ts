/** A data node that is gone, and comes back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildService } from '../faults/service-process.ts';
import { DAY_MS, jumpClock } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp, type TestStore } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { joinCluster, type TestCluster } from './cluster.ts';
import { type NodeWay, openWay } from './node-way.ts';
import { runSpread } from './spread-command.ts';

interface Shop {
  store: TestStore;
  offerId: string;
  receiver: Receiver;
}

let app: TestApp;
let cluster: TestCluster;
const ways = new Map<string, NodeWay>();
let [here, there]: Shop[] = [];
beforeAll(async () => {
  await buildService();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' }, undefined, {
    through: async (url) => {
      cluster = await joinCluster({ url, drop: async () => {} }, async (node) => {
        const way = await openWay(node);
        ways.set(String(way.port), way);
        return { hostname: '127.0.0.1', port: String(way.port) };
      });
      const own = cluster.urls[0] ?? '';
      expect(await runSpread(own, ['apply', '--yes'])).toMatchObject({ code: 0 });
      return own;
    },
  });
  const first = await portOf(app.test);
  const target = [...ways.keys()].find((port) => port !== first);
  const { workspaceId } = app.other.scope;
  const moved = await runSpread(cluster.urls[0] ?? '', [
    'isolate',
    workspaceId,
    '--to',
    `127.0.0.1:${target}`,
  ]);
  expect(moved).toMatchObject({ code: 0 });
  here = await openShop(app.test);
  there = await openShop(app.other);
});
afterAll(async () => {
  for (const way of ways.values()) way.mend();
  await app?.close();
  await cluster?.drop();
  for (const way of ways.values()) way.close();
  for (const shop of [here, there]) await shop?.receiver.close();
});

async function portOf({ scope }: TestStore): Promise<string> {
  const [row] = await cluster.query<{ port: string }>(`select nodeport::text as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('orders', '${scope.workspaceId}'::uuid)`);
  return row?.port ?? '';
}

async function openShop(store: TestStore): Promise<Shop> {
  const receiver = await createReceiver();
  const hook = await store.post('/v0/webhooks/create', { url: receiver.url, events: ['payment_success'] });
  expect(hook.status).toBe(200);
  return { store, offerId: await makeOffer(store), receiver };
}

let bought = 0;
async function buy({ store }: Shop, offerId: string) {
  bought += 1;
  return store.post('/v0/test-purchases/create', {
    ...{ offersIds: [offerId], userEmail: `ada${bought}@example.com`, billingDetails: { countryCode: 'DE' } },
  });
}

const work = () => app.wired.worker.runDue();
async function paymentsOf({ store }: Shop): Promise<number> {
  const rows = await cluster.query(`select id from payments
    where workspace_id = '${store.scope.workspaceId}' and test_mode and paid_at is not null`);
  return rows.length;
}

it('O18 a data node that is gone stops its own workspaces alone; back, nothing is lost or doubled', async () => {
  if (!here || !there) throw new Error('two shops');
  const planId = await makePlanOffer(here.store);
  expect((await buy(here, planId)).status).toBe(200);
  expect((await buy(there, there.offerId)).status).toBe(200);
  await work();
  const port = await portOf(there.store);
  expect(port).not.toBe(await portOf(here.store));
  // Its renewal is due, and not done yet.
  await jumpClock(app.service.db, here.store.scope, Date.now() + 32 * DAY_MS);

  ways.get(port)?.cut();
  for (let count = 0; count < 3; count += 1) expect((await buy(here, here.offerId)).status).toBe(200);
  expect((await buy(there, there.offerId)).status).toBe(503);
  // The first and its renewal, and three more.
  const shop = here;
  await expect
    .poll(async () => {
      await work();
      return [await paymentsOf(shop), shop.receiver.requests.length];
    })
    .toEqual([5, 5]);

  ways.get(port)?.mend();
  const other = there;
  await expect.poll(async () => (await buy(other, other.offerId)).status).toBe(200);
  await expect
    .poll(async () => {
      await work();
      return other.receiver.requests.length === (await paymentsOf(other));
    })
    .toBe(true);
  const ids = other.receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  await expectInvariants(app);
});

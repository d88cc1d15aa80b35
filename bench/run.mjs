/**
 * `npm run bench [-- --short]`: the service and the bare server on the same PostgreSQL, in the same run, their
 * rounds taking turns so that a busy moment of the machine meets both. See README.md for what is printed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createApi, createOffer, toHeaders, toPurchase as toPurchaseRequest } from './api.mjs';
import { recordChange } from './bare-change.mjs';
import { ask, readCpuMs, readMemoryMib, startScript, startService, stop } from './children.mjs';
import { measure } from './rounds.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore, seedOrders } from './store.mjs';

const SIZE = isShort
  ? { orders: 5_000, rounds: 3, payments: 500, lists: 100, purchases: 100, starts: 1, idleMs: 1_000 }
  : { orders: 100_000, rounds: 10, payments: 2_000, lists: 500, purchases: 400, starts: 5, idleMs: 5_000 };
const CONNECTIONS = 8;
const PAGE = 50;
const REFUND = { amount: 1, reason: 'other' };

let store;
await runBench(main);

async function main(dataDir) {
  store = await createStore();
  await printSpeed(dataDir);
  if (process.argv.includes('--speed')) return;
  await printStarts('PostgreSQL', { databaseUrl: store.url, dataDir });
  await printStarts('embedded', { databaseUrl: null, dataDir: path.join(dataDir, 'embedded') });
}

async function printSpeed(dataDir) {
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test, live } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const headers = toHeaders(test);
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  const api = createApi(service.origin, test);
  const offerId = await createOffer(api);
  const changes = await recordChanges(api, offerId);
  await seedOrders(store, { workspaceId, testMode: false, offerId, count: SIZE.orders });
  const bare = await startScript('bare-server.mjs', { databaseUrl: store.url, workspaceId });
  const load = await startScript('load.mjs', { isHello: true });
  const servers = [toServer('bare', bare), toServer('counterfoil', service)];
  const measuring = { store, load: load.child, rounds: SIZE.rounds, connections: CONNECTIONS };
  console.log(`${SIZE.orders} orders, ${CONNECTIONS} connections, best of ${SIZE.rounds} rounds`);
  for (const scenario of await listReads(toHeaders(live))) {
    await requireSameAnswer(servers, scenario);
    printScenario(scenario, await measure({ servers, scenario, measuring }));
  }
  for (const toScenario of [toPurchase, toRefund]) {
    const { change, ...scenario } = await toScenario({ changes, offerId, headers });
    await ask(bare.child, { change });
    printScenario(scenario, await measure({ servers, scenario, measuring }));
  }
  for (const { child } of [load, bare, service]) await stop(child);
}

function toServer(name, { origin, pid }) {
  return { name, applicationName: name, origins: [origin], pids: [pid] };
}

/** What a purchase and a refund of it write, found in a store in which nothing else goes on. */
async function recordChanges(api, offerId) {
  const buy = (email) => {
    const { path: target, body } = toPurchaseRequest(offerId, email);
    return api('POST', target, body);
  };
  const refund = (id) => api('POST', `/v0/orders/${id}/refunds`, REFUND);
  // The first ones also begin the series of their documents.
  const { order: first } = await buy('first@example.com');
  await refund(first.id);
  let order;
  const purchase = await recordChange(store, {
    make: async () => {
      ({ order } = await buy('second@example.com'));
    },
  });
  const [targets] = await listRefundable(order.id);
  return { purchase, refund: await recordChange(store, { make: () => refund(order.id), targets }) };
}

function toPurchase({ changes, offerId, headers }) {
  const { path: target, body } = toPurchaseRequest(offerId);
  return {
    title: 'POST test purchase',
    requests: SIZE.purchases,
    isChange: true,
    change: { statements: changes.purchase },
    round: { method: 'POST', paths: [target], headers, body: JSON.stringify(body) },
  };
}

/** One unit at a time of the orders that were bought above: those that were seeded are not in the processor's books. */
async function toRefund({ changes, headers }) {
  const orders = await listRefundable();
  return {
    title: 'POST refund of a part',
    requests: Math.min(SIZE.purchases, orders.length),
    isChange: true,
    change: { statements: changes.refund, targets: orders },
    round: {
      method: 'POST',
      paths: orders.map(([id]) => `/v0/orders/${id}/refunds`),
      headers,
      body: JSON.stringify(REFUND),
    },
  };
}

/** Ids of orders that can be refunded, with those of the rows that a refund changes or names. */
async function listRefundable(orderId = null) {
  const rows = await store.query(
    `select o.id, p.id as payment, c.id as charge, o.user_id as user, i.id as invoice
     from orders o join payments p on p.order_id = o.id join charges c on c.payment_id = p.id
     join sandbox_charges s on s.id = c.id and s.status = 'succeeded'
     join invoices i on i.payment_id = p.id and i.kind = 'invoice'
     where $1::uuid is null or o.id = $1 order by o.created_at desc limit 1000`,
    [orderId],
  );
  return rows.map(({ id, payment, charge, user, invoice }) => [id, payment, charge, user, invoice]);
}

async function listReads(headers) {
  const payments = await store.query(
    'select id from payments where not test_mode order by random() limit 1000',
  );
  return [
    {
      title: 'GET payment',
      requests: SIZE.payments,
      round: { method: 'GET', paths: payments.map(({ id }) => `/v0/payments/${id}`), headers },
    },
    {
      title: `GET orders list of ${PAGE}`,
      requests: SIZE.lists,
      round: { method: 'GET', paths: [`/v0/orders/list?take=${PAGE}`], headers },
    },
  ];
}

/** A ratio between two servers that answer different things would mean nothing. */
async function requireSameAnswer(servers, { title, round }) {
  const [first, second] = await Promise.all(
    servers.map(async ({ origins: [origin] }) => {
      const answer = await fetch(origin + round.paths[0], { headers: round.headers });
      return answer.json();
    }),
  );
  if (!isDeepStrictEqual(first, second)) {
    const [bare, ours] = [first, second].map((one) => JSON.stringify(one));
    const at = [...bare].findIndex((sign, index) => sign !== ours[index]);
    const [one, other] = [bare, ours].map((text) => text.slice(Math.max(0, at - 300), at + 300));
    throw new Error(`${title}: the two servers answer differently\n…${one}…\n…${other}…`);
  }
}

function printScenario({ title, isChange }, best) {
  console.log(`\n${title}`);
  console.log(toLine(['', 'requests/s', 'p50 ms', 'p99 ms', 'Node CPU ms', 'PostgreSQL CPU ms']));
  for (const [name, { requestsPerSecond, p50, p99, nodeMs, storeMs }] of best) {
    const cells = [
      requestsPerSecond.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      nodeMs.toFixed(3),
      storeMs.toFixed(3),
    ];
    console.log(toLine([name, ...cells]));
  }
  const [bare, ours] = [best.get('bare'), best.get('counterfoil')];
  if (isChange) {
    const [node, postgres] = [ours.nodeMs / bare.nodeMs, ours.storeMs / bare.storeMs];
    console.log(
      `  of bare: ${node.toFixed(1)} × its CPU of Node, ${postgres.toFixed(1)} × that of PostgreSQL`,
    );
    return;
  }
  const byRate = (ours.requestsPerSecond / bare.requestsPerSecond).toFixed(2);
  const byCpu = (bare.nodeMs / ours.nodeMs).toFixed(2);
  console.log(`  ratio to bare: ${byRate} of its requests/s, ${byCpu} by CPU of Node`);
}

function toLine([name, ...cells]) {
  return `  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(18)).join('')}`;
}

async function printStarts(name, options) {
  const times = [];
  const cpuTimes = [];
  let memoryMib = 0;
  for (let count = 0; count <= SIZE.starts; count += 1) {
    const service = await startService(options);
    times.push(service.readyMs);
    cpuTimes.push(readCpuMs(service.pid));
    if (count === SIZE.starts) {
      await delay(SIZE.idleMs);
      memoryMib = readMemoryMib(service.pid);
    }
    await stop(service.child);
  }
  const [first, ...again] = times;
  const sorted = again.sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  console.log(`\nStart to ready, ${name}`);
  // Of the embedded store the first start also makes the cluster; of PostgreSQL the store was there.
  console.log(
    `  first ${first.toFixed(0)} ms; again: least ${sorted[0].toFixed(0)}, median ${middle.toFixed(0)} ms`,
  );
  console.log(`  CPU of Node until ready: ${Math.min(...cpuTimes).toFixed(0)} ms`);
  console.log(`  idle memory of Node: ${memoryMib.toFixed(0)} MiB`);
}

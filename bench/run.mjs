/**
 * `npm run bench [-- --short]`: the service and the bare server on the same PostgreSQL, in the same run, their
 * rounds taking turns so that a busy moment of the machine meets both. See README.md for what is printed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { measureInstall } from './install-size.mjs';
import { ask, readCpuMs, readMemoryMib, startScript, startService, stop } from './processes.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore, seedOrders } from './store.mjs';

const SIZE = isShort
  ? { orders: 5_000, rounds: 3, payments: 500, lists: 100, purchases: 100, starts: 1, idleMs: 1_000 }
  : { orders: 100_000, rounds: 10, payments: 2_000, lists: 500, purchases: 400, starts: 5, idleMs: 5_000 };
const CONNECTIONS = 8;
const PAGE = 50;

let store;
await runBench(main);

async function main(dataDir) {
  store = await createStore();
  await printSpeed(dataDir);
  await printStarts('PostgreSQL', { databaseUrl: store.url, dataDir });
  await printStarts('embedded', { databaseUrl: null, dataDir: path.join(dataDir, 'embedded') });
  printInstall();
}

async function printSpeed(dataDir) {
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const headers = { 'x-svc-public-key': test.publicKey, 'x-svc-secret-key': test.secretKey };
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  const offerId = await createOffer(service.origin, headers);
  await seedOrders(store, { workspaceId, offerId, count: SIZE.orders });
  const bare = await startScript('bare-server.mjs', { databaseUrl: store.url, workspaceId });
  const load = await startScript('load.mjs', { isHello: true });
  const servers = [
    { name: 'bare', applicationName: 'bare', ...bare },
    { name: 'counterfoil', applicationName: 'counterfoil', ...service },
  ];
  console.log(`${SIZE.orders} orders, ${CONNECTIONS} connections, best of ${SIZE.rounds} rounds`);
  for (const scenario of await listScenarios({ offerId, headers })) {
    const asked = scenario.isOnlyOurs ? servers.slice(1) : servers;
    if (asked.length > 1) await requireSameAnswer(asked, scenario);
    printScenario(scenario, await measure({ servers: asked, scenario, load: load.child }));
  }
  const refund = await toRefundScenario(headers);
  printScenario(refund, await measure({ servers: servers.slice(1), scenario: refund, load: load.child }));
  for (const { child } of [load, bare, service]) await stop(child);
}

/** One unit at a time of the orders that were bought above: those that were seeded are not in the processor's books. */
async function toRefundScenario(headers) {
  const orders = await store.query(
    `select p.order_id as id from sandbox_charges s join charges c on c.id = s.id
     join payments p on p.id = c.payment_id where s.status = 'succeeded' limit 1000`,
  );
  return {
    title: 'POST refund of a part',
    requests: Math.min(SIZE.purchases, orders.length),
    round: {
      method: 'POST',
      paths: orders.map(({ id }) => `/v0/orders/${id}/refunds`),
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 1, reason: 'other' }),
    },
  };
}

async function createOffer(origin, headers) {
  const answer = await fetch(`${origin}/v0/products/create`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'Game', name: 'Game', offers: [{ price: 2499, currency: 'USD' }] }),
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`no product could be made: ${JSON.stringify(body)}`);
  return body.data.offers[0].id;
}

async function listScenarios({ offerId, headers }) {
  const payments = await store.query('select id from payments order by random() limit 1000');
  const purchase = {
    offersIds: [offerId],
    userEmail: 'buyer-$n@example.com',
    billingDetails: { countryCode: 'DE', postalCode: '10115' },
  };
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
    {
      title: 'POST test purchase',
      requests: SIZE.purchases,
      isOnlyOurs: true,
      round: {
        method: 'POST',
        paths: ['/v0/test-purchases/create'],
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(purchase),
      },
    },
  ];
}

/** A ratio between two servers that answer different things would mean nothing. */
async function requireSameAnswer(servers, { title, round }) {
  const [first, second] = await Promise.all(
    servers.map(async ({ origin }) => {
      const answer = await fetch(origin + round.paths[0], { headers: round.headers });
      return answer.json();
    }),
  );
  if (!isDeepStrictEqual(first, second)) {
    throw new Error(
      `${title}: the two servers answer differently\n${JSON.stringify([first, second], null, 1)}`,
    );
  }
}

async function measure({ servers, scenario, load }) {
  const best = new Map();
  // The first round warms up: code is compiled, connections are opened, pages are read.
  for (let count = 0; count <= SIZE.rounds; count += 1) {
    for (const server of servers) {
      const result = await runRound(server, { scenario, load });
      if (count > 0) best.set(server.name, toBest(best.get(server.name), result));
    }
  }
  return best;
}

async function runRound(server, { scenario, load }) {
  const { round, requests } = scenario;
  const before = await readCpu(server);
  const answered = await ask(load, { ...round, origin: server.origin, requests, connections: CONNECTIONS });
  const after = await readCpu(server);
  const stores = [...after.stores].reduce((sum, [pid, ms]) => sum + ms - (before.stores.get(pid) ?? 0), 0);
  return { ...answered, nodeMs: (after.node - before.node) / requests, storeMs: stores / requests };
}

async function readCpu({ pid, applicationName }) {
  const backends = await store.listBackends(applicationName);
  return { node: readCpuMs(pid), stores: new Map(backends.map((backend) => [backend, readCpuMs(backend)])) };
}

/** Each figure of the round that was disturbed least: of CPU the least, of the rest what the fastest round had. */
function toBest(best, result) {
  if (!best) return result;
  const faster = result.requestsPerSecond > best.requestsPerSecond ? result : best;
  return {
    ...faster,
    nodeMs: Math.min(best.nodeMs, result.nodeMs),
    storeMs: Math.min(best.storeMs, result.storeMs),
  };
}

function printScenario({ title }, best) {
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
  if (!bare) return;
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

function printInstall() {
  const { external, embedded, own } = measureInstall();
  const toText = ({ packages, mib }) => `${mib.toFixed(0)} MiB in ${packages} packages`;
  console.log('\nProduction install');
  console.log(`  with the embedded PostgreSQL: ${toText(embedded)}`);
  console.log(`  for a PostgreSQL of your own (npm ci --omit=optional): ${toText(external)}`);
  console.log(`  and our own build: ${own.mib.toFixed(1)} MiB`);
}

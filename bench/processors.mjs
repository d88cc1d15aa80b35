/**
 * `npm run bench:processors [-- --short]`: what money costs over Stripe's stand-in, beside the sandbox: purchases, in turns;
 * renewals of two workers, each call of which takes the stand-in 10 ms; and the first use of its client in a process.
 */
import os from 'node:os';
import path from 'node:path';
import { startStripeDouble } from '../server/test/support/stripe-double.ts';
import { createShop, toHeaders, toPurchase } from './api.mjs';
import { readCpuMs, readMemoryMib, startScript, startService, stop, track } from './children.mjs';
import { measureRenewals } from './renewing.mjs';
import { measure } from './rounds.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore } from './store.mjs';

const SIZE = isShort ? { rounds: 1, purchases: 40, due: 100 } : { rounds: 5, purchases: 300, due: 6_000 };
const CONNECTIONS = 8;
const LATENCY_MS = 10;
const WORKERS = 2;

await runBench(main);

async function main(folder) {
  console.log(`Load of the machine: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
  const double = await startStripeDouble({ seed: '1' });
  track(double.child);
  try {
    const till = await openTill(double);
    await printPurchases(folder, { till, other: await openTill(double) });
    await printRenewals(folder, { double, till });
  } finally {
    await double.close();
  }
}

/** An account there, and how a store of ours takes its money over it. */
async function openTill(double) {
  const { id, secretKey, publishableKey } = await double.openAccount();
  return {
    account: id,
    env: {
      STRIPE_API_URL: double.apiUrl,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PROCESSOR_RATE: '0',
    },
    async connect(api) {
      const { processor } = await api('POST', '/v0/processors/connect', {
        ...{ kind: 'stripe', name: 'Cards', credentials: { secretKey, publishableKey } },
      });
      return { processorId: processor.id, paymentMethod: 'pm_card_visa' };
    },
  };
}

async function printPurchases(folder, { till, other }) {
  const store = await createStore();
  const options = { databaseUrl: store.url, dataDir: path.join(folder, 'purchases'), env: till.env };
  const service = await startService(options);
  const shop = await createShop(service.origin, options.dataDir);
  const over = await printFirstUse(service, { api: shop.api, till, other });
  const { path: target, body } = toPurchase(shop.offerId);
  const toServer = (name, more) => ({
    ...{ name, applicationName: 'counterfoil', origins: [service.origin], pids: [service.pid] },
    round: {
      ...{ method: 'POST', paths: [target], headers: toHeaders(shop.test) },
      body: JSON.stringify({ ...body, ...more }),
    },
  });
  const load = await startScript('load.mjs', { isHello: true });
  const best = await measure({
    servers: [toServer('sandbox', {}), toServer('stripe', over)],
    scenario: { requests: SIZE.purchases, isChange: true },
    measuring: { store, load: load.child, rounds: SIZE.rounds, connections: CONNECTIONS },
  });
  console.log(`\nPurchases, ${CONNECTIONS} connections`);
  printCells('', ['a second', 'p50 ms', 'Node CPU ms', 'PostgreSQL CPU']);
  for (const [name, { requestsPerSecond, p50, nodeMs, storeMs }] of best)
    printCells(name, [requestsPerSecond.toFixed(0), p50.toFixed(1), nodeMs.toFixed(2), storeMs.toFixed(2)]);
  const ratio = best.get('stripe').nodeMs / best.get('sandbox').nodeMs;
  console.log(`  × ${ratio.toFixed(2)} of the sandbox's CPU of Node (aim 1.6)`);
  await stop(load.child);
  await stop(service.child);
  await store.drop();
}

/** The first account that a process connects beside another that it connects then: what is left is the client's own. */
async function printFirstUse({ pid }, { api, till, other }) {
  const memory = readMemoryMib(pid);
  let over;
  const first = await take(async () => {
    over = await till.connect(api);
  });
  const more = readMemoryMib(pid) - memory;
  const second = await take(() => other.connect(api));
  console.log('\nThe first use of the client in a process');
  console.log(`  + ${((first - second) / 1000).toFixed(2)} s (aim 0.3), + ${more.toFixed(0)} MiB (aim 25)`);
  return over;
}

async function take(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function printRenewals(folder, { double, till }) {
  await double.control('POST /faults', { match: { account: till.account }, do: { delayMs: LATENCY_MS } });
  // The store's own notices of what it knows already are none of the renewals'.
  await double.control('POST /events', { deliver: 'never' });
  const doubleMs = readCpuMs(double.child.pid);
  const { renewals, tookMs, nodeMs, storeMs } = await measureRenewals(folder, {
    ...{ workers: WORKERS, all: SIZE.due, due: SIZE.due, till },
  });
  const theirs = (readCpuMs(double.child.pid) - doubleMs) / renewals;
  console.log(`\n${renewals} renewals due at once, ${WORKERS} workers, ${LATENCY_MS} ms for each call`);
  printCells('', ['a second', 'Node CPU ms', 'PostgreSQL CPU', 'stand-in CPU']);
  const perSecond = ((renewals * 1000) / tookMs).toFixed(0);
  const each = [nodeMs / renewals, storeMs / renewals, theirs].map((ms) => ms.toFixed(2));
  printCells('stripe', [perSecond, ...each]);
}

function printCells(name, cells) {
  console.log(`  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(16)).join('')}`);
}

/**
 * `npm run bench:processes [-- --short]`: 1, 2 and 4 processes of each role over one store: requests by those that
 * answer them, renewals by workers. All of them and PostgreSQL share the machine.
 */
import os from 'node:os';
import path from 'node:path';
import { createShop, toHeaders, toPurchase } from './api.mjs';
import { startScript, startService, stop } from './children.mjs';
import { measureRenewals } from './renewing.mjs';
import { measure } from './rounds.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore } from './store.mjs';

const SIZE = isShort
  ? { processes: [2], rounds: 1, reads: 200, purchases: 60, due: 100 }
  : { processes: [1, 2, 4], rounds: 5, reads: 2_000, purchases: 400, due: 6_000 };
const CONNECTIONS = 16;

await runBench(main);

async function main(folder) {
  console.log(`Load of the machine: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
  await printApis(folder);
  console.log(`\nRenewals by workers, ${SIZE.due} due at once`);
  printCells('workers', ['a second', 'Node CPU ms', 'PostgreSQL CPU']);
  for (const workers of SIZE.processes) {
    const { renewals, tookMs, nodeMs, storeMs } = await measureRenewals(folder, {
      ...{ workers, all: SIZE.due, due: SIZE.due },
    });
    const perSecond = ((renewals * 1000) / tookMs).toFixed(0);
    printCells(String(workers), [perSecond, (nodeMs / renewals).toFixed(2), (storeMs / renewals).toFixed(2)]);
  }
}

async function printApis(folder) {
  const store = await createStore();
  const dataDir = path.join(folder, 'apis');
  const start = () => startService({ databaseUrl: store.url, dataDir, env: { ROLE: 'api' } });
  const services = [await start()];
  const { test, offerId, paymentIds } = await createShop(services[0].origin, dataDir);
  const { path: target, body } = toPurchase(offerId);
  while (services.length < SIZE.processes.at(-1)) services.push(await start());
  const load = await startScript('load.mjs', { isHello: true });
  const measuring = { store, load: load.child, rounds: SIZE.rounds, connections: CONNECTIONS };
  const servers = SIZE.processes.map((count) => toServer(services.slice(0, count)));
  const headers = toHeaders(test);
  const reads = { method: 'GET', paths: [`/v0/payments/${paymentIds[0]}`], headers };
  const purchases = { method: 'POST', paths: [target], headers, body: JSON.stringify(body) };
  for (const [title, scenario] of [
    ['One payment read', { requests: SIZE.reads, round: reads }],
    ['Purchases of one store', { requests: SIZE.purchases, round: purchases, isChange: true }],
  ]) {
    console.log(`\n${title}, ${CONNECTIONS} connections`);
    printCells('processes', ['a second', 'p50 ms', 'p99 ms', 'Node CPU ms', 'PostgreSQL CPU']);
    const best = await measure({ servers, scenario, measuring });
    for (const [name, { requestsPerSecond, p50, p99, nodeMs, storeMs }] of best) {
      const cells = [requestsPerSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)];
      printCells(name, [...cells, nodeMs.toFixed(2), storeMs.toFixed(2)]);
    }
  }
  for (const { child } of [load, ...services]) await stop(child);
  await store.drop();
}

function toServer(services) {
  return {
    name: String(services.length),
    applicationName: 'counterfoil',
    origins: services.map(({ origin }) => origin),
    pids: services.map(({ pid }) => pid),
  };
}

function printCells(name, cells) {
  console.log(`  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(16)).join('')}`);
}

/**
 * `npm run bench:scale [-- --short | --orders=N]`: what a store costs as it grows, what it costs to be watched, pooled or
 * asked as a spread one, what a sale weighs and what it costs to let go of it: each beside itself in the same run.
 */
import os from 'node:os';
import path from 'node:path';
import { createShop } from './api.mjs';
import { startService, stop } from './children.mjs';
import { isShort, readSize, runBench } from './run-bench.mjs';
import { printBeside } from './scale/beside.mjs';
import { printGrowth } from './scale/growing.mjs';
import { printSweep, printWeight } from './scale/keeping.mjs';
import { createStore } from './store.mjs';

const SIZE = isShort
  ? {
      ...{ orders: 5_000, requests: 10, starts: 1, rounds: 1, reads: 200, purchases: 40, sales: 60 },
      ...{ events: 2_000, settleMs: 500, idleMs: 1_000 },
    }
  : {
      ...{
        orders: 1_000_000,
        requests: 60,
        starts: 3,
        rounds: 5,
        reads: 2_000,
        purchases: 300,
        sales: 2_000,
      },
      ...{ events: 200_000, settleMs: 10_000, idleMs: 30_000 },
    };

await runBench(main);

async function main(folder) {
  const size = { ...SIZE, orders: readSize('orders', SIZE.orders) };
  console.log(`Load of the machine: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
  const shop = await openShop(folder);
  await printWeight({ ...shop, size });
  // What a store has looked through once it does not look at again.
  await shop.store.fill('delete from retention_marks');
  const service = await printGrowth({ ...shop, size });
  await printSweep({ ...shop, size, service });
  await stop(service.child);
  await printBeside({ ...shop, size });
}

/** A store with an offer and its first sales, whose service has ended again. */
async function openShop(folder) {
  const store = await createStore();
  const dataDir = path.join(folder, 'shop');
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test, offerId, paymentIds } = await createShop(service.origin, dataDir);
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  await stop(service.child);
  return { store, dataDir, keys: { test, offerId, workspaceId, paymentIds } };
}

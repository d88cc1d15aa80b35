/** What the same requests of one store cost while it is small, and once it is large. */

import { setTimeout as delay } from 'node:timers/promises';
import { createApi, toPurchase } from '../api.mjs';
import { startService, stop } from '../children.mjs';
import { seedManyOrders } from '../store.mjs';
import { printRow } from './rows.mjs';

const SMALL = 430;
const PAGE = 20;
const DEEP_PAGE = 10_000;
/** Longer than it takes to sum up one stretch. */
const SUMMING_MS = 5_000;

/** Leaves the store large and its service running, which it answers with. */
export async function printGrowth({ store, dataDir, keys, size }) {
  const { offerId } = keys;
  const seeded = { workspaceId: keys.workspaceId, offerId };
  await seedManyOrders(store, { ...seeded, count: SMALL });
  const small = await measureStore({ store, dataDir, keys, size });
  await stop(small.service.child);
  console.log(`\nfilling the store up to ${size.orders} orders`);
  const startedMs = performance.now();
  await seedManyOrders(store, { ...seeded, from: SMALL, count: size.orders });
  console.log(`  ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  const large = await measureStore({ store, dataDir, keys, size });
  console.log(`\n${size.orders} orders of one store beside ${SMALL}, ms in the middle of ${size.requests}`);
  for (const [title, aim] of ROWS)
    printRow(title, { one: small.times[title], other: large.times[title], aim, unit: 'ms' });
  const { first, later } = { first: large.times['first page'], later: large.times['page by cursor'] };
  printRow('first page, which counts, / by cursor', { one: later, other: first, aim: 10, unit: 'ms' });
  return large.service;
}

/** Each with what the large one may cost of the small one. */
const ROWS = [
  ['first page', 1.2],
  ['page by cursor', 1.2],
  ['one payment', 1.2],
  ['purchase', 1.2],
  ['e-mail as term', 2],
  ['number as term', 2],
  ['start until ready', 1.2],
];

async function measureStore({ store, dataDir, keys, size }) {
  const starts = [];
  let service = null;
  for (let count = 0; count < size.starts; count += 1) {
    if (service) await stop(service.child);
    service = await startService({ databaseUrl: store.url, dataDir });
    starts.push(service.readyMs);
  }
  await untilSummedUp(store);
  const api = createApi(service.origin, keys.test);
  const list = (query) => api('GET', `/v0/orders/list?${new URLSearchParams({ take: PAGE, ...query })}`);
  const [payment] = await store.query(
    `select p.id, p.number, u.email from payments p join users u on u.id = p.user_id where u.email like 'seed-%'
     order by p.created_at desc limit 1`,
  );
  const cursor = await findDeepCursor(list, size.orders);
  let buyers = 0;
  const times = {
    'first page': await middleMs(size.requests, () => list({})),
    'page by cursor': await middleMs(size.requests, () => list({ cursor })),
    'one payment': await middleMs(size.requests, () => api('GET', `/v0/payments/${payment.id}`)),
    purchase: await middleMs(size.requests, () => {
      buyers += 1;
      const { path, body } = toPurchase(keys.offerId, `scale-${Date.now()}-${buyers}@example.com`);
      return api('POST', path, body);
    }),
    'e-mail as term': await middleMs(size.requests, () => list({ term: payment.email })),
    'number as term': await middleMs(size.requests, () => list({ term: payment.number })),
    'start until ready': middle(starts),
  };
  return { service, times };
}

/**
 * The orders that were filled in are summed up for the figures of the dashboard, stretch by stretch, as those of years are
 * that came with an import: that takes a core for a while, and is none of a list's cost.
 */
async function untilSummedUp(store) {
  const read = async () =>
    JSON.stringify(await store.query('select * from figure_sum_closings order by 1, 2'));
  let before = '';
  for (;;) {
    const now = await read();
    if (now === before) return;
    before = now;
    await delay(SUMMING_MS);
  }
}

/** Of the 10,000th page, or of the last one where there are fewer. */
async function findDeepCursor(list, orders) {
  const { count } = await list({ take: 1, returnCount: 'true' });
  const page = Math.min(DEEP_PAGE, Math.floor(Math.min(count, orders) / PAGE));
  return (await list({ take: 1, skip: (page - 1) * PAGE - 1 })).cursor;
}

async function middleMs(requests, ask) {
  const times = [];
  // The first ones compile, and read pages of the store that nobody has read yet.
  for (let count = -5; count < requests; count += 1) {
    const startedMs = performance.now();
    await ask();
    if (count >= 0) times.push(performance.now() - startedMs);
  }
  return middle(times);
}

const middle = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

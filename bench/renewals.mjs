/**
 * `npm run bench:renewals [-- --short]`: subscriptions that are due at once, renewed by 1, 2 and 4 workers on
 * PostgreSQL, in stores that grow; then a test clock that is moved by a year. See README.md.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCpuMs, startService, startWorker, stop } from './processes.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore, NEVER, seedSubscriptions } from './store.mjs';

const SIZE = isShort
  ? { due: 300, workers: [2], stores: [], clock: 20 }
  : { due: 9_000, workers: [1, 2, 4], stores: [1_000, 10_000, 100_000, 1_000_000], clock: 1_000 };
/** Of a store that grows: one in a hundred is due. */
const SHARE_DUE = 100;
const WARM_UP = 100;
const POLL_MS = 100;
const LIMIT_MS = 600_000;
/** The ten statements that are sent most, with `--statements`. */
const isTold = process.argv.includes('--statements');

const COUNT_PAID = `
  select (select count(*)::int from payments where type = 'subscription_interval' and status = 'PAID') as paid,
    (select count(*)::int from due_work where kind in ('send_mail', 'watch_payment')) as left`;
/** Cheap enough to be asked all the time: what is due takes a part of the two cores, too. */
const IS_DONE = `
  select not exists (select from due_work where due_real_ms <= real_now_ms() or kind in ('send_mail', 'watch_payment'))
    as done`;

let folder;
let store = null;
let round = 0;
await runBench(main);

async function main(ownFolder) {
  folder = ownFolder;
  console.log(`Load of the machine: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
  console.log(`\n${SIZE.due} subscriptions due at once`);
  printHeads('workers');
  for (const count of SIZE.workers)
    await printRenewals(String(count), { count, all: SIZE.due, due: SIZE.due });
  if (SIZE.stores.length > 0) console.log(`\nOne in ${SHARE_DUE} due, 1 worker`);
  for (const all of SIZE.stores) {
    await printRenewals(`of ${all}`, { count: 1, all, due: Math.max(WARM_UP, all / SHARE_DUE) });
  }
  console.log('\nThe test clock, moved by a year: 12 renewals each');
  printHeads('');
  await printYear('1, embedded', { isEmbedded: true, count: 1 });
  if (!isShort) await printYear('1, PostgreSQL', { isEmbedded: false, count: 1 });
  await printYear(`${SIZE.clock}, PostgreSQL`, { isEmbedded: false, count: SIZE.clock });
}

async function printRenewals(name, { count, all, due }) {
  const { service, workspaceId } = await openShop();
  await stop(service.child);
  await seedSubscriptions(store, { workspaceId, count: all + WARM_UP * count, isOver: true });
  const dataDir = path.join(folder, String(round));
  const workers = [];
  for (let n = 0; n < count; n += 1) {
    workers.push(await startWorker({ databaseUrl: store.url, dataDir, ...counting() }));
  }
  await renew(WARM_UP * count);
  await countStatements(workers);
  const cpuMs = sum(workers, ({ pid }) => readCpuMs(pid));
  const storeCpuMs = await readStoreMs();
  const tookMs = await renew(due);
  const nodeMs = sum(workers, ({ pid }) => readCpuMs(pid)) - cpuMs;
  const storeMs = (await readStoreMs()) - storeCpuMs;
  const statements = await countStatements(workers);
  printLine(name, { renewals: due, tookMs, nodeMs, storeMs, statements });
  for (const { child } of workers) await stop(child);
  await store.drop();
  store = null;
}

/** Lets as many fall due as are said, and waits until all of them are paid and all mails are written. */
async function renew(due) {
  const [{ paid }] = await store.query(COUNT_PAID);
  await store.query(
    `update due_work d set due_ms = s.current_interval_end, due_real_ms = s.current_interval_end
     from (select w.ref_id, s.current_interval_end from due_work w
       join subscriptions s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode and s.id = w.ref_id
       where w.due_ms = ${NEVER} limit $1) s
     where d.ref_id = s.ref_id and d.kind = 'advance_subscription'`,
    [due],
  );
  const startedMs = performance.now();
  const untilMs = startedMs + LIMIT_MS;
  for (;;) {
    const [{ done }] = await store.query(IS_DONE);
    if (done) break;
    if (performance.now() > untilMs) throw new Error('the renewals took too long');
    await delay(POLL_MS);
  }
  const tookMs = performance.now() - startedMs;
  const [{ paid: now, left }] = await store.query(COUNT_PAID);
  if (now - paid !== due || left > 0)
    throw new Error(`${now - paid} of ${due} were renewed, ${left} mails left`);
  return tookMs;
}

async function printYear(name, { isEmbedded, count }) {
  const { service, api, workspaceId } = await openShop({ isEmbedded });
  if (count > 1) await seedSubscriptions(store, { workspaceId, count: count - 1, isOver: false });
  // The first one finds nothing due: code is compiled, connections are opened.
  await api('POST', '/v0/test-clock/advance', { by: { days: 1 } });
  await countStatements([service]);
  const cpuMs = readCpuMs(service.pid);
  const storeCpuMs = await readStoreMs();
  const startedMs = performance.now();
  // In one call; of many subscriptions month by month, since fetch waits five minutes for an answer.
  for (const months of count === 1 ? [12] : Array(12).fill(1)) {
    await api('POST', '/v0/test-clock/advance', { by: { months } });
  }
  const tookMs = performance.now() - startedMs;
  const nodeMs = readCpuMs(service.pid) - cpuMs;
  const storeMs = (await readStoreMs()) - storeCpuMs;
  const statements = await countStatements([service]);
  const { count: sales } = await api('GET', '/v0/payments/list?take=1&returnCount=true');
  printLine(name, { renewals: sales - count, tookMs, nodeMs, storeMs, statements });
  await stop(service.child);
  await store?.drop();
  store = null;
}

/** A store of its own with one subscription, sold through the API. */
async function openShop({ isEmbedded = false } = {}) {
  round += 1;
  const dataDir = path.join(folder, String(round));
  store = isEmbedded ? null : await createStore();
  const service = await startService({ databaseUrl: store?.url ?? null, dataDir, ...counting() });
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const api = createApi(service.origin, test);
  const recurring = { recurringInterval: 'month', recurringIntervalCount: 1 };
  const { product } = await api('POST', '/v0/products/create', { type: 'Subscription', name: 'Pass' });
  const { offer } = await api('POST', '/v0/offers/create', {
    productId: product.id,
    price: 999,
    currency: 'USD',
    ...recurring,
  });
  await api('POST', '/v0/test-purchases/create', {
    offersIds: [offer.id],
    userEmail: 'seed-0@example.com',
    billingDetails: { countryCode: 'DE', postalCode: '10115' },
  });
  const [row] = store ? await store.query('select workspace_id as "workspaceId" from subscriptions') : [];
  return { service, api, workspaceId: row?.workspaceId ?? null };
}

function counting() {
  return {
    nodeArgs: ['--import', new URL('./count-statements.mjs', import.meta.url).href],
    env: { COUNTS_FILE: path.join(folder, 'counts') },
  };
}

/** CPU time of PostgreSQL in the connections of the service (ms): without the writers that all of them share. */
async function readStoreMs() {
  return store ? sum(await store.listBackends('counterfoil'), readCpuMs) : 0;
}

/** What was sent since the last time, by all of them, by text. */
async function countStatements(processes) {
  const counts = new Map();
  for (const { pid } of processes) {
    const file = path.join(folder, `counts.${pid}`);
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    while (!existsSync(file)) await delay(1);
    for (const [text, count] of JSON.parse(readFileSync(file, 'utf8'))) {
      counts.set(text, (counts.get(text) ?? 0) + count);
    }
  }
  return counts;
}

function printHeads(name) {
  printCells(name, [
    'renewals',
    'renewals/s',
    'Node CPU ms each',
    'PostgreSQL CPU',
    'statements each',
    'in all s',
  ]);
}

function printLine(name, { renewals, tookMs, nodeMs, storeMs, statements }) {
  const sent = [...statements.values()].reduce((all, count) => all + count, 0);
  const perSecond = (renewals * 1000) / tookMs;
  const cells = [
    String(renewals),
    perSecond.toFixed(0),
    (nodeMs / renewals).toFixed(2),
    (storeMs / renewals).toFixed(2),
  ];
  printCells(name, [...cells, (sent / renewals).toFixed(1), (tookMs / 1000).toFixed(1)]);
  if (!isTold) return;
  const most = [...statements].filter(([, count]) => count > renewals / 10).sort(([, a], [, b]) => b - a);
  for (const [text, count] of most) {
    console.log(`    ${(count / renewals).toFixed(2)} ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 130)}`);
  }
}

function printCells(name, cells) {
  console.log(`  ${name.padEnd(20)}${cells.map((cell) => cell.padStart(18)).join('')}`);
}

function sum(list, of) {
  return list.reduce((all, one) => all + of(one), 0);
}

function createApi(origin, keys) {
  const headers = {
    'x-svc-public-key': keys.publicKey,
    'x-svc-secret-key': keys.secretKey,
    'content-type': 'application/json',
  };
  return async (method, target, body) => {
    const answer = await fetch(origin + target, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const parsed = await answer.json();
    if (answer.status !== 200) throw new Error(`${method} ${target}: ${JSON.stringify(parsed)}`);
    return parsed.data;
  };
}

/** Subscriptions that fall due at once, and the workers that renew them. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, toPurchase } from './api.mjs';
import { readCpuMs, startService, startWorker, stop } from './children.mjs';
import { createStore, NEVER, seedSubscriptions } from './store.mjs';

const WARM_UP = 100;
const POLL_MS = 100;
const LIMIT_MS = 600_000;

const COUNT_PAID = `
  select (select count(*)::int from payments where type = 'subscription_interval' and status = 'PAID') as paid,
    (select count(*)::int from due_work where kind in ('send_mail', 'watch_payment')) as left`;
/** Cheap enough to be asked all the time: what is due takes a part of the two cores, too. */
const IS_DONE = `
  select not exists (select from due_work where due_real_ms <= real_now_ms() or kind in ('send_mail', 'watch_payment'))
    as done`;
/** Each renewal that is paid has its invoice: one row says how many, however many there are. */
const COUNT_INVOICES = 'select coalesce(sum(last_number), 0)::int as count from invoice_series';

let round = 0;

/** Money that the sandbox takes. */
const SANDBOX = { env: {}, connect: async () => ({}) };

/**
 * A store of its own with one subscription, sold through the API. `till` = who takes its money: the `env` of every process,
 * and `connect`, which answers what a purchase says besides.
 */
export async function openShop(folder, { isEmbedded = false, till = SANDBOX } = {}) {
  round += 1;
  const dataDir = path.join(folder, String(round));
  const store = isEmbedded ? null : await createStore();
  const started = { databaseUrl: store?.url ?? null, dataDir, ...counting(folder, till) };
  const service = await startService(started);
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const api = createApi(service.origin, test);
  const { product } = await api('POST', '/v0/products/create', { type: 'Subscription', name: 'Pass' });
  const { offer } = await api('POST', '/v0/offers/create', {
    productId: product.id,
    price: 999,
    currency: 'USD',
    ...{ recurringInterval: 'month', recurringIntervalCount: 1 },
  });
  const { path: target, body } = toPurchase(offer.id, 'seed-0@example.com');
  await api('POST', target, { ...body, ...(await till.connect(api)) });
  const [row] = store ? await store.query('select workspace_id as "workspaceId" from subscriptions') : [];
  return { store, service, api, dataDir, workspaceId: row?.workspaceId ?? null };
}

/** What many workers do of it. `all` subscriptions in a store of its own, of which `due` fall due. */
export async function measureRenewals(folder, { workers: count, all, due, till = SANDBOX }) {
  const shop = await openWorkers(folder, { count, all, till });
  const { store, workers } = shop;
  await countStatements(folder, workers);
  const cpuMs = sum(workers, ({ pid }) => readCpuMs(pid));
  const storeCpuMs = await readStoreMs(store);
  const tookMs = await renew(store, due);
  const nodeMs = sum(workers, ({ pid }) => readCpuMs(pid)) - cpuMs;
  const storeMs = (await readStoreMs(store)) - storeCpuMs;
  const statements = await countStatements(folder, workers);
  await closeWorkers(shop);
  return { renewals: due, tookMs, nodeMs, storeMs, statements };
}

/** All of a store fall due at once; of their renewals `counted` are timed, behind the first `passed`. */
export async function measureCrowd(folder, { workers: count, all, passed, counted }) {
  const shop = await openWorkers(folder, { count, all, till: SANDBOX });
  const { store } = shop;
  const [{ count: before }] = await store.query(COUNT_INVOICES);
  await letFallDue(store, all);
  await untilInvoiced(store, before + passed);
  const startedMs = performance.now();
  await untilInvoiced(store, before + passed + counted);
  const tookMs = performance.now() - startedMs;
  await closeWorkers(shop);
  return (counted * 1000) / tookMs;
}

async function openWorkers(folder, { count, all, till }) {
  const { store, service, workspaceId, dataDir } = await openShop(folder, { till });
  await stop(service.child);
  await seedSubscriptions(store, { workspaceId, count: all + WARM_UP * count, isOver: true });
  const workers = [];
  for (let n = 0; n < count; n += 1)
    workers.push(await startWorker({ databaseUrl: store.url, dataDir, ...counting(folder, till) }));
  await renew(store, WARM_UP * count);
  return { store, workers };
}

async function closeWorkers({ store, workers }) {
  for (const { child } of workers) await stop(child);
  await store.drop();
}

async function letFallDue(store, due) {
  await store.query(
    `update due_work d set due_ms = s.current_interval_end, due_real_ms = s.current_interval_end
     from (select w.ref_id, s.current_interval_end from due_work w
       join subscriptions s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode and s.id = w.ref_id
       where w.due_ms = ${NEVER} limit $1) s
     where d.ref_id = s.ref_id and d.kind = 'advance_subscription'`,
    [due],
  );
}

/** Lets as many fall due as are said, and waits until all of them are paid and all mails are written. */
async function renew(store, due) {
  const [{ paid }] = await store.query(COUNT_PAID);
  await letFallDue(store, due);
  const startedMs = performance.now();
  await until(async () => (await store.query(IS_DONE))[0].done);
  const tookMs = performance.now() - startedMs;
  const [{ paid: now, left }] = await store.query(COUNT_PAID);
  if (now - paid !== due || left > 0)
    throw new Error(`${now - paid} of ${due} were renewed, ${left} mails left`);
  return tookMs;
}

const untilInvoiced = (store, count) =>
  until(async () => (await store.query(COUNT_INVOICES))[0].count >= count);

async function until(isSo) {
  const untilMs = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error('the renewals took too long');
    await delay(POLL_MS);
  }
}

function counting(folder, till) {
  return {
    nodeArgs: ['--import', new URL('./count-statements.mjs', import.meta.url).href],
    env: { COUNTS_FILE: path.join(folder, 'counts'), ...till.env },
  };
}

/** CPU time of PostgreSQL in the connections of the service (ms): without the writers that all of them share. */
export async function readStoreMs(store) {
  return store ? sum(await store.listBackends('counterfoil'), readCpuMs) : 0;
}

/** What was sent since the last time, by all of them, by text. */
export async function countStatements(folder, processes) {
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

function sum(list, of) {
  return list.reduce((all, one) => all + of(one), 0);
}

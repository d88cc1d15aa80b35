/** What a sale weighs, what is left of it, and what it costs to let go. */
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, toHeaders, toPurchase } from '../api.mjs';
import { ask, runCommand, startScript, startService, stop } from '../children.mjs';
import { id } from '../store.mjs';
import { printRow } from './rows.mjs';

const CONNECTIONS = 8;
const POLL_MS = 200;
const DAY_MS = 86_400_000;
/** Longer than anything is kept for that is not kept for ever. */
const AGE_MS = 1_000 * DAY_MS;

/** Of a store without sales but its first ones. */
export async function printWeight({ store, dataDir, keys, size }) {
  const { databaseUrl } = { databaseUrl: store.url };
  const load = await startScript('load.mjs', { isHello: true });
  const service = await startService({ databaseUrl, dataDir });
  const { path: target, body } = toPurchase(keys.offerId);
  const round = {
    method: 'POST',
    paths: [target],
    headers: toHeaders(keys.test),
    body: JSON.stringify(body),
  };
  const sell = (requests) =>
    ask(load.child, { ...round, origins: [service.origin], requests, connections: CONNECTIONS });
  const before = await weigh(store);
  await sell(size.sales);
  while ((await countLeft(store)) > 0) await delay(POLL_MS);
  await stop(service.child);
  await stop(load.child);
  const fresh = (await weigh(store)) - before;
  for (const table of await listAged(store)) {
    await store.fill(`update ${table} set written_real_ms = written_real_ms - ${AGE_MS}`);
  }
  await runCommand('retention', ['run'], { databaseUrl, dataDir });
  const kept = (await weigh(store)) - before;
  console.log(`\nWhat a sale weighs, of ${size.sales}, without the log of the test store's requests`);
  const toKb = (bytes) => (bytes / size.sales / 1000).toFixed(1);
  console.log(`  ${'fresh'.padEnd(40)}${toKb(fresh).padStart(12)}${'aim 14'.padStart(36)}  KB`);
  console.log(
    `  ${'once all that is not kept has gone'.padEnd(40)}${toKb(kept).padStart(12)}${'aim 9'.padStart(36)}  KB`,
  );
}

/** Packed, so that what was let go does not count as room that is taken. */
async function weigh(store) {
  await store.query('vacuum full');
  const [{ bytes }] = await store.query(
    `select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'request_log%'`,
  );
  return Number(bytes);
}

async function countLeft(store) {
  const [{ count }] = await store.query(
    `select count(*)::int as count from due_work where kind in ('send_mail', 'deliver_webhook')`,
  );
  return count;
}

async function listAged(store) {
  const rows = await store.query(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'written_real_ms'`,
  );
  return rows.map(({ name }) => name);
}

/** Copies of an event that are older than any is kept, while one of the payments is read over and over. */
export async function printSweep({ store, dataDir, keys, size, service }) {
  const { databaseUrl } = { databaseUrl: store.url };
  await createApi(service.origin, keys.test)('GET', `/v0/payments/${keys.paymentIds[0]}`);
  const copies = `jsonb_build_object('id', ${id('old event', 'n')}, 'entity_id', ${id('old entity', 'n')},
    'idempotency_key', ${id('old key', 'n')}, 'written_real_ms', real_now_ms() - ${AGE_MS} + n)`;
  await store.fill(
    `insert into events select r.* from events e, generate_series(1, ${size.events}) n,
     lateral jsonb_populate_record(e, ${copies}) r
     where e.id = (select id from events order by created_at desc limit 1)`,
  );
  await store.query('analyze events');
  const load = await startScript('load.mjs', { isHello: true });
  const round = {
    ...{ method: 'GET', headers: toHeaders(keys.test), origins: [service.origin], connections: 2 },
    paths: keys.paymentIds.map((payment) => `/v0/payments/${payment}`),
    requests: size.reads,
  };
  await ask(load.child, round);
  const alone = await ask(load.child, round);
  const startedMs = performance.now();
  let isOver = false;
  const sweeping = runCommand('retention', ['run'], { databaseUrl, dataDir }).then(() => {
    isOver = true;
  });
  const beside = [];
  while (!isOver) beside.push(await ask(load.child, round));
  await sweeping;
  const tookMs = performance.now() - startedMs;
  await stop(load.child);
  const [{ count }] = await store.query(
    `select count(*)::int as count from events where written_real_ms < real_now_ms() - ${AGE_MS / 2}`,
  );
  if (count > 0) throw new Error(`${count} events were not let go`);
  console.log('\nLetting go of events, each at first of its body and then whole');
  const rate = ((2 * size.events * 1000) / tookMs).toFixed(0);
  console.log(`  ${'rows let go'.padEnd(40)}${rate.padStart(12)}${'aim 5000'.padStart(36)}  a second`);
  const p95 = beside.map((one) => one.p95).toSorted((a, b) => a - b)[Math.floor(beside.length / 2)];
  printRow('one payment meanwhile, p95', { one: alone.p95, other: p95, aim: 1.2, unit: 'ms' });
}

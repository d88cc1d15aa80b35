/**
 * `npm run bench:webhooks [-- --short]`: how many webhooks are delivered in a second beside a bare loop of the
 * same HTTP client, how soon after the change, and what it takes when many wait. See README.md.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, readCpuMs, readMemoryMib, startScript, startService, stop } from './children.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore } from './store.mjs';

const SIZE = isShort
  ? { deliveries: 1_000, rounds: 1, waiting: 5_000, seconds: 2, dead: 20 }
  : { deliveries: 10_000, rounds: 3, waiting: 100_000, seconds: 20, dead: 100 };
const EVENTS_PER_SECOND = 100;
const SECRET = 'a secret of the bench';
/** As large as the event of a purchase with one item. */
const BODY_BYTES = 2_800;

process.env.EGRESS_ALLOW_CIDRS = '127.0.0.0/8';
let store;
await runBench(main);

async function main(dataDir) {
  store = await createStore();
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  const receivers = await startScript('receivers.mjs', { verb: 'open', count: 100 });
  const bare = await startScript('bare-sender.mjs', { isHello: true });
  const run = { service, receivers: receivers.child, bare: bare.child, barePid: bare.pid, workspaceId };
  for (const count of [1, 100]) await printThroughput(run, receivers.urls.slice(0, count));
  await printMemory(run, receivers.urls.slice(0, 1));
  const silent = await startScript('receivers.mjs', { verb: 'open', count: SIZE.dead, hangs: true });
  await printLatency(run, { healthy: receivers.urls.slice(0, 1), dead: [], keys: test });
  await printLatency(run, { healthy: receivers.urls.slice(0, 1), dead: silent.urls, keys: test });
  for (const { child } of [silent, receivers, bare, service]) await stop(child);
}

async function printThroughput(run, urls) {
  const best = new Map();
  for (let round = 0; round <= SIZE.rounds; round += 1) {
    // The first round warms up.
    for (const [name, measure] of [
      ['bare', measureBare],
      ['counterfoil', measureOurs],
    ]) {
      const result = await measure(run, urls, SIZE.deliveries);
      const before = best.get(name);
      if (round > 0 && (!before || result.perSecond > before.perSecond)) best.set(name, result);
    }
  }
  console.log(`\n${SIZE.deliveries} deliveries to ${urls.length} receivers, best of ${SIZE.rounds} rounds`);
  for (const [name, { perSecond, cpuMs }] of best) {
    console.log(
      `  ${name.padEnd(12)} ${perSecond.toFixed(0).padStart(8)}/s  ${cpuMs.toFixed(3)} ms of Node each`,
    );
  }
  const ratio = best.get('counterfoil').perSecond / best.get('bare').perSecond;
  console.log(`  ratio to bare: ${ratio.toFixed(2)}`);
}

async function measureBare({ receivers, bare, barePid }, urls, count) {
  await ask(receivers, { verb: 'reset' });
  const events = Array.from({ length: count }, () => toEvent());
  const concurrency = Math.min(urls.length * 32, 128);
  const cpuMs = readCpuMs(barePid);
  const startedMs = Date.now();
  await ask(bare, { urls, secret: SECRET, events, concurrency });
  return toResult({ count, startedMs, lastMs: Date.now(), cpuMs: readCpuMs(barePid) - cpuMs });
}

async function measureOurs(run, urls, count) {
  const { service, receivers } = run;
  await ask(receivers, { verb: 'reset' });
  await putAside(run, urls, count);
  const cpuMs = readCpuMs(service.pid);
  const startedMs = Date.now();
  await release();
  const { lastMs } = await ask(receivers, { verb: 'await', count });
  await untilRecorded();
  return toResult({ count, startedMs, lastMs, cpuMs: readCpuMs(service.pid) - cpuMs });
}

function toResult({ count, startedMs, lastMs, cpuMs }) {
  return { perSecond: (count * 1000) / (lastMs - startedMs), cpuMs: cpuMs / count };
}

function toEvent() {
  const id = randomUUID();
  return { id, body: JSON.stringify({ object: 'event', id, data: { filler: 'x'.repeat(BODY_BYTES) } }) };
}

/** Webhooks, and deliveries that are not due yet: as a sale writes them, many at once. */
async function putAside({ workspaceId }, urls, count) {
  await empty();
  await addWebhooks(workspaceId, urls);
  await store.fill(
    `insert into events (workspace_id, test_mode, id, type, idempotency_key, entity_id, entity_version, body, created_at)
     select $1::uuid, true, e.id, 'payment_success', gen_random_uuid(), e.id, 1,
       '{"object":"event","id":"' || e.id || '","data":{"filler":"' || repeat('x', $2) || '"}}', 1
     from (select gen_random_uuid() as id from generate_series(1, $3)) e`,
    [workspaceId, BODY_BYTES, count],
  );
  await store.fill(
    `insert into webhook_deliveries (workspace_id, test_mode, id, webhook_id, event_id, status, created_at)
     select e.workspace_id, true, gen_random_uuid(), w.id, e.id, 'waiting', 1
     from (select *, row_number() over (order by id) % $1 as turn from events) e
     join (select *, row_number() over (order by id) - 1 as turn from webhooks) w on w.turn = e.turn`,
    [urls.length],
  );
  await store.fill(
    `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lane)
     select workspace_id, true, 'deliver_webhook', id, 9e12::bigint, 9e12::bigint, webhook_id from webhook_deliveries`,
  );
  await store.query('vacuum analyze');
}

/** The service goes on meanwhile: it may hold a row that the emptying waits for, and the other way round. */
async function empty() {
  for (;;) {
    try {
      return await store.query('truncate webhooks, webhook_deliveries, webhook_attempts, events, due_work');
    } catch (error) {
      if (error.code !== '40P01') throw error;
    }
  }
}

async function addWebhooks(workspaceId, urls) {
  await store.query(
    `insert into webhooks (workspace_id, test_mode, id, url, status, secret, events, created_at)
     select $1::uuid, true, gen_random_uuid(), url, 'active', $2, '{payment_success}', 1 from unnest($3::text[]) url`,
    [workspaceId, SECRET, urls],
  );
}

async function release() {
  await store.query('update due_work set due_ms = 0, due_real_ms = 0');
}

async function untilRecorded() {
  for (;;) {
    const [{ left }] = await store.query(
      `select count(*)::int as left from webhook_deliveries where status <> 'delivered'`,
    );
    if (left === 0) return;
    await delay(50);
  }
}

async function printMemory(run, urls) {
  await putAside(run, urls, SIZE.waiting);
  const idleMib = readMemoryMib(run.service.pid);
  await ask(run.receivers, { verb: 'reset' });
  await release();
  let mostMib = 0;
  const sample = setInterval(() => {
    mostMib = Math.max(mostMib, readMemoryMib(run.service.pid));
  }, 50);
  // While they wait and are worked off, up to a fifth of them.
  await ask(run.receivers, { verb: 'await', count: SIZE.waiting / 5 });
  clearInterval(sample);
  console.log(`\n${SIZE.waiting} deliveries wait for one receiver`);
  console.log(`  memory of Node: ${idleMib.toFixed(0)} MiB before, at most ${mostMib.toFixed(0)} MiB`);
  await empty();
  await delay(2_000);
}

/** From the start of the request that makes the event to its receipt: a little more than from the commit. */
async function printLatency(run, { healthy, dead, keys }) {
  await empty();
  await addWebhooks(run.workspaceId, [...dead, ...healthy]);
  await ask(run.receivers, { verb: 'reset' });
  const made = new Map();
  const count = SIZE.seconds * EVENTS_PER_SECOND;
  const startedMs = performance.now();
  const requests = [];
  for (let n = 0; n < count; n += 1) {
    const waitMs = startedMs + (n * 1000) / EVENTS_PER_SECOND - performance.now();
    if (waitMs > 0) await delay(waitMs);
    requests.push(makeEvent(run.service.origin, keys, made));
  }
  await Promise.all(requests);
  await ask(run.receivers, { verb: 'await', count });
  const { arrivals } = await ask(run.receivers, { verb: 'list' });
  const waits = arrivals.map(([id, atMs]) => atMs - made.get(id)).sort((a, b) => a - b);
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  console.log(
    `\n${EVENTS_PER_SECOND} events/s for ${SIZE.seconds} s, ${dead.length} silent receivers beside a healthy one`,
  );
  console.log(`  change to receipt: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${waits.at(-1)} ms`);
}

async function makeEvent(origin, keys, made) {
  const answer = await fetch(`${origin}/v0/webhooks/sendTestEvent`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-public-key': keys.publicKey,
      'x-svc-secret-key': keys.secretKey,
    },
    body: '{}',
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`no event could be made: ${JSON.stringify(body)}`);
  made.set(body.data.event.id, body.data.event.createdAt);
}

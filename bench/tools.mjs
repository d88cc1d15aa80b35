/**
 * `npm run bench:tools [-- --short]`: how many lines of an import are planned and committed in a second, how many rows
 * of a store are exported, and how much memory either takes more than an idle service has. See README.md.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readMemoryMib, startService, stop } from './children.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore, seedOrders } from './store.mjs';

/** Of buyers, each with a purchase, a key and a subscription. */
const BUYERS = isShort ? 1_000 : 12_500;
const ORDERS = isShort ? 5_000 : 100_000;
const POLL_MS = 50;
const MEMORY_POLL_MS = 20;
const DAY_MS = 86_400_000;

let service;
let keys;
await runBench(main);

async function main(folder) {
  const store = await createStore();
  service = await startService({ databaseUrl: store.url, dataDir: folder });
  keys = JSON.parse(readFileSync(path.join(folder, 'credentials.json'), 'utf8')).test;
  await measureImport();
  const [{ workspace_id: workspaceId }] = await store.query(
    'select workspace_id from api_keys where public_key = $1',
    [keys.publicKey],
  );
  await seedOrders(store, { workspaceId, count: ORDERS });
  await measureExport();
  await stop(service.child);
}

async function measureImport() {
  const lines = [...listLines(Date.now())];
  const file = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const memory = watchMemory();
  const uploaded = await timed(() => call('POST', '/v0/imports/create', file, 'application/jsonl'));
  const { id } = uploaded.value.import;
  const planned = await timed(() => untilStatus(id, 'planned'));
  const { hash } = planned.value.plan;
  const committed = await timed(async () => {
    await call('POST', `/v0/imports/${id}/commit`, JSON.stringify({ plan: hash }));
    return untilStatus(id, 'committed');
  });
  const perSecond = (ms) => ((lines.length * 1000) / ms).toFixed(0).padStart(7);
  console.log(
    `import of ${lines.length} lines, lines/s (aim 500 for all of it), memory + ${memory.stop()} MiB`,
  );
  console.log(`  received  ${perSecond(uploaded.ms)}`);
  console.log(`  planned   ${perSecond(planned.ms)}`);
  console.log(`  committed ${perSecond(committed.ms)}`);
  console.log(`  in all    ${perSecond(uploaded.ms + planned.ms + committed.ms)}`);
}

async function measureExport() {
  const memory = watchMemory();
  const { value, ms } = await timed(async () => {
    const begun = await call('POST', '/v0/exports/create', JSON.stringify({ kind: 'store' }));
    for (;;) {
      const { export: made } = await call('GET', `/v0/exports/${begun.export.id}`);
      if (made.status === 'done') return made;
      if (made.status === 'failed') throw new Error(`the export failed: ${made.reason}`);
      await delay(POLL_MS);
    }
  });
  const perSecond = ((value.rows * 1000) / ms).toFixed(0);
  console.log(`export of ${value.rows} rows and objects, ${(value.sizeBytes / 1024 ** 2).toFixed(1)} MiB`);
  console.log(`  ${perSecond} rows/s (aim 20000), memory + ${memory.stop()} MiB (aim 64)`);
}

/** Of the service beyond what it holds now. */
function watchMemory() {
  const before = readMemoryMib(service.pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, readMemoryMib(service.pid));
  }, MEMORY_POLL_MS);
  return {
    stop() {
      clearInterval(timer);
      return (most - before).toFixed(0);
    },
  };
}

async function timed(work) {
  const startedMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedMs };
}

async function untilStatus(id, status) {
  for (;;) {
    const { import: shown } = await call('GET', `/v0/imports/${id}`);
    if (shown.status === status) return shown;
    if (shown.status === 'failed') throw new Error(`the import failed: ${shown.reason}`);
    await delay(POLL_MS);
  }
}

async function call(method, route, body, contentType = 'application/json') {
  const answer = await fetch(service.origin + route, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': contentType }),
      'x-svc-public-key': keys.publicKey,
      'x-svc-secret-key': keys.secretKey,
    },
    body,
  });
  const { data, error } = await answer.json();
  if (answer.status !== 200) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(error)}`);
  return data;
}

function* listLines(nowMs) {
  const paidUntil = nowMs + 20 * DAY_MS;
  yield { kind: 'meta', format: 'counterfoil-import', version: 1, source: 'jsonl', currency: 'EUR' };
  yield { kind: 'product', ref: 'club', type: 'Subscription', name: 'Club' };
  const month = { unit: 'month', count: 1 };
  yield { kind: 'offer', ref: 'monthly', productRef: 'club', price: 1200, currency: 'EUR', interval: month };
  yield { kind: 'product', ref: 'game', type: 'SoftwareKey', name: 'Game' };
  yield { kind: 'offer', ref: 'once', productRef: 'game', price: 3000, currency: 'EUR' };
  const numbers = Array.from({ length: BUYERS }, (_, n) => n);
  for (const n of numbers)
    yield {
      ...{ kind: 'customer', ref: `c${n}`, email: `c${n}@example.com`, name: `Buyer ${n}` },
      billingDetails: { countryCode: 'CH' },
    };
  for (const n of numbers)
    yield {
      ...{ kind: 'purchase', ref: `s${n}`, customerRef: `c${n}`, value: 3570, tax: 570, currency: 'EUR' },
      ...{ country: 'CH', items: [{ offerRef: 'once', quantity: 1 }] },
      ...{ createdAt: nowMs - 400 * DAY_MS, paidAt: nowMs - 400 * DAY_MS },
    };
  for (const n of numbers)
    yield {
      kind: 'key',
      ref: `k${n}`,
      offerRef: 'once',
      purchaseRef: `s${n}`,
      key: `KEY-${n}`,
      state: 'sold',
    };
  for (const n of numbers)
    yield {
      ...{ kind: 'subscription', ref: `u${n}`, status: 'active', currency: 'EUR', customerRef: `c${n}` },
      items: [{ offerRef: 'monthly', quantity: 1, unitPrice: 1200 }],
      ...{ createdAt: paidUntil - 200 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal: 1200 },
    };
}

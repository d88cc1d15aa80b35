/**
 * `npm run bench:invoices [-- --short]`: how many invoices are finalised in a second when all take their numbers
 * from one series, and from a hundred; and how many PDFs are drawn in a second. See README.md.
 */
import { readCpuMs, startService, stop } from './children.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore, seedOrders } from './store.mjs';

const SIZE = isShort
  ? { invoices: 500, series: 10, documents: 10 }
  : { invoices: 4_000, series: 100, documents: 100 };
/** Transactions under way at a time, and rounds of each figure. */
const CONNECTIONS = 8;
const ROUNDS = isShort ? 1 : 3;
/** Documents that are drawn before those that count. */
const WARM_UP = 10;
const APPLICATION = 'counterfoil-bench-invoices';

const RATES = JSON.stringify([
  {
    name: 'VAT',
    country: 'DE',
    region: null,
    percentage: 19,
    reason: 'standard',
    taxable: 2100,
    amount: 399,
  },
]);
/** With a country and a number an invoice holds the e-invoice. */
const SETTINGS = JSON.stringify({
  sellerCountry: 'DE',
  seller: { name: 'Acme GmbH', address: 'Hauptstraße 12', city: 'Berlin', taxNumber: 'DE136695976' },
});

let store;
let dataDir;
/** Of what is sold once. */
const NO_PERIOD = { periodStart: null, periodEnd: null };

await runBench(main);

async function main(folder) {
  dataDir = folder;
  store = await createStore();
  const service = await startService({ databaseUrl: store.url, dataDir });
  await stop(service.child);
  const { openDatabase } = await import('../server/src/db/database.ts');
  const { createIds } = await import('../server/src/main/ids.ts');
  const { parseConfig } = await import('../server/src/config.ts');
  const url = new URL(store.url);
  url.searchParams.set('application_name', APPLICATION);
  const database = openDatabase({
    connectionString: url.href,
    maxConnections: CONNECTIONS,
    acquireTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  });
  const ctx = {
    db: database.db,
    ids: createIds(),
    config: parseConfig({ DATA_DIR: dataDir }),
    nowMs: Date.now(),
  };
  try {
    const workspaces = await seed(ctx);
    await printFinalising(ctx, [
      [workspaces[0], `one series`],
      [workspaces.slice(1), `${SIZE.series} series`],
    ]);
  } finally {
    await database.close();
  }
  await printDrawing();
}

/** One workspace with all payments of the first figure, and as many payments over the others. */
async function seed({ db, ids, nowMs }) {
  const { createWorkspace } = await import('../server/src/flows/workspaces/create-workspace.ts');
  const { inTransaction } = await import('../server/src/db/transaction.ts');
  const workspaces = [];
  let first = 1;
  for (let index = 0; index <= SIZE.series; index += 1) {
    const input = {
      name: `Shop ${index}`,
      ownerEmail: `${index}@example.com`,
      ownerPasswordHash: '-',
      nowMs,
    };
    const { workspaceId } = await inTransaction(db, (tx) => createWorkspace(tx, ids, input));
    const total = SIZE.invoices * (ROUNDS + 1);
    const count = index === 0 ? total : total / SIZE.series;
    await seedOrders(store, { workspaceId, count, first, isLast: false });
    workspaces.push(workspaceId);
    first += count;
  }
  await store.query('update order_items set tax_rates = $1', [RATES]);
  await store.query('update stores set settings = $1', [SETTINGS]);
  await store.query('vacuum analyze');
  return workspaces;
}

async function printFinalising(ctx, figures) {
  console.log(`Invoices finalised, ${CONNECTIONS} connections, each in a transaction of its own`);
  for (const [workspaces, title] of figures) {
    const payments = await listPayments([workspaces].flat());
    let best;
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const result = await finalise(ctx, payments.slice(round * SIZE.invoices, (round + 1) * SIZE.invoices));
      if (round > 0 && (!best || result.perSecond > best.perSecond)) best = result;
    }
    const { perSecond, nodeMs, postgresMs } = best;
    const cpu = `${nodeMs.toFixed(3)} ms of Node, ${postgresMs.toFixed(3)} ms of PostgreSQL each`;
    console.log(`  ${title.padEnd(14)}${perSecond.toFixed(0).padStart(8)}/s   ${cpu}`);
  }
}

/** In an order that meets all workspaces by turns. */
async function listPayments(workspaces) {
  return store.query(
    `select id, workspace_id as "workspaceId" from payments where workspace_id = any($1)
    order by row_number() over (partition by workspace_id order by number), workspace_id`,
    [workspaces],
  );
}

async function finalise(ctx, payments) {
  const { issueInvoice } = await import('../server/src/flows/accounting/issue-invoice.ts');
  const { lockSale } = await import('../server/src/resources/sales/locked-sale.queries.ts');
  const { loadSaleRows } = await import('../server/src/resources/sales/sale.view.ts');
  const { inTransaction } = await import('../server/src/db/transaction.ts');
  const waiting = payments.values();
  async function work() {
    for (const { id: paymentId, workspaceId } of waiting) {
      const scope = { workspaceId, testMode: true };
      await inTransaction(ctx.db, async (tx) => {
        const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
        const { orderId } = sale;
        const { items } = await loadSaleRows(tx, scope, { orderId, paymentId, publicUrl: '' });
        await issueInvoice(ctx, scope, { tx, sale, items, method: null, firstPeriod: NO_PERIOD });
      });
    }
  }
  const before = await readCpu();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const tookMs = performance.now() - startedMs;
  const after = await readCpu();
  return {
    perSecond: (payments.length * 1000) / tookMs,
    nodeMs: (after.nodeMs - before.nodeMs) / payments.length,
    postgresMs: (after.postgresMs - before.postgresMs) / payments.length,
  };
}

async function readCpu() {
  const backends = await store.listBackends(APPLICATION);
  const postgresMs = backends.reduce((sum, pid) => sum + readCpuMs(pid), 0);
  return { nodeMs: readCpuMs(process.pid), postgresMs };
}

/** As the service draws them: one after the other in a thread, which reads the snapshot from its text. */
async function printDrawing() {
  const { createRenderThread } = await import('../server/src/documents/render-thread.ts');
  const snapshots = await store.query(
    'select id, workspace_id as "workspaceId", snapshot from invoices limit $1',
    [SIZE.documents],
  );
  console.log('\nPDFs drawn, in one thread');
  for (const [title, name] of [
    ['Latin', 'Nebula, the game'],
    ['with Japanese', '星雲のゲーム（デラックス版）'],
  ]) {
    const thread = createRenderThread();
    const draw = ({ id, workspaceId, snapshot }) =>
      thread.render({
        snapshot: snapshot.replaceAll('"name":"Game"', `"name":"${name}"`),
        dataDir,
        place: { workspaceId, testMode: true, id },
      });
    // The first ones start the thread, open the fonts and have the code compiled.
    for (const row of snapshots.slice(0, WARM_UP)) await draw(row);
    const before = readCpuMs(process.pid);
    const startedMs = performance.now();
    let bytes = 0;
    for (const row of snapshots) bytes += (await draw(row)).length;
    const tookMs = performance.now() - startedMs;
    const cpuMs = (readCpuMs(process.pid) - before) / snapshots.length;
    await thread.close();
    const each = `${cpuMs.toFixed(0)} ms of Node, ${(bytes / snapshots.length / 1024).toFixed(0)} KiB each`;
    console.log(
      `  ${title.padEnd(14)}${((snapshots.length * 1000) / tookMs).toFixed(1).padStart(8)}/s   ${each}`,
    );
  }
}

/**
 * `npm run bench:lists [-- --short | --orders=N]`: the ten filters and sorts that merchants use most, among a million
 * orders of one store: first page and 10,000th page by cursor through the API, and the plan of each query.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { createApi } from './api.mjs';
import { startService, stop } from './children.mjs';
import { isShort, readSize, runBench } from './run-bench.mjs';
import { createStore, seedManyOrders } from './store.mjs';

const ORDERS = readSize('orders', isShort ? 20_000 : 1_000_000);
const PAGE = 20;
/** The page that is asked for by cursor, or the last one where fewer match. */
const DEEP_PAGE = isShort ? 100 : 10_000;
const ROUNDS = 30;
const YEAR_MS = 31_536_000_000;

const VARIETY = {
  status: `(array['PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID','PAID',
    'PAID','PAID','FAILED','EXPIRED','CANCELLED','PAID'])[1 + n % 20]`,
  value: `500 + (n::bigint * 7919) % 9500`,
  country: `(array['DE','US','GB','FR','PL','JP','NL','SE','AT','CH'])[1 + (n * 31) % 10]`,
  customFields: `case when n % 2000 = 0 then jsonb_build_object('steam', 'player-' || n) else '{}'::jsonb end`,
};

let store;
await runBench(main);

async function main(dataDir) {
  store = await createStore();
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const api = createApi(service.origin, test);
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  const { product } = await api('POST', '/v0/products/create', { type: 'Game', name: 'Game' });
  const { offer } = await api('POST', '/v0/offers/create', {
    productId: product.id,
    price: 2499,
    currency: 'USD',
  });
  const { checkoutElement } = await api('POST', '/v0/elements/checkout/create', { offersIds: [offer.id] });
  const variety = {
    ...VARIETY,
    checkoutId: `case when n % 100 = 0 then '${checkoutElement.id}'::uuid end`,
  };
  await seedManyOrders(store, { workspaceId, offerId: offer.id, count: ORDERS, variety });
  const [user] = await store.query("select id, email from users where email = 'seed-77@example.com'");
  console.log(
    `${ORDERS} orders of one store, pages of ${PAGE}, middle of ${ROUNDS} requests one after the other`,
  );
  console.log(
    `  ${'filter'.padEnd(34)}${'first ms'.padStart(10)}${'deep ms'.padStart(10)}${'page'.padStart(8)}`,
  );
  const filters = listFilters({ user, checkoutId: checkoutElement.id });
  for (const filter of filters) await printFilter(api, filter);
  console.log('\nPlans of the first pages');
  for (const filter of filters) await printPlan({ workspaceId, testMode: true }, filter);
  await stop(service.child);
}

/** As a query of the API, and as the filter that the handler makes of it. */
function listFilters({ user, checkoutId }) {
  const now = Date.now();
  const createdFrom = now - YEAR_MS / 2;
  const createdTo = now - YEAR_MS / 4;
  return [
    { title: 'newest', query: {}, filter: {} },
    { title: 'status PAID', query: { statuses: 'PAID' }, filter: { statuses: ['PAID'] } },
    { title: 'status EXPIRED (5 %)', query: { statuses: 'EXPIRED' }, filter: { statuses: ['EXPIRED'] } },
    {
      title: 'two statuses',
      query: { statuses: 'FAILED,CANCELLED' },
      filter: { statuses: ['FAILED', 'CANCELLED'] },
    },
    { title: 'a quarter of the year', query: { createdFrom, createdTo }, filter: { createdFrom, createdTo } },
    { title: 'country DE', query: { countries: 'DE' }, filter: { countries: ['DE'] } },
    { title: 'one buyer', query: { userId: user.id }, filter: { userId: user.id } },
    { title: 'e-mail', query: { term: user.email }, filter: { term: user.email } },
    { title: 'one checkout', query: { checkoutIds: checkoutId }, filter: { checkoutIds: [checkoutId] } },
    {
      title: 'custom field',
      query: { customFields: JSON.stringify({ steam: 'player-4000' }) },
      filter: { customFields: { steam: 'player-4000' } },
    },
    {
      title: 'largest first, from 90.00',
      query: { orderBy: 'value', valueFrom: 9000 },
      filter: { orderBy: 'value', valueFrom: 9000 },
    },
  ];
}

async function printFilter(api, { title, query }) {
  const list = (more) => api('GET', `/v0/orders/list?${new URLSearchParams({ ...query, ...more })}`);
  const first = await middleMs(() => list({ take: PAGE }));
  const count = (await list({ take: 1, returnCount: 'true' })).count;
  const page = Math.min(DEEP_PAGE, Math.floor(count / PAGE));
  let deep = null;
  if (page > 1) {
    const { cursor } = await list({ take: 1, skip: (page - 1) * PAGE - 1 });
    deep = await middleMs(() => list({ take: PAGE, cursor }));
  }
  const cells = [first.toFixed(1), deep === null ? '' : deep.toFixed(1), deep === null ? '' : String(page)];
  console.log(`  ${title.padEnd(34)}${cells[0].padStart(10)}${cells[1].padStart(10)}${cells[2].padStart(8)}`);
}

async function middleMs(ask) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    await ask();
    times.push(performance.now() - startedMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

/** The very query of the service's code, explained. */
async function printPlan(scope, { title, filter }) {
  const { listOrders } = await import('../server/src/resources/orders/list-orders.queries.ts');
  const sent = [];
  await listOrders(
    captureQueries(sent),
    scope,
    { archived: 'without', ...filter },
    { take: PAGE, skip: 0, after: null },
  );
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const text = `explain (analyze, costs off, timing off, summary off) ${sent[0].sql}`;
  const { rows } = await client.query(text, sent[0].parameters);
  await client.end();
  console.log(`\n${title}`);
  for (const row of rows) console.log(`  ${row['QUERY PLAN']}`);
}

/** A database that takes queries and answers none. */
function captureQueries(sent) {
  const connection = {
    executeQuery: async (query) => {
      sent.push(query);
      return { rows: [] };
    },
  };
  const driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: () => null,
  };
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
}

/**
 * `npm run bench:dashboard [-- --short]`: what the dashboard asks most, of a store with a million orders of the last
 * year: lists, figures of twelve months, the rows behind them, and changes where there are such, through the API; then its
 * screens in Chromium.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, stop } from './children.mjs';
import { printScreens } from './dashboard/screens.mjs';
import { isShort, readSize, runBench } from './run-bench.mjs';
import { createStore, id, seedOrders } from './store.mjs';

const ORDERS = readSize('orders', isShort ? 20_000 : 1_000_000);
const SUBSCRIPTIONS = Math.round(ORDERS / 20);
const ROUNDS = isShort ? 5 : 40;
const SCREENS = isShort ? { loads: 1, navigations: 8 } : { loads: 7, navigations: 200 };
const YEAR_MS = 31_536_000_000;
const CLOSING_POLL_MS = 500;
const CLOSING_LIMIT_MS = 600_000;
/** Fewer payments than this are not summed up. */
const OPEN_PAYMENTS_MAX = 2_000;

const VARIETY = {
  value: `500 + (n::bigint * 7919) % 9500`,
  country: `(array['DE','US','GB','FR','PL','JP','NL','SE','AT','CH'])[1 + (n * 31) % 10]`,
};

let store;
await runBench(main);

async function main(dataDir) {
  store = await createStore();
  // It makes the store; what is filled in afterwards is summed up by the next one.
  const first = await startService({ databaseUrl: store.url, dataDir });
  const { test, owner } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  await stop(first.child);
  const [{ workspaceId }] = await store.query('select id as "workspaceId" from workspaces');
  await seed(workspaceId);
  const service = await startService({ databaseUrl: store.url, dataDir });
  await waitForSums(workspaceId);
  const ask = createAsker(service.origin, test);
  console.log(
    `${ORDERS} orders, ${SUBSCRIPTIONS} subscriptions; ${ROUNDS} requests each, one after the other`,
  );
  console.log(
    `  ${'request'.padEnd(52)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}${'budget'.padStart(9)}`,
  );
  for (const scenario of await listScenarios(ask)) await print(ask, scenario);
  await printScreens({ origin: service.origin, workspaceId, owner, size: SCREENS });
  await stop(service.child);
}

async function seed(workspaceId) {
  await seedOrders(store, { workspaceId, count: ORDERS, isLast: false, variety: VARIETY });
  const createdAt = (n) =>
    `((extract(epoch from now()) * 1000)::bigint - (${SUBSCRIPTIONS} - ${n}) * (${YEAR_MS} / ${SUBSCRIPTIONS}))`;
  const statements = [
    `insert into ledger_entries (workspace_id, test_mode, entry_id, account, currency, amount, kind, source_id,
       payment_id, created_at)
     select p.workspace_id, p.test_mode, p.id, line.account, p.currency, line.amount, 'charge', p.id, p.id, p.paid_at
     from payments p cross join lateral (values ('processor_clearing', p.value - p.fee), ('fees', p.fee),
       ('sales', p.tax - p.value), ('tax_payable', -p.tax)) line (account, amount)`,
    // One in 33 was declined at the first try, and came in a minute later.
    `insert into charges (workspace_id, test_mode, id, payment_id, status, amount, currency, processor, off_session,
       settled_at, created_at)
     select workspace_id, test_mode, gen_random_uuid(), payment_id, 'failed', amount, currency, processor, false,
       settled_at - 60000, created_at - 60000
     from charges where get_byte(uuid_send(id), 7) % 33 = 0`,
    `insert into subscriptions (workspace_id, test_mode, id, number, order_id, user_id, status, currency, value,
       recurring_interval, recurring_interval_count, trial_start, trial_end, created_at)
     select '${workspaceId}', true, ${id('subscription', 'n')}, 'S' || lpad(n::text, 11, 'Z'), ${id('order', 'n')},
       ${id('user', `n % ${Math.max(1, Math.round(ORDERS / 5))}`)}, case when n % 5 = 0 then 'canceled' else 'active' end,
       'USD', 1000, 'month', 1, case when n % 10 = 1 then ${createdAt('n')} end,
       case when n % 10 = 1 then ${createdAt('n')} + 604800000 end, ${createdAt('n')}
     from generate_series(1, ${SUBSCRIPTIONS}) n`,
    `insert into mrr_movements (workspace_id, test_mode, subscription_id, position, kind, delta, after, currency, at,
       cause)
     select workspace_id, test_mode, id, 1, 'new', 1000, 1000, 'USD', created_at, 'active' from subscriptions
     union all
     select workspace_id, test_mode, id, 2, 'churn', -1000, 0, 'USD', created_at + 1000, 'canceled'
     from subscriptions where status = 'canceled'`,
    `update orders set paid_at = created_at where paid_at is null`,
    // What a trigger does to payments that become paid.
    `update payments p set is_first_of_user = true from (
       select distinct on (user_id) id from payments where type in ('one_time', 'subscription_initial')
       order by user_id, paid_at, id) f where p.id = f.id`,
    // And what another one does to those that were declined at the first try.
    `update payments p set first_failed_at = c.settled_at
     from charges c where c.payment_id = p.id and c.status = 'failed'`,
  ];
  for (const statement of statements) await store.fill(statement);
  await store.query('vacuum analyze');
}

/** The upkeep of the service sums up what was filled in. */
async function waitForSums(workspaceId) {
  const startedMs = performance.now();
  const until = startedMs + CLOSING_LIMIT_MS;
  for (;;) {
    const [{ open }] = await store.query(
      `select count(*)::int as open from (select from payments p where p.workspace_id = $1 and p.test_mode
        and p.paid_at >= coalesce((select closed_until from figure_sum_closings c where c.workspace_id = $1 and c.test_mode), 0)
        limit ${OPEN_PAYMENTS_MAX}) p`,
      [workspaceId],
    );
    if (open < OPEN_PAYMENTS_MAX) break;
    if (performance.now() > until) throw new Error('the quarter hours were not summed up');
    await delay(CLOSING_POLL_MS);
  }
  await store.query('analyze figure_sums');
  console.log(`summed up in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

async function listScenarios(ask) {
  const to = Date.now();
  const from = to - YEAR_MS;
  const window = { from, to, currency: 'USD', timezone: 'Europe/Berlin' };
  const six = 'grossVolume,netVolume,orders,mrr,refundRate,failedPaymentRate';
  const { cursor } = await ask('/v0/orders/list', { take: 1, skip: Math.min(500_000, ORDERS / 2) });
  const rows = (metric, more = {}) => ({
    title: `rows of ${metric}${more.groupBy ? ' by country' : ''}, 50`,
    path: '/v0/reports/rows',
    query: { from, to, currency: 'USD', metric, take: 50, ...more },
    budgetMs: 50,
  });
  const series = (title, more) => ({
    ...{ title: `timeseries, 12 months, ${title}`, path: '/v0/reports/timeseries', budgetMs: 300 },
    query: { ...window, ...more },
  });
  return [
    { title: 'orders, 50', path: '/v0/orders/list', query: { take: 50 }, budgetMs: 50 },
    { title: 'orders, page 10,000', path: '/v0/orders/list', query: { take: 50, cursor }, budgetMs: 50 },
    { title: 'payments, 50', path: '/v0/payments/list', query: { take: 50 }, budgetMs: 50 },
    { title: 'subscriptions, 50', path: '/v0/subscriptions/list', query: { take: 50 }, budgetMs: 50 },
    { title: 'users, 50', path: '/v0/users/list', query: { take: 50 }, budgetMs: 50 },
    {
      title: 'overview, 12 months and those before',
      path: '/v0/reports/overview',
      query: window,
      budgetMs: 300,
    },
    series('six metrics by months', { metrics: six, interval: 'month' }),
    series('six metrics by days', { metrics: six, interval: 'day' }),
    series('by days of Kathmandu', { metrics: six, interval: 'day', timezone: 'Asia/Kathmandu' }),
    series('gross volume by weeks and country', {
      metrics: 'grossVolume',
      interval: 'week',
      groupBy: 'country',
    }),
    rows('grossVolume'),
    rows('refunds'),
    rows('netVolume'),
    rows('orders'),
    rows('newCustomers'),
    rows('failedPaymentRate'),
    rows('mrr'),
    rows('mrrChurn'),
    { title: 'changes without news', path: '/v0/changes', query: {}, budgetMs: null, mayLack: true },
    {
      title: 'search of an e-mail',
      path: '/v0/search',
      query: { q: 'seed-77@' },
      budgetMs: 150,
      mayLack: true,
    },
  ];
}

async function print(ask, { title, path: target, query, budgetMs, mayLack = false }) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startedMs = performance.now();
    const data = await ask(target, query, { mayLack });
    if (data === null) return;
    // The first one makes plans and fills caches.
    if (round > 0) times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  const budget = budgetMs === null ? '' : String(budgetMs);
  console.log(`  ${title.padEnd(52)}${at(0.5).padStart(9)}${at(0.95).padStart(9)}${budget.padStart(9)}`);
}

function createAsker(origin, keys) {
  const headers = { 'x-svc-public-key': keys.publicKey, 'x-svc-secret-key': keys.secretKey };
  /** Null of an operation that this build does not have. */
  return async (target, query, { mayLack = false } = {}) => {
    const answer = await fetch(`${origin}${target}?${new URLSearchParams(query)}`, { headers });
    const parsed = await answer.json();
    if (answer.status === 404 && mayLack) return null;
    if (answer.status !== 200) throw new Error(`GET ${target}: ${JSON.stringify(parsed)}`);
    return parsed.data;
  };
}

/** The bench's database: made, filled with a shop of a good size in one go, measured and dropped. */
import { existsSync } from 'node:fs';
import pg from 'pg';

const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
/** Before the number of the process. */
const PREFIX = 'counterfoil_bench_';
const USERS_PER_ORDER = 0.2;

/** The databases that were made and not yet dropped. */
const stores = new Set();

export async function dropStores() {
  await Promise.all([...stores].map((store) => store.drop()));
}

/** Creates a database of its own on the server of DATABASE_URL. */
export async function createStore() {
  const adminUrl = process.env.DATABASE_URL ?? DEFAULT_URL;
  const name = `${PREFIX}${process.pid}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const store = toStore({ admin, name, url });
  stores.add(store);
  await dropOrphans(admin);
  await admin.query(`create database ${name}`);
  return store;
}

/** Databases of benches on this machine that were killed: nobody else can drop them. */
async function dropOrphans(admin) {
  const { rows } = await admin.query('select datname from pg_database where starts_with(datname, $1)', [
    PREFIX,
  ]);
  for (const { datname } of rows) {
    if (!existsSync(`/proc/${datname.slice(PREFIX.length)}`)) {
      await admin.query(`drop database if exists ${datname} with (force)`);
    }
  }
}

function toStore({ admin, name, url }) {
  const store = {
    url: url.href,
    /** Runs one statement in the database, on a connection that is closed again: it must not count as load. */
    query: (text, values) => run(url, [{ text, values }]),
    /**
     * The same of one that writes many rows, which are right by construction: what they refer to is not looked up, each
     * time with a plan for a table that was empty when the statement began. Only a superuser may ask for it.
     */
    fill: (text, values) => run(url, [{ text: UNCHECKED }, { text, values }]),
    /** Process ids of the connections that a server of the bench holds, by its application's name. */
    async listBackends(applicationName) {
      const { rows } = await admin.query(
        `select pid from pg_stat_activity
         where datname = $1 and application_name = $2 and backend_type = 'client backend'`,
        [name, applicationName],
      );
      return rows.map(({ pid }) => pid);
    },
    async drop() {
      stores.delete(store);
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
  return store;
}

const UNCHECKED = 'set session_replication_role = replica; set synchronous_commit = off';

async function run(url, statements) {
  const client = new pg.Client({ connectionString: url.href, application_name: 'bench' });
  // When its database is dropped under it, the query says so.
  client.on('error', () => {});
  await client.connect();
  try {
    let rows;
    for (const { text, values } of statements) ({ rows } = await client.query(text, values));
    return rows;
  } finally {
    await client.end();
  }
}

/** SQL of what may differ from order to order, by its running number n. */
const ALIKE = {
  status: `'PAID'`,
  value: '2499',
  country: `'DE'`,
  checkoutId: 'null::uuid',
  customFields: `'{}'::jsonb`,
};

/**
 * Orders of one item each, with user, payment and charge, spread over the last year; all alike and paid unless
 * `variety` says otherwise. Without an offer the items have a price of their own. Of several workspaces each
 * begins with another `first`: links are unique among all. `isLast` = no more will follow. `of` = what they are a part
 * of: `{count, newUsers: [from, to]}`.
 */
export async function seedOrders(
  store,
  { workspaceId, testMode = true, offerId = null, count, first = 1, isLast = true, variety = {}, of = null },
) {
  const users = toUsers(of?.count ?? count);
  const [firstUser, lastUser] = of?.newUsers ?? [0, users - 1];
  const offer = offerId === null ? 'null::uuid' : `'${offerId}'`;
  const last = first + count - 1;
  const year = of ? { latest: of.count, share: of.count } : { latest: last, share: count };
  const place = { workspaceId, testMode, offer, first, last, users, firstUser, lastUser };
  const values = { ...place, ...year, ...ALIKE, ...variety };
  for (const statement of [USERS, ORDERS, ITEMS, PAYMENTS, CHARGES]) {
    // Only numbers and ids that we were given by our own service: nothing to escape.
    const text = statement.replace(/\$(\w+)/g, (_, name) => values[name]);
    await store.fill(text);
  }
  // Without statistics the planner would guess, on both sides.
  if (isLast) await store.query('vacuum analyze');
}

const toUsers = (orders) => Math.max(1, Math.round(orders * USERS_PER_ORDER));

/** So many orders are written by one statement. */
const AT_ONCE = 1_000_000;

/** The same in parts, whatever their number; `from` = how many the store has by the same means already. */
export async function seedManyOrders(store, { count, from = 0, ...seeded }) {
  let users = from === 0 ? 0 : toUsers(from);
  for (let first = from + 1; first <= count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE - 1);
    const newUsers = [users, toUsers(last) - 1];
    users = newUsers[1] + 1;
    const part = { count: last - first + 1, first, isLast: last === count, of: { count, newUsers } };
    await seedOrders(store, { ...seeded, ...part });
  }
}

/** Ids that rise with n, as the service's own rise with time: pages of an index are filled one after the other. */
export const id = (kind, n) =>
  `rpad(substr(md5('${kind}'), 1, 8) || lpad(to_hex(${n}), 8, '0'), 32, '0')::uuid`;
const createdAt = `(extract(epoch from now()) * 1000)::bigint - ($latest - n)::bigint * (31536000000 / $share)`;
const number = `lpad(n::text, 12, 'Z')`;

const USERS = `
  insert into users (workspace_id, test_mode, id, email, email_normal, username, billing_details, created_at)
  select '$workspaceId', $testMode, ${id('user', 'n')}, 'seed-' || n || '@example.com', 'seed-' || n || '@example.com',
    'seed-' || n, '{"type":"individual","countryCode":"DE"}', 1700000000000 + n
  from generate_series($firstUser, $lastUser) n`;

const ORDERS = `
  insert into orders (workspace_id, test_mode, id, number, status, type, value, tax, fee, total_items, country,
    currency, user_id, last_payment_id, billing_details, holds, paid_at, version, checkout_id, created_at)
  select '$workspaceId', $testMode, ${id('order', 'n')}, ${number}, $status, 'one_time', $value, 399, 102, 1, $country, 'USD',
    ${id('user', 'n % $users')}, ${id('payment', 'n')}, '{"type":"individual","countryCode":"DE"}', 'used',
    ${createdAt}, 1, $checkoutId, ${createdAt}
  from generate_series($first, $last) n`;

const ITEMS = `
  insert into order_items (workspace_id, test_mode, id, order_id, position, offer_id, name, unit_price, quantity,
    currency, subtotal, discount, tax, total, inclusive, tax_reason, fulfilment, custom_fields, created_at)
  select '$workspaceId', $testMode, ${id('item', 'n')}, ${id('order', 'n')}, 0, $offer, 'Game', $value, 1, 'USD', $value,
    0, 399, $value, true, 'standard', 'none', $customFields, ${createdAt}
  from generate_series($first, $last) n`;

const PAYMENTS = `
  insert into payments (workspace_id, test_mode, id, order_id, order_number, number, type, status, value, tax, fee,
    currency, country, user_id, invoice_number, pay_token, paid_at, version, created_at)
  select '$workspaceId', $testMode, ${id('payment', 'n')}, ${id('order', 'n')}, ${number}, ${number}, 'one_time', $status,
    $value, 399, 102, 'USD', $country, ${id('user', 'n % $users')}, 'SEED-' || lpad(n::text, 6, '0'), 'seed-' || n,
    ${createdAt}, 1, ${createdAt}
  from generate_series($first, $last) n`;

const CHARGES = `
  insert into charges (workspace_id, test_mode, id, payment_id, status, amount, currency, fee, processor,
    processor_id, off_session, ip_address, payment_method, settled_at, created_at)
  select '$workspaceId', $testMode, ${id('charge', 'n')}, ${id('payment', 'n')}, 'succeeded', $value, 'USD', 102, 'sandbox',
    'sbx_ch_' || n, false, '127.0.0.1', '{"type":"card","brand":"visa","last4":"4242","card":{"brand":"visa",
    "last4":"4242","country":"US","network":"visa","wallet":null}}', ${createdAt}, ${createdAt}
  from generate_series($first, $last) n`;

/**
 * Copies of the one subscription of a store, each with its buyer, card, initial payment and due work. `isOver`:
 * their first period has just ended, and nothing takes up the renewal until `due_work` says when.
 */
export async function seedSubscriptions(store, { workspaceId, count, isOver }) {
  const [original] = await store.query(
    `select s.id, s.current_interval_end - s.current_interval_start + 1000 as "lengthMs",
      (extract(epoch from now()) * 1000)::bigint - s.created_at as "ageMs" from subscriptions s`,
  );
  const shift = isOver ? Number(original.lengthMs) + Number(original.ageMs) : 0;
  const texts = COPIES.map(({ table, where = 'true', columns }) => {
    const changes = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
    return `insert into ${table} select r.* from ${table} o, generate_series(1, ${count}) n,
      lateral jsonb_populate_record(o, jsonb_build_object(${changes.join(', ')})) r
      where o.workspace_id = '${workspaceId}' and ${where}`;
  });
  // In one transaction: order and subscription name each other.
  await store.fill(
    texts
      .join(';')
      .replaceAll('$shift', String(shift))
      .replaceAll('$due', isOver ? NEVER : 'o.due_ms'),
  );
  await store.query('vacuum analyze');
}

/** When work is due that waits until it is told to begin. */
export const NEVER = '9000000000000000';

const copyId = (kind) => id(kind, 'n');
const copyText = (column) => `o.${column} || '-' || n`;
const sale = { order_id: copyId('order') };
const COPIES = [
  {
    table: 'users',
    columns: {
      id: copyId('user'),
      email: `'seed-' || n || '@example.com'`,
      email_normal: `'seed-' || n || '@example.com'`,
      username: copyText('username'),
    },
  },
  { table: 'payment_methods', columns: { id: copyId('method'), user_id: copyId('user') } },
  {
    table: 'subscriptions',
    columns: {
      id: copyId('subscription'),
      number: copyText('number'),
      ...sale,
      user_id: copyId('user'),
      payment_method_id: copyId('method'),
      last_payment_id: copyId('payment'),
      anchor_at: 'o.anchor_at - $shift',
      current_interval_start: 'o.current_interval_start - $shift',
      current_interval_end: 'o.current_interval_end - $shift',
    },
  },
  {
    table: 'subscription_items',
    columns: { id: copyId('subscription item'), subscription_id: copyId('subscription') },
  },
  {
    table: 'orders',
    columns: {
      id: copyId('order'),
      number: copyText('number'),
      user_id: copyId('user'),
      subscription_id: copyId('subscription'),
      last_payment_id: copyId('payment'),
    },
  },
  { table: 'order_items', columns: { id: copyId('order item'), ...sale } },
  {
    table: 'payments',
    columns: {
      id: copyId('payment'),
      ...sale,
      order_number: copyText('order_number'),
      number: copyText('number'),
      pay_token: copyText('pay_token'),
      user_id: copyId('user'),
      subscription_id: copyId('subscription'),
    },
  },
  {
    table: 'charges',
    columns: {
      id: copyId('charge'),
      payment_id: copyId('payment'),
      processor_id: copyText('processor_id'),
    },
  },
  {
    table: 'due_work',
    where: `o.kind = 'advance_subscription'`,
    columns: { ref_id: copyId('subscription'), due_ms: '$due', due_real_ms: '$due' },
  },
];

/** What a page, a search and a look at changes read, of a store that grows: rows and statements, not time. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { countRead, countWorkers, type Plan } from '../support/plan-rows.ts';

const FEW = 10_000;
const MANY = 100_000;

interface Asked {
  text: string;
  values: unknown[];
}

/** What the service reads; each connection takes this way from its beginning. */
const asked: Asked[] = [];
const connections = new Set<pg.Client>();
const ask = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
  connections.add(this);
  const [first, second] = given as [string | Partial<Asked>, unknown];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  const values = typeof first === 'string' ? second : first?.values;
  if (/^\s*(select|with)/i.test(text)) asked.push({ text, values: Array.isArray(values) ? values : [] });
  return ask.apply(this, given);
} as unknown as typeof pg.Client.prototype.query;

let app: TestApp;
let orderId: string;
beforeAll(async () => {
  // A busy machine takes its time to write so many orders.
  app = await createTestApp({}, undefined, { limits: { statementTimeoutMs: 600_000 } });
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
  orderId = body.data.order.id;
});
// Copies of an order have no charges and no entries of their own: the invariants are not asked.
afterAll(async () => {
  pg.Client.prototype.query = ask as typeof pg.Client.prototype.query;
  await app.close();
});

/** As many more orders like the one that was made, each of a buyer of its own, with payment, item and event. */
async function copyOrders(first: number, last: number): Promise<void> {
  const id = (name: string) => `(md5('${name}' || n))::uuid`;
  const created = `'created_at', o.created_at - (${MANY} - n) * 1000`;
  const copy = (table: string, where: string, fields: string) => `
    insert into ${table} select r.* from ${table} o, generate_series($1::bigint, $2::bigint) n,
      lateral jsonb_populate_record(o, jsonb_build_object(${fields})) r where ${where}`;
  const statements = [
    copy(
      'users',
      `o.id = (select user_id from orders where id = '${orderId}')`,
      `'id', ${id('u')}, 'email', 'copy-' || n || '@example.com', 'email_normal', 'copy-' || n || '@example.com', ${created}`,
    ),
    copy(
      'orders',
      `o.id = '${orderId}'`,
      `'id', ${id('o')}, 'number', 'C' || lpad(n::text, 11, '0'), 'user_id', ${id('u')},
        'last_payment_id', ${id('p')}, 'paid_at', o.created_at - (${MANY} - n) * 1000, ${created}`,
    ),
    copy('order_items', `o.order_id = '${orderId}'`, `'id', ${id('i')}, 'order_id', ${id('o')}`),
    copy(
      'payments',
      `o.order_id = '${orderId}'`,
      `'id', ${id('p')}, 'order_id', ${id('o')}, 'user_id', ${id('u')}, 'number', 'C' || lpad(n::text, 11, '0'),
        'order_number', 'C' || lpad(n::text, 11, '0'), 'pay_token', 'T' || n,
        'paid_at', o.created_at - (${MANY} - n) * 1000, ${created}`,
    ),
  ];
  for (const statement of statements) await app.service.pool.query(statement, [first, last]);
  await app.service.pool.query('analyze');
}

/** As it would be of a store so large that workers of its own seem worth their start. */
async function explain(text: string, values: unknown[]): Promise<Plan> {
  const client = await app.service.pool.connect();
  try {
    await client.query(
      'begin; set local max_parallel_workers_per_gather = 2; set local parallel_setup_cost = 0',
    );
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** The reads of a request, each carried out once more to see what it reads. */
async function costOf(path: string, query: Record<string, string>) {
  asked.splice(0);
  const answer = await app.test.get(path, { query });
  const reads = asked.splice(0);
  expect(answer.status, answer.text).toBe(200);
  expect(reads.length).toBeGreaterThan(0);
  let [read, workers] = [0, 0];
  for (const { text, values } of reads) {
    const plan = await explain(text, values);
    read += countRead(plan);
    workers += countWorkers(plan);
  }
  return { statements: reads.length, read: Math.round(read), workers };
}

async function costs(cursor: string) {
  return {
    orders: await costOf('/v0/orders/list', { take: '50', cursor }),
    country: await costOf('/v0/orders/list', { take: '50', cursor, countries: 'DE' }),
    payments: await costOf('/v0/payments/list', { take: '50', cursor }),
    ofNumber: await costOf('/v0/orders/list', { term: 'C00000004711' }),
    ofEmail: await costOf('/v0/orders/list', { term: 'Copy-4711@example.com' }),
    paidByEmail: await costOf('/v0/payments/list', { term: 'copy-4711@example.com' }),
    subscribed: await costOf('/v0/subscriptions/list', { term: 'copy-4711@example.com' }),
    number: await costOf('/v0/search', { q: 'C00000004711' }),
    email: await costOf('/v0/search', { q: 'copy-4711@' }),
    changes: await costOf('/v0/changes', {}),
  };
}

test('D22 O50 a page, words, a search and changes read no more of 100,000 orders than of 10,000', {
  timeout: 300_000,
}, async () => {
  await copyOrders(1, FEW);
  const newest = async () =>
    (await app.test.get('/v0/orders/list', { query: { take: '50' } })).body.data.cursor as string;
  const few = await costs(await newest());
  await copyOrders(FEW + 1, MANY);
  const many = await costs(await newest());
  for (const name of Object.keys(few) as Array<keyof typeof few>) {
    expect(many[name].statements, name).toBe(few[name].statements);
    expect(many[name].read, name).toBeLessThan(1_500);
    expect(many[name].read, name).toBeLessThan(500 + 1.3 * few[name].read);
  }
  // They would be started to look for parts of e-mails, which is not done where the words are a whole one or a number.
  for (const name of ['ofNumber', 'ofEmail', 'paidByEmail', 'subscribed'] as const)
    expect(many[name].workers, name).toBe(0);
});

test('a page with nothing chosen is planned once a connection, not at every call', async () => {
  const { cursor } = (await app.test.get('/v0/orders/list', { query: { take: '50' } })).body.data;
  for (let call = 0; call < 60; call += 1)
    await app.test.get('/v0/orders/list', { query: { take: '50', cursor } });
  let [kept, made] = [0, 0];
  for (const connection of connections) {
    // Those that have ended have no plans any more.
    const { rows } = await connection
      .query(`select sum(generic_plans)::int as kept, sum(custom_plans)::int as made from pg_prepared_statements
        where statement like '%(orders.created_at, orders.id) <%limit 51%'`)
      .catch(() => ({ rows: [] }));
    kept += rows[0]?.kept ?? 0;
    made += rows[0]?.made ?? 0;
  }
  expect(kept).toBeGreaterThan(made);
});

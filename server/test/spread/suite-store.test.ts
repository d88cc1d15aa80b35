/** What the suite is given where it runs on a cluster. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let one: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  one = await createTestDatabase();
  app = await createTestApp();
});
afterAll(async () => {
  await app?.close();
  await one?.drop();
});

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

it('O15 a file of the suite has a store that is spread over all nodes, and is its own', async () => {
  const { otherNodes } = inject('testServer');
  expect(otherNodes.length).toBeGreaterThan(0);
  await makeOffer(app.test);
  expect(await app.service.db.selectFrom('offers').select('id').execute()).toHaveLength(1);
  expect(await ask(one.url, 'select id from offers')).toEqual([]);
  const [laid] = await ask<{ nodes: string; pieces: string }>(
    one.url,
    "select count(distinct (nodename, nodeport)) as nodes, count(*) as pieces from citus_shards where table_name = 'offers'::regclass",
  );
  expect(Number(laid?.pieces)).toBe(32);
  expect(Number(laid?.nodes)).toBeGreaterThanOrEqual(otherNodes.length);
  const { pathname } = new URL(one.url);
  for (const node of otherNodes) {
    const own = Object.assign(new URL(node), { pathname }).href;
    expect(await ask(own, "select to_regclass('offers') is not null as there")).toEqual([{ there: true }]);
  }
});

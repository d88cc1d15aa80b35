/** A database on each node of the cluster at TEST_CLUSTER, of which the first is the coordinator. */
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { sumTable, type TableSum } from '../../src/resources/installation/moving.queries.ts';
import { listTables } from '../../src/resources/installation/spread-catalogue.queries.ts';
import type { TestDatabase } from '../support/database.ts';

export interface TestCluster {
  /** Of the store on each node, the coordinator's first. */
  urls: readonly string[];
  /** Asks one node. */
  query<Row extends pg.QueryResultRow>(text: string, node?: number): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Where the other nodes reach one. */
type Reach = (node: URL) => Promise<Pick<URL, 'hostname' | 'port'>>;

/** The other nodes get a database of the same name, which the coordinator's reaches. */
export async function joinCluster(
  store: Pick<TestDatabase, 'url' | 'drop'>,
  reach: Reach = async (node) => node,
): Promise<TestCluster> {
  const { pathname } = new URL(store.url);
  const urls = listNodes().map((node) => Object.assign(new URL(node), { pathname }).href);
  const name = pathname.slice(1);
  const [coordinator = '', ...others] = urls;
  for (const node of listNodes().slice(1)) await run(node, `create database ${name}`);
  for (const url of urls) await run(url, 'create extension citus');
  const { hostname, port } = new URL(coordinator);
  await run(coordinator, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const url of others) {
    const node = await reach(new URL(url));
    await run(coordinator, `select citus_add_node('${node.hostname}', ${node.port})`);
  }
  return {
    urls,
    query: (text, node = 0) => run(urls[node] ?? '', text),
    drop: async () => {
      await store.drop();
      for (const node of listNodes().slice(1))
        await run(node, `drop database if exists ${name} with (force)`);
    },
  };
}

/** The coordinator first. */
export function listNodes(): string[] {
  return (process.env.TEST_CLUSTER ?? '').split(',').map((url) => url.trim());
}

async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Counts and sums of all tables but the one that notes what is done to them. */
export async function sumStore(url: string): Promise<Record<string, TableSum>> {
  const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: 60_000 };
  const database = openDatabase({ connectionString: url, ...limits });
  try {
    return await inTransaction(database.db, async (tx) => {
      const sums: Record<string, TableSum> = {};
      for (const { name } of await listTables(tx))
        if (name !== 'installation_steps') sums[name] = await sumTable(tx, name);
      return sums;
    });
  } finally {
    await database.close();
  }
}

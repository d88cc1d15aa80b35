import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts';
import type { StoreForm } from '../../src/db/store-form.ts';

/** What form statements have in this run. */
export const STORE_FORM = process.env.STORE_FORM ?? 'plain';
const FORM: StoreForm = STORE_FORM === 'spread' ? 'spread' : 'plain';
/** For tests of what has two: a run whose statements are noted knows one alone. */
export const FORMS: readonly StoreForm[] = FORM === 'spread' ? ['spread'] : ['plain', 'spread'];

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  url: string;
  /** How a service reaches it: by the run's pooler where there is one. */
  poolConfig: { connectionString: string };
  /** Removes the database, and with it any session still open on it. */
  drop(): Promise<void>;
}

/** Two copies of one template at once refuse each other, so they queue. The number is this file's own. */
const COPY_LOCK = 7_201_144;
const EMPTY = 'template0';

/** Copies the run's template. Call it in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyDatabase(inject('testServer').templateName);
}

/** A database in which there is nothing at all. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return copyDatabase(EMPTY);
}

async function copyDatabase(source: string): Promise<TestDatabase> {
  const { adminUrl, otherNodes, templateName, strategy } = inject('testServer');
  const name = templateName.replace('template', randomBytes(6).toString('hex'));
  // What is empty is on one node; a store that is spread has its part on each, under the same name.
  const nodes = source === EMPTY ? [] : otherNodes;
  const copy = `create database ${name} template ${source} strategy ${strategy}`;
  await withAdmin(adminUrl, async (admin) => {
    await admin.query(`select pg_advisory_lock(${COPY_LOCK})`);
    for (const node of nodes) await runOn(node, copy);
    await admin.query(copy);
  });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    poolConfig: { connectionString: toServiceUrl(url) },
    drop: async () => {
      for (const node of [adminUrl, ...nodes])
        await runOn(node, `drop database if exists ${name} with (force)`);
    },
  };
}

const runOn = (node: string, statement: string) =>
  withAdmin(node, async (admin) => {
    await admin.query(statement);
  });

function toServiceUrl(database: URL): string {
  const pooler = inject('poolerUrl');
  if (pooler === null) return database.href;
  const url = new URL(pooler);
  url.pathname = database.pathname;
  return url.href;
}

/** Sessions of a test that looks on from outside. */
export function openPool({ poolConfig }: Pick<TestDatabase, 'poolConfig'>): pg.Pool {
  const pool = new pg.Pool({ ...poolConfig, max: 2 });
  // A pool that has ended may still be closing its sessions: the drop of their database cuts them off, which without
  // a listener would fail the whole run, with no test that did.
  pool.on('error', () => {});
  return pool;
}

/** A copy of a database that nobody is connected to, as one that is restored beside the first. */
export async function copyTestDatabase({ url: source }: Pick<TestDatabase, 'url'>): Promise<TestDatabase> {
  return copyDatabase(new URL(source).pathname.slice(1));
}

/** A database of its own behind the service's own pool, for tests of what lies between; `close` removes both. */
export async function openTestDatabase(
  options: Pick<DatabaseOptions, 'maxConnections' | 'guardEscapes'>,
): Promise<Database> {
  const { poolConfig, drop } = await createTestDatabase();
  const limits = { form: FORM, acquireTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
  const database = openDatabase({ ...poolConfig, ...limits, ...options });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, close };
}

async function withAdmin(url: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

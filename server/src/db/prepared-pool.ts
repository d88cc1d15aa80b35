/**
 * The pool as Kysely sees it. It prepares what it is asked, so that PostgreSQL parses and plans a statement
 * once and not at every request, and names columns in camelCase once a result, not once a row.
 */

import type { Socket } from 'node:net';
import { CamelCasePlugin, type PluginTransformResultArgs, type PostgresPool, type QueryResult } from 'kysely';
import pg from 'pg';
import type { StoreWatch } from './store-watch.ts';

/** Each connection keeps its plans in the server's memory: texts beyond this many are parsed every time. */
const STATEMENTS_MAX = 400;

/**
 * A transaction finds its rows by keys, so that one plan is right for all values. Left to itself PostgreSQL plans many
 * a statement at each call, which costs more than running it.
 */
const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';

/** A limit of its own for how long its statements wait for rows; missing = the connection's. */
const toBegin = (lockTimeoutMs?: number) =>
  lockTimeoutMs === undefined ? BEGIN : `${BEGIN}; set local lock_timeout = ${lockTimeoutMs}`;

/** Names by text, the same for all connections: each prepares by itself what it meets. */
const names = new Map<string, string>();
let generation = 0;

type Pool = Pick<pg.Pool, 'connect' | 'end'>;
type Connection = Awaited<ReturnType<PostgresPool['connect']>>;

export interface PreparedPoolOptions {
  lockTimeoutMs?: number | undefined;
  watch?: StoreWatch | null;
}

export function preparedPool(
  pool: Pool,
  { lockTimeoutMs, watch = null }: PreparedPoolOptions = {},
): PostgresPool {
  const begin = toBegin(lockTimeoutMs);
  const connections = new WeakMap<pg.PoolClient, Connection>();
  return {
    async connect() {
      const client = watch ? await measureWait(pool, watch) : await pool.connect();
      const connection = connections.get(client) ?? toConnection(client, begin, watch);
      connections.set(client, connection);
      return connection;
    },
    end: () => pool.end(),
  };
}

async function measureWait(pool: Pool, watch: StoreWatch): Promise<pg.PoolClient> {
  const fromMs = performance.now();
  try {
    return await pool.connect();
  } finally {
    watch.waited(performance.now() - fromMs);
  }
}

function toConnection(client: pg.PoolClient, begin: string, watch: StoreWatch | null): Connection {
  const ask = (text: string, values: unknown[]) =>
    prepareAndQuery(client, text === 'begin' ? begin : text, values);
  const measure = async (text: string, values: unknown[]) => {
    const fromMs = performance.now();
    try {
      return await ask(text, values);
    } finally {
      watch?.ran(/^\s*(\w*)/.exec(text)?.[1] ?? '', performance.now() - fromMs);
    }
  };
  const query = watch ? measure : ask;
  // Kysely's type has a second form of `query`, for cursors, which we do not have.
  return { query: query as unknown as Connection['query'], release: () => client.release() };
}

async function prepareAndQuery(
  client: pg.PoolClient,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  try {
    return await send(client, text, values);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    forgetPlans();
    // In a transaction nothing can be repeated alone; the whole of it is (see `inTransaction`).
    if (client.getTransactionStatus() !== 'I') throw error;
    return send(client, text, values);
  }
}

function send(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const name = values.length > 0 ? nameOf(text) : undefined;
  return new Promise((resolve, reject) => {
    const config = { text, values, ...(name ? { name } : {}) };
    writeOnceATurn(client);
    client.query(new CamelCaseQuery(config, (error, result) => (error ? reject(error) : resolve(result))));
  });
}

/** What is asked within one turn of the event loop goes out in one write: of a group, a statement of each piece. */
function writeOnceATurn(client: pg.PoolClient): void {
  // pg's typing does not show its socket.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Whether a newer version of the service has changed a table under a statement that was prepared before. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_MAX) return known;
  const name = `s${generation}_${names.size}`;
  names.set(text, name);
  return name;
}

/** New names, under which every connection prepares anew. */
function forgetPlans(): void {
  generation += 1;
  names.clear();
}

/** Kysely's own plugin for the queries; results have their names already when they come to it. */
export class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<never>> {
    // Rows of any type pass through as they are.
    return result as QueryResult<never>;
  }

  toCamelCase(column: string): string {
    return this.camelCase(column);
  }
}

const camelCase = new CamelCase();

interface RowDescription {
  fields: Array<{ name: string }>;
}

// pg's typing does not know what it calls with the description of a result.
const Query = pg.Query as unknown as new (
  config: pg.QueryConfig,
  done: (error: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & { handleRowDescription(description: RowDescription): void };

class CamelCaseQuery extends Query {
  override handleRowDescription(description: RowDescription): void {
    for (const field of description.fields) field.name = camelCase.toCamelCase(field.name);
    super.handleRowDescription(description);
  }
}

/**
 * The one door to PostgreSQL: a pool, Kysely over it, and the conversions of the wire
 * (int8 → number, numeric → bigint, snake_case → camelCase).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { assert } from '../domain/assert.ts';
import { CamelCase, preparedPool } from './prepared-pool.ts';
import type { Tables } from './schema.ts';

/** A database or a transaction: what every query function takes first. */
export type Db = Kysely<Tables>;
/** An open transaction: what a function takes that must not run outside one. */
export type Tx = Transaction<Tables>;

export interface DatabaseOptions {
  connectionString?: string;
  host?: string;
  port?: number;
  user?: string;
  database?: string;
  maxConnections: number;
  /** How long a request waits for a free connection before it is answered 503. */
  acquireTimeoutMs: number;
  statementTimeoutMs: number;
  /** Fails a query that leaves its transaction: on in tests, since it costs a little on every query. */
  guardEscapes?: boolean;
  onError?: (error: Error) => void;
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Longer than any step between two statements, and short of what those who wait may take. */
const IDLE_IN_TRANSACTION_MS = 15_000;

const INT8 = 20;
const NUMERIC = 1700;

/** Money columns are `numeric` and become bigint; counts and times are `int8` and stay within 2^53. */
const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, BigInt],
]);

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format);
  },
};

/** For guarded databases: set while a transaction runs, whose connection is the only one that may be used. */
const guards = new WeakMap<Db, AsyncLocalStorage<true>>();

/** Runs the body of a transaction; on a guarded database a query on another connection fails meanwhile. */
export function runInsideTransaction<T>(db: Db, body: () => Promise<T>): Promise<T> {
  const guard = guards.get(db);
  return guard ? guard.run(true, body) : body();
}

/** Opens the pool. `close` waits for running queries. */
export function openDatabase(options: DatabaseOptions): Database {
  const { maxConnections, acquireTimeoutMs, statementTimeoutMs, guardEscapes, onError, ...connection } =
    options;
  const pool = new pg.Pool({
    ...connection,
    // pg's typing knows only the global registry's overloads.
    types: types as unknown as pg.CustomTypesConfig,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    // A process that was halted within a transaction holds rows that others wait for.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'counterfoil',
    // A connection takes statements before it has answered those before them: see `inGroupTransaction`.
    pipeline: true,
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', (error) => onError?.(error));
  // So would one that breaks between two statements of a transaction: whatever is asked of it next fails and says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  // Tracking asynchronous contexts costs something on every promise, hence only where it is asked for.
  const guard = guardEscapes ? new AsyncLocalStorage<true>() : null;
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparedPool(guard ? guarded(pool, guard) : pool) }),
    plugins: [new CamelCase()],
  });
  if (guard) guards.set(db, guard);
  return { db, pool, close: () => db.destroy() };
}

/** A pool that refuses to hand out a second connection inside a transaction. */
function guarded(pool: pg.Pool, guard: AsyncLocalStorage<true>): Pick<pg.Pool, 'connect' | 'end'> {
  return {
    end: () => pool.end(),
    connect: (async () => {
      assert(!guard.getStore(), 'a query left its transaction: pass the transaction, not the database');
      return pool.connect();
    }) as pg.Pool['connect'],
  };
}

/**
 * The one door to PostgreSQL: a pool, Kysely over it, and the conversions of the wire
 * (int8 → number, numeric → bigint, snake_case → camelCase).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import { assert } from '../domain/assert.ts';
import { ConnectionShares, type Share, toShareLimits } from './connection-shares.ts';
import { findHosts } from './hosts/hosts.ts';
import { HostsClient } from './hosts/hosts-client.ts';
import { CamelCase, preparedPool } from './prepared-pool.ts';
import type { Tables } from './schema.ts';
import type { Scope } from './scope.ts';
import { dropWithSilent } from './silent-connections.ts';
import { keepForm, type StoreForm, setSpread } from './store-form.ts';
import { StorePool } from './store-pool.ts';
import type { StoreWatch } from './store-watch.ts';
import { StoreWay } from './store-way.ts';
import { WatchedClient } from './watched-client.ts';

/** A database or a transaction: what every query function takes first. */
export type Db = Kysely<Tables>;
/** An open transaction: what a function takes that must not run outside one. */
export type Tx = Transaction<Tables>;

export interface DatabaseOptions {
  connectionString?: string;
  host?: string;
  port?: number;
  user?: string;
  password?: string;
  database?: string;
  maxConnections: number;
  /**
   * How long a request waits for a free connection before it is answered 503. Behind others of its store that get one
   * meanwhile it waits up to three times as long.
   */
  acquireTimeoutMs: number;
  statementTimeoutMs: number;
  /** How long a statement waits for a row that another transaction holds; missing = as long as it may run. */
  lockTimeoutMs?: number;
  /** How long the server may say nothing while a statement is under way; missing = somewhat longer than one may run. */
  silenceLimitMs?: number;
  /** Fails a query that leaves its transaction: on in tests, since it costs a little on every query. */
  guardEscapes?: boolean;
  onError?: (error: Error) => void;
  /** Asked before each transaction, where the store's disk is ours to watch. */
  hasRoom?: () => boolean;
  watch?: StoreWatch | null;
  /** Told once if a pooler does not keep what is prepared. */
  onNameLost?: () => void;
  /** What form its statements have on a store that is not spread; missing = plain. */
  form?: StoreForm;
  /** Asks what it likes of each new connection before anybody else does; one that it throws for is let go. */
  inspect?: (client: pg.PoolClient) => Promise<void>;
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** The same store for work that nobody waits for: it waits longer for rows and places, and has a share of its own. */
  forWork(options: WorkOptions): Db;
  close(): Promise<void>;
}

export interface WorkOptions {
  lockTimeoutMs: number;
  /** Nothing else is done in this process. */
  isAlone: boolean;
}

/** What a statement's limit on the server leaves for the way there and back. */
const SILENCE_MARGIN_MS = 5_000;
/** An idle connection whose other end is gone is found by the system itself, with probes from here on. */
const KEEP_ALIVE_MS = 10_000;

/** The disk of the store is nearly full: reads go on. */
export class NoRoomLeft extends Error {
  override name = 'NoRoomLeft';

  constructor() {
    super('the disk of the store is nearly full');
  }
}

/**
 * Longer than any step between two statements, and short of what those who wait may take: a process that was halted
 * within a transaction holds rows that others wait for.
 */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** So many times as long a request waits behind others of its store that get in: they are many, and nothing is stuck. */
const MOVING_QUEUE = 3;

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

interface Manner {
  /** For guarded databases: set while a transaction runs, whose connection is the only one that may be used. */
  guard: AsyncLocalStorage<true> | null;
  shares: ConnectionShares;
  share: Share;
  watch: StoreWatch | null;
  hasRoom: () => boolean;
  /** Connections that prepare what they are asked. */
  pool: PostgresPool;
  /** The same as they are. */
  sessions: pg.Pool;
}

const manners = new WeakMap<Db, Manner>();

/**
 * Waits for a connection that transactions of this database may hold; call what is answered at the end. Throws
 * NoRoomLeft.
 */
export async function enterTransaction(db: Db): Promise<() => void> {
  const manner = manners.get(db);
  if (manner?.hasRoom() === false) throw new NoRoomLeft();
  return manner ? manner.shares.enter(manner.share) : () => {};
}

/** A connection of its own, to be released by whoever takes it. */
export function takeConnection(db: Db): ReturnType<PostgresPool['connect']> {
  const manner = manners.get(db);
  assert(manner, 'a database was opened by `openDatabase`');
  return manner.pool.connect();
}

/** Its connections as they are, for who looks at them themselves. */
export function sessionsOf(db: Db): pg.Pool {
  const manner = manners.get(db);
  assert(manner, 'a database was opened by `openDatabase`');
  return manner.sessions;
}

/** Who measures; null = nobody. */
export function findWatch(db: Db): StoreWatch | null {
  return manners.get(db)?.watch ?? null;
}

/** Says that a transaction of this database lost a race. */
export function noteRetry(db: Db, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  findWatch(db)?.retried(code);
}

/** Runs the body of a transaction; on a guarded database a query on another connection fails meanwhile. */
export function runInsideTransaction<T>(db: Db, body: () => Promise<T>): Promise<T> {
  const guard = manners.get(db)?.guard;
  return guard ? guard.run(true, body) : body();
}

/** Handles of stores by the database's; every request asks for one, and of a store all may have the same. */
const storeHandles = new WeakMap<Db, Map<string, Db>>();
const STORE_HANDLES_MAX = 1_000;

/** The same database for one store, whose transactions count together: those of one leave room for the others'. */
export function toStoreDb(db: Db, { workspaceId, testMode }: Scope): Db {
  const handles = storeHandles.get(db) ?? new Map<string, Db>();
  storeHandles.set(db, handles);
  const name = `${workspaceId}:${testMode}`;
  const known = handles.get(name);
  if (known) return known;
  const manner = manners.get(db);
  // No new tables: another handle on the same connections.
  const handle: Db = keepForm(db.withTables<Record<never, never>>(), db);
  if (manner) manners.set(handle, { ...manner, share: { ...manner.share, name } });
  if (handles.size >= STORE_HANDLES_MAX) handles.clear();
  handles.set(name, handle);
  return handle;
}

/** Opens the pool. `close` waits for running queries. */
export function openDatabase(options: DatabaseOptions): Database {
  const way = new StoreWay({ ...options, idleInTransactionMs: IDLE_IN_TRANSACTION_MS }, options.onNameLost);
  const pool = openPool(options, way);
  const { acquireTimeoutMs, maxConnections, watch = null, hasRoom = () => true } = options;
  // Tracking asynchronous contexts costs something on every promise, hence only where it is asked for.
  const guard = options.guardEscapes ? new AsyncLocalStorage<true>() : null;
  const shares = new ConnectionShares(toShareLimits(maxConnections));
  const open = (share: Share, lockTimeoutMs?: number): Db => {
    const prepared = preparedPool(guard ? guarded(pool, guard) : pool, { way, lockTimeoutMs, watch });
    const dialect = new PostgresDialect({ pool: prepared });
    const db = new Kysely<Tables>({ dialect, plugins: [new CamelCase()] });
    manners.set(db, { guard, shares, share, watch, hasRoom, pool: prepared, sessions: pool });
    setSpread(db, () => options.form === 'spread' || way.isSpread);
    return db;
  };
  const waitMaxMs = acquireTimeoutMs * MOVING_QUEUE;
  const db = open({ name: null, waitMs: acquireTimeoutMs, waitMaxMs });
  const forWork = ({ lockTimeoutMs, isAlone }: WorkOptions) =>
    open({ name: 'work', isWhole: isAlone, waitMs: lockTimeoutMs }, lockTimeoutMs);
  // Kysely's own `destroy` ends only a pool that it has asked something itself.
  const close = async () => {
    if (!pool.ending) await pool.end();
    // Every promise of a process carries along what each guard holds, those of closed databases too.
    guard?.disable();
  };
  return { db, pool, forWork, close };
}

function openPool(options: DatabaseOptions, way: StoreWay): pg.Pool {
  const { maxConnections, acquireTimeoutMs, statementTimeoutMs, lockTimeoutMs: _ofWay, ...rest } = options;
  const {
    silenceLimitMs = statementTimeoutMs + SILENCE_MARGIN_MS,
    onError,
    onNameLost,
    guardEscapes,
    watch,
    hasRoom,
    inspect,
    form: _ofStatements,
    ...connection
  } = rest;
  const hosts = findHosts(connection.connectionString);
  const settings: pg.PoolConfig = {
    ...connection,
    // pg's typing has it without arguments; it is given those of the pool.
    Client: (hosts ? HostsClient : WatchedClient) as unknown as new () => pg.ClientBase,
    silenceLimitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // pg's typing knows only the global registry's overloads.
    types: types as unknown as pg.CustomTypesConfig,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    application_name: 'counterfoil',
    // A connection takes statements before it has answered those before them: see `inGroupTransaction`.
    pipeline: true,
    verify: (client, done) => {
      const distrust = (error: Error) => {
        if (client instanceof HostsClient) client.distrust();
        done(error);
      };
      void look(client).then(() => done(), distrust);
    },
  };
  const look = async (client: pg.PoolClient) => {
    await way.look(client);
    await inspect?.(client);
  };
  const pool = new StorePool(settings, way);
  // Without a listener a connection that breaks while idle would end the process.
  // While they are closed a connection may lose the race with a store that stops, which is nothing to tell.
  pool.on('error', (error) => {
    if (!pool.ending) onError?.(error);
  });
  // So would one that breaks between two statements of a transaction: whatever is asked of it next fails and says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  dropWithSilent(pool);
  return pool;
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

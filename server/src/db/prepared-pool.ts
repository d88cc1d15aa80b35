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
    writeOnceATurn(client);
    const done = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    client.query(new CamelCaseQuery(text, values, { name, done }));
  });
}

/** Sockets that are held back to the end of this turn. */
const corked = new WeakSet<Socket>();

/** What is asked within one turn of the event loop goes out in one write: of a group, a statement of each piece. */
function writeOnceATurn(client: pg.PoolClient): void {
  // pg's typing does not show its socket.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

/** A row has other columns than its statement had. */
class OutdatedReader extends Error {
  override name = 'OutdatedReader';
}

/** Whether a newer version of the service has changed a table under a statement that was prepared before. */
export function isStalePlan(error: unknown): boolean {
  if (error instanceof OutdatedReader) return true;
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
export function forgetPlans(): void {
  generation += 1;
  names.clear();
  readers.clear();
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

interface Field {
  name: string;
  dataTypeID: number;
}

interface RowDescription {
  fields: Field[];
}

type Texts = Array<string | null>;

interface Asked {
  name: string | undefined;
  done: (error: Error | null, result: pg.QueryResult) => void;
}

/** pg's own connection, which a query sends its messages by. */
interface Wire {
  describe(portal: unknown): void;
}

// pg's typing does not know what it calls with a result, and what its client sets before.
const Query = pg.Query as unknown as new (
  text: string,
  values: unknown[],
  done: Asked['done'],
) => pg.Submittable & {
  name: string | undefined;
  _result: { _types: typeof pg.types; fields: Field[]; rows: unknown[] };
  _canceledDueToError: unknown;
  hasBeenParsed(connection: Wire): boolean;
  prepare(connection: Wire): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleRowDescription(description: RowDescription): void;
  handleDataRow(message: { fields: Texts }): void;
};

/** How rows of a description become objects. */
interface RowReader {
  /** As PostgreSQL names them. */
  described: Field[];
  /** As the objects do. */
  fields: Field[];
  read: (texts: Texts) => Record<string, unknown>;
}

/** Of prepared statements, by name: what describes their rows comes with every result and hardly ever changes. */
const readers = new Map<string, RowReader>();

interface KnownWire {
  /** Of statements that were run on it before; null = it answers no rows. */
  readers: Map<string, RowReader | null>;
  /** The same connection, but that it asks for no description. */
  silent: Wire;
}

/**
 * What connections need not be told again. As long as a statement is prepared PostgreSQL holds it to the columns that it
 * was prepared with: it fails rather than answer others (see `isStalePlan`).
 */
const knownWires = new WeakMap<Wire, KnownWire>();

function knowWire(connection: Wire): KnownWire {
  const known = knownWires.get(connection);
  if (known) return known;
  const silent: Wire = Object.create(connection, { describe: { value: () => {} } });
  const made = { readers: new Map(), silent };
  knownWires.set(connection, made);
  return made;
}

/** Result and rows as pg makes them, but that what follows from the description is worked out once a statement. */
class CamelCaseQuery extends Query {
  private reader: RowReader | null = null;

  constructor(text: string, values: unknown[], { name, done }: Asked) {
    super(text, values, done);
    this.name = name;
  }

  override prepare(connection: Wire): void {
    const { readers, silent } = knowWire(connection);
    const reader = this.name === undefined ? undefined : readers.get(this.name);
    if (reader === undefined || !this.hasBeenParsed(connection)) {
      super.prepare(connection);
      return;
    }
    this.reader = reader;
    if (reader) this._result.fields = reader.fields;
    super.prepare(silent);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    super.handleCommandComplete(message, connection);
    if (this.name !== undefined) knowWire(connection).readers.set(this.name, this.reader);
  }

  override handleRowDescription(description: RowDescription): void {
    const { name, _result: result } = this;
    if (name === undefined) {
      for (const field of description.fields) field.name = camelCase.toCamelCase(field.name);
      super.handleRowDescription(description);
      return;
    }
    const kept = readers.get(name);
    this.reader =
      kept && isSame(kept.described, description.fields) ? kept : toReader(description, result._types);
    if (this.reader !== kept) readers.set(name, this.reader);
    result.fields = this.reader.fields;
  }

  override handleDataRow(message: { fields: Texts }): void {
    if (!this.reader) {
      super.handleDataRow(message);
      return;
    }
    if (this._canceledDueToError) return;
    // Behind a pooler the same name may have been prepared anew, after a migration.
    if (message.fields.length !== this.reader.fields.length) {
      this._canceledDueToError = new OutdatedReader();
      return;
    }
    try {
      this._result.rows.push(this.reader.read(message.fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }
}

function isSame(kept: Field[], given: Field[]): boolean {
  return (
    kept.length === given.length &&
    kept.every(({ name, dataTypeID }, place) => {
      const field = given[place];
      return field?.name === name && field.dataTypeID === dataTypeID;
    })
  );
}

function toReader({ fields: described }: RowDescription, types: typeof pg.types): RowReader {
  const fields = described.map((field) => ({ ...field, name: camelCase.toCamelCase(field.name) }));
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'));
  // Copied for each row, so that all rows have one shape however long they are.
  const empty = Object.fromEntries(fields.map(({ name }) => [name, null])) as Record<string, unknown>;
  const read = (texts: Texts) => {
    const row = { ...empty };
    for (let place = 0; place < texts.length; place += 1) {
      const text = texts[place];
      const name = fields[place]?.name;
      if (text !== null && text !== undefined && name !== undefined) row[name] = parsers[place]?.(text);
    }
    return row;
  };
  return { described, fields, read };
}

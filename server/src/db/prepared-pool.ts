/**
 * The pool as Kysely sees it. It prepares what it is asked, so that PostgreSQL parses and plans a statement
 * once and not at every request, and names columns in camelCase once a result, not once a row.
 */

import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { CamelCasePlugin, type PluginTransformResultArgs, type PostgresPool, type QueryResult } from 'kysely';
import pg from 'pg';
import { type StatementRan, statementRan } from '../domain/trace-points.ts';
import type { StoreWatch } from './store-watch.ts';
import { isNameLost, type StoreWay } from './store-way.ts';

/** Each connection keeps its plans in the server's memory: texts beyond this many are parsed every time. */
const STATEMENTS_MAX = 400;

/**
 * Names by text, the same for all connections: each prepares by itself what it meets. Of a text's hash, since a pooler
 * may answer by what another process has prepared under that name.
 */
const names = new Map<string, string>();
let generation = 0;

type Pool = Pick<pg.Pool, 'connect' | 'end'>;
type Connection = Awaited<ReturnType<PostgresPool['connect']>>;

export interface PreparedPoolOptions {
  way: StoreWay;
  lockTimeoutMs?: number | undefined;
  watch?: StoreWatch | null;
}

export function preparedPool(
  pool: Pool,
  { way, lockTimeoutMs, watch = null }: PreparedPoolOptions,
): PostgresPool {
  const connections = new WeakMap<pg.PoolClient, Connection>();
  return {
    async connect() {
      const client = watch ? await measureWait(pool, watch) : await pool.connect();
      const connection = connections.get(client) ?? toConnection({ client, way, lockTimeoutMs }, watch);
      connections.set(client, connection);
      return connection;
    },
    end: () => pool.end(),
  };
}

function measureWait(pool: Pool, watch: StoreWatch): Promise<pg.PoolClient> {
  const fromMs = performance.now();
  const told = () => watch.waited(performance.now() - fromMs);
  const connecting = pool.connect();
  connecting.then(told, told);
  return connecting;
}

interface Asking {
  client: pg.PoolClient;
  way: StoreWay;
  lockTimeoutMs?: number | undefined;
}

function toConnection(asking: Asking, watch: StoreWatch | null): Connection {
  const { client, way, lockTimeoutMs } = asking;
  let isInTransaction = false;
  const ask = (text: string, values: unknown[]) => {
    if (text === 'begin') isInTransaction = true;
    const isWithin = isInTransaction;
    const isAlone = !isWithin && !way.keepsLimits;
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    const query = text === 'begin' ? way.toBegin(lockTimeoutMs) : text;
    const sendOne = () => (isAlone ? sendAlone(asking, query, values) : send(asking, query, values));
    return askAgain(asking, isWithin, sendOne);
  };
  const measure = (text: string, values: unknown[]) => {
    const fromMs = performance.now();
    const told = (failed: boolean) => {
      const ms = performance.now() - fromMs;
      watch?.ran(/^\s*(\w*)/.exec(text)?.[1] ?? '', ms);
      if (statementRan.hasSubscribers) statementRan.publish({ text, ms, failed } satisfies StatementRan);
    };
    const answer = ask(text, values);
    answer.then(
      () => told(false),
      () => told(true),
    );
    return answer;
  };
  const query = watch || statementRan.hasSubscribers ? measure : ask;
  // Kysely's type has a second form of `query`, for cursors, which we do not have.
  return { query: query as unknown as Connection['query'], release: () => client.release() };
}

/** Once more if what was prepared is not what is there now, so that it was not run. */
async function askAgain(
  { way }: Asking,
  isWithin: boolean,
  ask: () => Promise<pg.QueryResult>,
): Promise<pg.QueryResult> {
  try {
    return await ask();
  } catch (error) {
    if (isNameLost(error)) way.loseNames();
    else if (isStalePlan(error)) forgetPlans();
    else throw error;
    // In a transaction nothing can be repeated alone; the whole of it is (see `inTransaction`). The connection's own
    // word is of what has been answered by now, which may be the transaction of a read that was sent behind this one.
    if (isWithin) throw error;
    return ask();
  }
}

/** In a transaction of its own, which gives it its limits: in one write, for the price of one round trip. */
async function sendAlone(asking: Asking, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const begun = send(asking, asking.way.toBegin(asking.lockTimeoutMs), []);
  const answered = send(asking, text, values);
  const ended = send(asking, 'commit', []);
  const [begin, answer, end] = await Promise.allSettled([begun, answered, ended]);
  for (const result of [begin, answer, end]) if (result.status === 'rejected') throw result.reason;
  return answered;
}

function send({ client, way }: Asking, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const name = values.length > 0 && way.keepsNames ? nameOf(text) : undefined;
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

/** Missing = it is parsed each time. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_MAX) return known;
  const name = `s${generation}_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
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
  return { described, fields, read: compileReader(fields, parsers) };
}

/**
 * One literal that names every member, written as code: all rows have one shape, which V8 knows. Rows that were filled
 * member by member became tables of names beyond some twenty columns, and everything that read or copied them slow.
 */
function compileReader(fields: Field[], parsers: ((text: string) => unknown)[]): RowReader['read'] {
  const members = fields.map(({ name }, place) => {
    const text = `texts[${place}]`;
    return `${JSON.stringify(name)}: ${text} === null ? null : parsers[${place}](${text})`;
  });
  // Of the names of columns alone, which no request writes.
  return new Function('parsers', `return (texts) => ({ ${members.join(', ')} });`)(parsers);
}

/**
 * Brings the store to the newest schema: plain SQL files, in the order of their names, each once and in a transaction
 * of its own, unless its first line says otherwise (`migration-steps.ts`). Safe to call from several processes at once: one migrates, the others wait and say so. Safe beside
 * processes that sell: what stands behind a migration that waits for a table stands there for seconds at most.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { isDataNode, lockStepwise } from './data-node.ts';
import { createClient } from './hosts/hosts-client.ts';
import { readManner, runOutside, runStep } from './migration-steps.ts';

export const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url));

export interface Migration {
  /** The file's name without its ending. */
  name: string;
  text: string;
}

export interface Migrating {
  /** Where they lie; missing = ours. */
  folder?: string;
  /** The last that is to run; missing = all. */
  until?: string;
  /** Told, in a line, what a start waits for. */
  tell?: (line: string) => void;
  /** Of this code; missing = ours. */
  version?: string;
}

type Connection = Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>;

/** The store and this version do not fit: told to the operator in one line. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/** The store takes only versions that are newer than this one. */
export class TooOldError extends SchemaError {
  override name = 'TooOldError';
}

/** What has run, which is what there is first of a store. */
export const CREATE_RECORD = `create table schema_migrations (
  name text primary key, sha256 text, migrated_at timestamptz not null default clock_timestamp())`;

/** Any number that no other lock of ours uses. */
export const MIGRATION_LOCK = 5_820_631;
/** A machine that is gone is found by the system itself, since no statement has a limit here. */
const KEEP_ALIVE_MS = 10_000;
/**
 * Whoever asks for a table stands behind a migration that waits for it. So it gives its place up long before a request would,
 * which may stand behind another that stands here, lets them through and tries again.
 */
const TABLE_WAIT = '1s';
const TRIES_MAX = 50;
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** What a role or a database sets for its sessions is not meant for this. */
const BEGIN =
  'begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * Answers how many ran. The connection is its own: a migration of a large table takes as long as it takes, while the
 * service's statements have a limit. Throws SchemaError for a store that another version has made.
 */
export async function migrate(
  connection: Connection,
  { folder = MIGRATIONS, until, tell = () => {}, version = PRODUCT_VERSION }: Migrating = {},
): Promise<number> {
  const all = await readMigrations(folder);
  const migrations = until === undefined ? all : all.filter(({ name }) => name <= until);
  // Two that begin together take turns: that is said once, not once for each migration of the other.
  let hasWaited = false;
  const tellWaiting = (line: string) => {
    if (!hasWaited) tell(line);
    hasWaited = true;
  };
  return withClient(connection, async (client) => {
    let ran = 0;
    for (;;) {
      const next = await runNext(client, { connection, migrations, version, tell, tellWaiting });
      if (next === null) return ran;
      if (next === 'ended') ran += 1;
    }
  });
}

export interface Waiting {
  /** The last that the store has; null = it has none, and so no data. */
  last: string | null;
  pending: string[];
}

/** What a start would bring, without bringing it. Throws as migrate does. */
export async function findWaiting(
  connection: Connection,
  { folder = MIGRATIONS, version = PRODUCT_VERSION }: Migrating = {},
): Promise<Waiting> {
  const migrations = await readMigrations(folder);
  return withClient(connection, async (client) => {
    const { last, pending } = await findPending(client, { migrations, version });
    return { last, pending: pending.map(({ name }) => name) };
  });
}

async function withClient<T>(connection: Connection, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = createClient({
    ...connection,
    application_name: 'counterfoil migrate',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // What breaks shows in the statement under way.
  client.on('error', () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

interface Running {
  /** For one more, beside the one that migrates. */
  connection: Connection;
  migrations: readonly Migration[];
  version: string;
  tell: (line: string) => void;
  tellWaiting: (line: string) => void;
}

/** Answers whether one came to its end or has steps left; null = there is none. */
async function runNext(client: pg.Client, running: Running): Promise<'ended' | 'goes on' | null> {
  const { connection, tell, tellWaiting } = running;
  for (let attempt = 1; ; attempt += 1) {
    await client.query(BEGIN);
    await takeTurn(client, tellWaiting);
    await lockStepwise(client);
    await makeRecord(client);
    const [next] = (await findPending(client, running)).pending;
    try {
      const hasEnded = next === undefined || (await run(client, next));
      await client.query('commit');
      if (!hasEnded && next && readManner(next.text).way === 'outside')
        await runOutside(client, { ...next, connection });
      return next === undefined ? null : hasEnded ? 'ended' : 'goes on';
    } catch (error) {
      if (!next || !isTableHeld(error)) throw (next && explainTaken(next, error)) ?? error;
      await client.query('rollback');
      const held = `migration ${next.name} waits for a table that is in use${await describeOldest(client)}`;
      if (attempt >= TRIES_MAX) throw new Error(`${held}, and gave up after ${attempt} tries`);
      if (attempt === 1) tell(`The ${held}.`);
    }
    // Not in step with whatever holds the table again and again.
    await wait(PAUSE_MS * (1 + Math.random()));
  }
}

/** Answers whether it has ended; one that runs step by step comes back until it has. */
async function run(client: pg.Client, { name, text }: Migration): Promise<boolean> {
  await client.query(`set local lock_timeout = '${TABLE_WAIT}'`);
  const manner = readManner(text);
  const hasEnded = await runStep(client, { name, text, manner });
  if (!hasEnded) return false;
  await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, hash(text)]);
  if (manner.minVersion !== null)
    await client.query('update schema_compat set min_code_version = $1', [manner.minVersion]);
  return true;
}

/** A table, a type, a function or an object that is there already, as in a database that another program has filled. */
const TAKEN: ReadonlySet<string> = new Set(['42P07', '42710', '42723']);

function explainTaken({ name }: Migration, error: unknown): SchemaError | null {
  if (!(error instanceof Error) || !('code' in error) || !TAKEN.has(String(error.code))) return null;
  return new SchemaError(
    `migration ${name} found in the database what it is to make (${error.message}): give Counterfoil a database of its own`,
    { cause: error },
  );
}

function isTableHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

/** Who may hold it: the transaction that was begun first. */
async function describeOldest(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; seconds: number }>(
    `select pid, extract(epoch from clock_timestamp() - xact_start)::int as seconds from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
      order by xact_start limit 1`,
  );
  const [oldest] = rows;
  return oldest ? ` (the oldest transaction is server process ${oldest.pid}'s, of ${oldest.seconds} s)` : '';
}

/** In the order of their names. */
export async function readMigrations(folder: string = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace(/\.sql$/, ''),
      text: await readFile(`${folder}/${name}`, 'utf8'),
    })),
  );
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function takeTurn(client: pg.Client, tell: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.taken) return;
  const holder = await client.query<{ pid: number; seconds: number }>(
    `select a.pid, extract(epoch from clock_timestamp() - a.xact_start)::int as seconds
      from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1`,
    [MIGRATION_LOCK],
  );
  const [other] = holder.rows;
  const since = other ? ` (server process ${other.pid}, for ${other.seconds} s now)` : '';
  tell(`Waiting for another process that is bringing the store to its newest schema${since}.`);
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

interface Pending {
  /** The last that has run; null = none has. */
  last: string | null;
  pending: Migration[];
}

async function findPending(
  client: pg.Client,
  { migrations, version }: Pick<Running, 'migrations' | 'version'>,
): Promise<Pending> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const isAside = await isDataNode(client);
  if (isAside && !(await hasRecord(client)))
    throw new SchemaError('this is a data node of a cluster, and no store is spread over it yet');
  const { recorded, minVersion } = await readRecorded(client);
  if (isOlder(version, minVersion)) {
    throw new TooOldError(
      `the store takes version ${minVersion} and later, and this is ${version}: start one of those`,
    );
  }
  for (const [name, sha256] of recorded) {
    // A newer version's, which adds what this one does not know and takes nothing from it.
    const migration = known.get(name);
    if (migration && sha256 !== null && sha256 !== hash(migration.text)) {
      throw new SchemaError(`the store was made by another text of migration ${name} than this version has`);
    }
  }
  const pending = migrations.filter(({ name }) => !recorded.has(name));
  if (isAside && pending.length > 0)
    throw new SchemaError(
      `${pending.length} migration(s) wait, and this is a data node: run them at the coordinator of the store`,
    );
  return { last: [...recorded.keys()].sort().at(-1) ?? null, pending };
}

async function hasRecord(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  );
  return rows[0]?.found === true;
}

/** Of versions such as 1.10.2, whatever follows their numbers. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(/[.+-]/, 3).map(Number));
  const index = (a ?? []).findIndex((part, at) => part !== (b?.[at] ?? 0));
  return index >= 0 && (a?.[index] ?? 0) < (b?.[index] ?? 0);
}

interface Recorded {
  /** By name the hash of what ran; null for stores of a time when none was kept. */
  recorded: Map<string, string | null>;
  minVersion: string;
}

interface Found {
  ours: boolean;
  before: boolean;
  compat: boolean;
}

async function findRecords(client: pg.Client): Promise<Found> {
  const { rows } = await client.query<Found>(
    `select to_regclass('schema_migrations') is not null as ours,
      to_regclass('schema_compat') is not null as compat,
      to_regclass('kysely_migration') is not null as before`,
  );
  return rows[0] ?? { ours: false, before: false, compat: false };
}

/** Whose turn it is makes them: of two that make a table together one fails. A data node has them from its coordinator. */
async function makeRecord(client: pg.Client): Promise<void> {
  const found = await findRecords(client);
  if (found.ours && found.compat) return;
  if (await isDataNode(client)) return;
  if (!found.ours) {
    await client.query(CREATE_RECORD);
    if (found.before) {
      await client.query('insert into schema_migrations (name) select name from kysely_migration');
      await client.query('drop table kysely_migration, kysely_migration_lock');
    }
  }
  if (!found.compat) {
    // The oldest code that may run over it; and how far steps have come that are too long for one transaction.
    await client.query(`create table schema_compat (min_code_version text not null);
      insert into schema_compat values ('0.0.0');
      create table installation_steps (name text primary key, cursor text, steps integer not null default 0)`);
  }
}

/** A look alone: what is not there yet is not made. */
async function readRecorded(client: pg.Client): Promise<Recorded> {
  const { ours, before, compat } = await findRecords(client);
  const from = ours
    ? 'select name, sha256 from schema_migrations'
    : before
      ? 'select name, null as sha256 from kysely_migration'
      : null;
  const names = from === null ? [] : (await client.query<{ name: string; sha256: string | null }>(from)).rows;
  const oldest = compat
    ? await client.query<{ version: string }>('select min_code_version as version from schema_compat')
    : null;
  return {
    recorded: new Map(names.map(({ name, sha256 }) => [name, sha256])),
    minVersion: oldest?.rows[0]?.version ?? '0.0.0',
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { CREATE_RECORD, findWaiting, migrate } from './migrate.ts';

let database: TestDatabase;
let client: pg.Client;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.poolConfig);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// The migrations of the test alone, in a schema of their own.
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-migrations-'));
  await client.query('drop schema if exists tried cascade; create schema tried');
  await client.query(
    `do $$ begin execute format('alter database %I set search_path to tried', current_database()); end $$`,
  );
  await client.query('set search_path to tried');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(folder, `${name}.sql`), text);
const run = (tell?: (line: string) => void) =>
  migrate(database.poolConfig, { folder, ...(tell ? { tell } : {}) });
const limit = (statement: string) =>
  client.query(`do $$ begin execute format('alter database %I ${statement}', current_database()); end $$`);

describe('migrations', () => {
  it('run in the order of their names, each once', async () => {
    await write('0002_more', 'alter table notes add column more text');
    await write('0001_notes', 'create table notes (id int)');
    expect(await run()).toBe(2);
    expect(await run()).toBe(0);
    await write('0003_last', 'alter table notes add column last text');
    expect(await run()).toBe(1);
    const { fields } = await client.query('select * from notes');
    expect(fields.map(({ name }) => name)).toEqual(['id', 'more', 'last']);
  });

  it('say in a line that the database is of another program', async () => {
    await client.query('create table notes (of_another text)');
    await write('0001_notes', 'create table notes (id int)');
    await expect(run()).rejects.toMatchObject({
      name: 'SchemaError',
      message:
        'migration 0001_notes found in the database what it is to make (relation "notes" already exists): ' +
        'give Counterfoil a database of its own',
    });
  });

  it('leave nothing of one behind that fails, and go on from there', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await write('0002_wrong', 'create table others (id int); alter table nothing add column more text');
    await expect(run()).rejects.toThrow('nothing');
    await write('0002_wrong', 'create table others (id int)');
    expect(await run()).toBe(1);
  });

  it('wait a second for a table at most, let those behind them through and try again', async () => {
    await client.query('create table notes (id int)');
    await client.query('begin; select from notes');
    await write('0001_more', 'alter table notes add column more text');
    const lines: string[] = [];
    const migrating = run((line) => lines.push(line));
    const reader = new pg.Client(database.poolConfig);
    await reader.connect();
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'counterfoil migrate' and wait_event_type = 'Lock'`;
    const waitUntil = async (isSo: (count: number | null) => boolean) => {
      while (!isSo((await reader.query(waiting)).rowCount));
    };
    for (let tries = 0; tries < 2; tries += 1) {
      await waitUntil((count) => count === 1);
      // Stands behind the migration, and is let through.
      await reader.query("set lock_timeout = '2900ms'; select from notes");
      await waitUntil((count) => count === 0);
    }
    await client.query('commit');
    expect(await migrating).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The migration 0001_more waits for a table that is in use \(the oldest transaction is server process \d+'s, of \d+ s\)\.$/,
      ),
    ]);
    await reader.end();
  });

  it('have no limit of time, whatever the database sets for its sessions', async () => {
    await limit('set statement_timeout to 20');
    try {
      await write('0001_slow', 'create table notes (id int); select pg_sleep(0.2)');
      expect(await run()).toBe(1);
    } finally {
      await limit('reset statement_timeout');
    }
  });

  it('are looked for beside whoever begins the store, without making anything', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await client.query('begin');
    await client.query(CREATE_RECORD);
    const looked = await findWaiting(database.poolConfig, { folder });
    await client.query('commit');
    expect(looked).toEqual({ last: null, pending: ['0001_notes'] });
  });

  it('run by two that take turns, each of which says once that it waits', async () => {
    for (const number of Array(20).keys())
      await write(`00${number + 10}_notes`, `create table notes_${number} (id int); select pg_sleep(0.01)`);
    const told: string[] = [];
    const runs = [run((line) => told.push(line)), run((line) => told.push(line))];
    const counts = await Promise.all(runs);
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(20);
    expect(told.length).toBeLessThanOrEqual(2);
  });

  it('are waited for by a start beside them, which says so', async () => {
    // Held by the test: the first migrates for as long as this takes.
    await client.query('create table gate (id int)');
    await client.query('begin; lock table gate');
    await write('0001_slow', 'set local lock_timeout = 0; lock table gate; create table notes (id int)');
    const lines: string[] = [];
    const first = run();
    const other = new pg.Client(database.poolConfig);
    await other.connect();
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'counterfoil migrate' and wait_event_type = 'Lock'`;
    while ((await other.query(waiting)).rowCount !== 1);
    const second = run((line) => lines.push(line));
    while ((await other.query(waiting)).rowCount !== 2);
    expect(lines).toEqual([
      expect.stringMatching(/^Waiting for another process .* \(server process \d+, for \d+ s now\)\.$/),
    ]);
    await client.query('commit');
    expect(await Promise.all([first, second])).toEqual([1, 0]);
    await other.end();
  });
});

describe('a store of another version', () => {
  it('is refused in one line where a migration that it ran has another text now', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await run();
    await write('0001_notes', 'create table notes (id int, more text)');
    await expect(run()).rejects.toThrow(
      'the store was made by another text of migration 0001_notes than this version has',
    );
  });

  it('O37 is taken by the code of before, which leaves alone what it does not know', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await write('0002_later', '-- Expand. Later.\nalter table notes add column more text');
    await run();
    await rm(path.join(folder, '0002_later.sql'));
    expect(await run()).toBe(0);
    expect(await findWaiting(database.poolConfig, { folder })).toEqual({ last: '0002_later', pending: [] });
  });

  it('O40 X36 is refused in one line where it takes only code that is newer', async () => {
    await write('0001_notes', 'create table notes (id int, old int)');
    await write(
      '0002_less',
      '-- Contract 1.10.0. Nothing older reads it.\nalter table notes drop column old',
    );
    await migrate(database.poolConfig, { folder, version: '1.10.0' });
    const again = (version: string) => migrate(database.poolConfig, { folder, version });
    await expect(again('1.9.3')).rejects.toThrow(
      'the store takes version 1.10.0 and later, and this is 1.9.3: start one of those',
    );
    expect(await again('1.10.1')).toBe(0);
    expect(await again('2.0.0')).toBe(0);
  });

  it('of a time when no hashes were kept goes on from where it was', async () => {
    await client.query(`create table kysely_migration (name text, timestamp text); create table kysely_migration_lock (id text);
      insert into kysely_migration values ('0001_notes', '')`);
    await write('0001_notes', 'create table notes (id int)');
    await write('0002_others', 'create table others (id int)');
    expect(await run()).toBe(1);
  });
});

describe('migrations that are too long for one transaction', () => {
  const FILL = `-- Expand, step by step. Fills the column.
    with step as (
      select id from notes where id > coalesce($1::int, 0) order by id limit $2
    ), filled as (
      update notes n set filled = filled + 1 from step where n.id = step.id
    )
    select max(id)::text as cursor from step`;

  it('O39 go on where they were killed, ten times over, and touch each row once', async () => {
    await write(
      '0001_notes',
      'create table notes (id int primary key, filled int not null default 0); insert into notes select generate_series(1, 12500)',
    );
    await run();
    await write('0002_fill', FILL);
    // Within a transaction who is there stays as it was at the first look.
    const watcher = new pg.Client(database.poolConfig);
    await watcher.connect();
    const killWaiting = async () => {
      const { rowCount } = await watcher.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'counterfoil migrate' and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    };
    for (let kills = 0; kills < 10; kills += 1) {
      // The step that comes to this row stands behind it until it is killed: one more gets through each time.
      await client.query('begin');
      await client.query('select from notes where id = $1 for update', [kills * 1000 + 500]);
      const killed = run().catch((error: Error) => error.message);
      await vi.waitFor(killWaiting, { timeout: 60_000, interval: 10 });
      expect(await killed).toEqual(expect.any(String));
      await client.query('rollback');
      const { rows } = await client.query('select steps from installation_steps');
      expect(rows[0]?.steps ?? 0).toBe(kills);
    }
    expect(await run()).toBe(1);
    const { rows } = await client.query('select min(filled), max(filled) from notes');
    expect(rows).toEqual([{ min: 1, max: 1 }]);
    expect(await run()).toBe(0);
    await watcher.end();
  });

  it('build an index beside those that write, outside of a transaction', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await write(
      '0002_index',
      `-- Expand, outside of a transaction. Found by id.
drop index concurrently if exists notes_id;
create index concurrently notes_id on notes (id);`,
    );
    expect(await run()).toBe(2);
    const { rows } = await client.query(
      "select indisvalid from pg_index where indexrelid = 'notes_id'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    expect(await run()).toBe(0);
  });
});

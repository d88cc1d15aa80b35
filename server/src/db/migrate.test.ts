import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { migrate } from './migrate.ts';

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

  it('leave nothing of one behind that fails, and go on from there', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await write('0002_wrong', 'create table others (id int); alter table nothing add column more text');
    await expect(run()).rejects.toThrow('nothing');
    await write('0002_wrong', 'create table others (id int)');
    expect(await run()).toBe(1);
  });

  it('wait two seconds for a table at most, let those behind them through and try again', async () => {
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

  it('is refused in one line where it is newer', async () => {
    await write('0001_notes', 'create table notes (id int)');
    await run();
    await rm(path.join(folder, '0001_notes.sql'));
    await expect(run()).rejects.toThrow('the store was brought to a newer schema (0001_notes)');
  });

  it('of a time when no hashes were kept goes on from where it was', async () => {
    await client.query(`create table kysely_migration (name text, timestamp text); create table kysely_migration_lock (id text);
      insert into kysely_migration values ('0001_notes', '')`);
    await write('0001_notes', 'create table notes (id int)');
    await write('0002_others', 'create table others (id int)');
    expect(await run()).toBe(1);
  });
});

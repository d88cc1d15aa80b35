import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEmbeddedStore } from '../db/embedded/store.ts';
import { findWaiting, migrate } from '../db/migrate.ts';
import { secureBeforeMigrating } from './before-migrating.ts';

let folder: string;
let migrations: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'before-migrating-test-')));
  migrations = path.join(folder, 'migrations');
  await cp(new URL('../db/migrations/', import.meta.url), migrations, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (backupDir: string | null = null) =>
  openEmbeddedStore({
    dataDir: path.join(folder, 'data'),
    backups: backupDir === null ? null : { backupDir, sameDisk: true },
    log: () => {},
    durable: false,
  });
type Store = Awaited<ReturnType<typeof open>>;

async function ask({ poolConfig }: Store, statement: string) {
  const client = new pg.Client(poolConfig);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const secure = (store: Store, mode: 'auto' | 'now', limitBytes: number) =>
  secureBeforeMigrating({
    store,
    migrate: mode,
    schema: '9000_before',
    close: () => store.stop(),
    limitBytes,
    shares: false,
  });

it('X54 a store too large to copy is left as it is; asked for, it is copied, and the line that is told undoes it', async () => {
  await writeFile(path.join(migrations, '9000_before.sql'), '-- Expand.\ncreate table told (n int)');
  let store = await open();
  await migrate(store.poolConfig, { folder: migrations });
  await ask(store, 'insert into told values (7)');
  await writeFile(
    path.join(migrations, '9001_after.sql'),
    '-- Expand.\nalter table told add column more int',
  );
  const waiting = { last: '9000_before', pending: ['9001_after'] };
  expect(await findWaiting(store.poolConfig, { folder: migrations })).toEqual(waiting);

  const files = await readdir(path.join(folder, 'data'));
  const refused = await secure(store, 'auto', 1_000).catch((error: Error) => error.message);
  expect(refused).toMatch(
    /^the store of \d+ MiB is to be migrated, .* set BACKUP_DIR, or MIGRATE=now [^\n]*$/,
  );
  expect(await readdir(path.join(folder, 'data'))).toEqual(files);

  store = await open();
  expect(await findWaiting(store.poolConfig, { folder: migrations })).toEqual(waiting);
  const lines = await secure(store, 'now', 1_000);
  store = await open();
  await migrate(store.poolConfig, { folder: migrations });
  expect(await ask(store, 'select n, more from told')).toEqual([{ n: 7, more: null }]);
  await store.stop();

  execFileSync('sh', ['-c', String(lines.at(-1))]);
  store = await open();
  expect(await ask(store, 'select * from told')).toEqual([{ n: 7 }]);
  expect(await findWaiting(store.poolConfig, { folder: migrations })).toEqual(waiting);
  await store.stop();
});

it('X36 X54 a store that is backed up goes back by its base backup, whatever its size', async () => {
  const store = await open(path.join(folder, 'backups'));
  const [line, ...others] = await secure(store, 'auto', 1_000);
  expect(others).toEqual([]);
  expect(line).toMatch(/npm run restore -- --from \S+ --at \S+ --to \S+/);
  // It was not stopped for it.
  expect(await ask(store, 'select n from told')).toEqual([{ n: 7 }]);
  await store.stop();
});

it('keeps the newest three copies', async () => {
  for (let n = 0; n < 4; n += 1) await secure(await open(), 'auto', Number.MAX_SAFE_INTEGER);
  const copies = (await readdir(path.join(folder, 'data'))).filter((name) =>
    name.startsWith('postgres.before-'),
  );
  expect(copies).toHaveLength(3);
});

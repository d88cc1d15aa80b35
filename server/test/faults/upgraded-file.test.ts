/** A file of an older migration, brought forward by the operators' own commands as processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { writeBackup } from '../../src/flows/exports/write-backup.ts';
import { openFiles } from '../../src/main/open-files.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { linesOf, makeFolder, readParts } from '../support/restoring.ts';
import { type Fixture, listFixtures, readFixture } from '../support/upgrading.ts';
import { buildService } from './service-process.ts';

const MAIN = fileURLToPath(new URL('../../dist/run/', import.meta.url));
/** Of files that can be restored, and not the newest. */
const OLD = '0156_account_idempotency_keys';

let old: TestDatabase;
let here: TestApp;
let hereUrl = '';
let fixture: Fixture;
let file: string;

beforeAll(async () => {
  await buildService();
  const [name = ''] = await listFixtures();
  fixture = await readFixture(name);
  old = await createEmptyDatabase();
  const client = new pg.Client(old.poolConfig);
  await client.connect();
  await client.query(fixture.sql).finally(() => client.end());
  await migrate(old.poolConfig, { until: OLD });
  file = await backUp();
  const through = async (url: string) => {
    hereUrl = url;
    return url;
  };
  here = await createTestApp({}, undefined, { through });
}, 600_000);
afterAll(async () => {
  await here?.close();
  await old?.drop();
});

async function backUp(): Promise<string> {
  const config = parseConfig({ DATA_DIR: makeFolder() });
  const limits = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 120_000 };
  const { db, close } = openDatabase({ ...old.poolConfig, ...limits });
  const files = await openFiles(config);
  const target = path.join(makeFolder(), 'old.tar.gz');
  try {
    await writeBackup({ db, config, files }, { target, seal: null, nowMs: Date.now() });
  } finally {
    await close();
  }
  return target;
}

async function run(command: string, args: string[], more: Record<string, string> = {}) {
  const { NODE_ENV: _test, VITEST: _vitest, DATABASE_URL: _shared, ...inherited } = process.env;
  const env = {
    ...{ ...inherited, ENV_FILE: '', DATA_DIR: makeFolder(), CI: '1' },
    // Where the release of the fixture was let reach a receiver.
    ...{ EGRESS_ALLOW_CIDRS: '127.0.0.1/32', ...more },
  };
  const child = spawn(process.execPath, [path.join(MAIN, `${command}.js`), ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

it('X50 upgrade-file writes the same workspaces as today would, which then come beside others', async () => {
  const newest = (await readMigrations()).at(-1)?.name ?? '';
  expect(newest > OLD).toBe(true);
  const refused = await run('restore', [file, '--yes'], { DATABASE_URL: hereUrl });
  expect(refused).toEqual({
    code: 3,
    output: expect.stringContaining(
      `The file is of migration ${OLD} and the store of ${newest}: bring the file there first, by upgrade-file.`,
    ),
  });
  expect(await run('upgrade-file', [])).toMatchObject({ code: 2, output: expect.stringContaining('Usage:') });
  const left = async () =>
    (await readdir(os.tmpdir())).filter((name) => name.startsWith('counterfoil-upgrade-'));
  const before = await left();
  const target = file.replace('.tar.gz', '.upgraded.tar.gz');
  const upgraded = await run('upgrade-file', [file], { SECRETS_KEY: fixture.about.secretsKey });
  expect(upgraded.code, upgraded.output).toBe(0);
  expect(upgraded.output.trim().split('\n').at(-1)).toBe(target);
  expect((await left()).filter((name) => !before.includes(name))).toEqual([]);
  const again = await run('upgrade-file', [file]);
  expect(again).toEqual({
    code: 2,
    output: expect.stringContaining('is there already: it is not written over.'),
  });

  const [was, is] = [await readParts(file), await readParts(target)];
  expect(JSON.parse(String(is.get('header.json')))).toMatchObject({ migration: newest, kind: 'backup' });
  for (const table of ['orders', 'payments', 'subscriptions', 'ledger_entries', 'invoices', 'api_keys']) {
    const rows = (of: Map<string, Buffer>) =>
      linesOf(of.get(`rows/${table}.jsonl`)).map(({ id, number }) => [id, number]);
    expect([table, rows(is).sort()]).toEqual([table, rows(was).sort()]);
  }
  const restored = await run('restore', [target, '--yes'], {
    DATABASE_URL: hereUrl,
    SECRETS_KEY: fixture.about.secretsKey,
  });
  expect(restored.code, restored.output).toBe(0);
  const { publicKey, secretKey } = fixture.about.keys.test;
  const headers = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey };
  const listed = await here.app.inject({ url: '/v0/orders/list', headers });
  expect([listed.statusCode, listed.json().data.count]).toEqual([
    200,
    linesOf(was.get('rows/orders.jsonl')).length,
  ]);
}, 600_000);

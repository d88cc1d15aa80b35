/** A restore that is killed at any moment, as processes of their own, beside a service that sells. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { buy } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { changePart, makeFolder, readParts, takeBackup } from '../support/restoring.ts';
import { type KillableService, openKillableService } from './killable-service.ts';

const MAIN = fileURLToPath(new URL('../../dist/run/', import.meta.url));
const KILLS = 20;
const ORDERS = 40;
const LIST = '/v0/orders/list?take=100';

let source: TestApp;
let service: KillableService;
let file: string;

beforeAll(async () => {
  source = await createTestApp({ DATA_DIR: makeFolder() });
  const offersIds = [await makeOffer(source.test)];
  for (let n = 0; n < ORDERS; n += 1) expect((await buy(source.test, { offersIds })).status).toBe(200);
  await source.service.pool.query(`update workspaces set portal_slug = 'sold-' || right(id::text, 12)`);
  file = await takeBackup(source);
  service = await openKillableService();
}, 600_000);
afterAll(async () => {
  await service?.close();
  await source?.close();
});

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** An operator's command, as a process; `killAt` is asked again and again whether it is to be killed now. */
async function run(
  command: string,
  args: string[],
  killAt?: (output: string) => Promise<boolean>,
): Promise<Ended> {
  const { NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const env = {
    ...inherited,
    ENV_FILE: '',
    DATABASE_URL: service.database.url,
    DATA_DIR: service.dataDir,
    CI: '1',
  };
  const child = spawn(process.execPath, [path.join(MAIN, `${command}.js`), ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  const exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  while (killAt && !isOver) {
    if (!(await killAt(output))) continue;
    child.kill('SIGKILL');
    break;
  }
  const [code, signal] = await exited;
  return { code, signal, output };
}

/** The table that a restore has come to, and how many rows of it are in. */
async function countIn(table: string): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where workspace_id = $1`,
    [source.test.scope.workspaceId],
  );
  return rows[0]?.count ?? 0;
}

/** What the one before has left is gone, and the first rows of this one are in. */
function whenFilling(table: string): (output: string) => Promise<boolean> {
  let isCleared = false;
  return async (output) => {
    const count = await countIn(table);
    if (count === 0 && output.includes('has the sum')) isCleared = true;
    return isCleared && count > 0;
  };
}

/** Where it is killed: as the file is read, in each of these tables as they fill, and at what it tells at its end. */
async function listMoments(): Promise<Array<(output: string) => Promise<boolean>>> {
  const filled: string[] = [];
  for (const name of (await readParts(file)).keys()) {
    const table = /^rows\/(\w+)\.jsonl$/.exec(name)?.[1];
    if (table && !['accounts', 'memberships', 'workspaces'].includes(table)) filled.push(table);
  }
  const { rows } = await service.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = 'public'`,
  );
  const own = new Set(rows.map(({ name }) => name));
  const holding: string[] = [];
  for (const table of filled) {
    if (!own.has(table)) continue;
    const { rows: found } = await source.service.pool.query(
      `select from ${table} where workspace_id = $1 limit 1`,
      [source.test.scope.workspaceId],
    );
    if (found.length > 0) holding.push(table);
  }
  // Behind the next one it may be whole before the signal arrives.
  const told = ['has the sum', 'files are in'];
  const count = KILLS - told.length;
  const picked = Array.from(
    { length: count },
    (_, n) => holding[Math.floor((n * holding.length) / count)] ?? '',
  );
  return [
    ...picked.map(whenFilling),
    ...told.map((line) => async (output: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      return output.includes(line);
    }),
  ];
}

it('X50 killed 20 times beside a selling service: nothing of it is seen, and the next succeeds', async () => {
  const { product } = await service.post('/v0/products/create', { type: 'Game', name: 'Own' });
  const priced = { productId: product.id, price: 500, currency: 'USD' };
  const { offer } = await service.post('/v0/offers/create', priced);
  const statuses: number[] = [];
  let isOver = false;
  const selling = (async () => {
    const purchase = {
      ...{ offersIds: [offer.id], userEmail: 'ada@example.com' },
      billingDetails: { countryCode: 'DE' },
    };
    while (!isOver)
      statuses.push((await service.ask('POST', '/v0/test-purchases/create', { body: purchase })).status);
  })();
  await killAndRestore().finally(() => {
    isOver = true;
    return selling;
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  const { orders } = (await service.ask('GET', LIST, { keys: source.test.keys })).body.data;
  expect(orders).toEqual((await source.test.get(LIST)).body.data.orders);
  expect((await service.ask('GET', '/v0/orders/list')).body.data.count).toBe(statuses.length);
  expect(existsSync(path.join(service.dataDir, 'restore.parts'))).toBe(false);
  await expectWhole();
  await expectOperatorsWord();
}, 1_200_000);

async function killAndRestore(): Promise<void> {
  let killed = 0;
  for (const killAt of await listMoments()) {
    const ended = await run('restore', [file, '--yes'], killAt);
    expect(ended.signal, ended.output).toBe('SIGKILL');
    killed += 1;
    // With the very keys of the file, which are right.
    expect((await service.ask('GET', LIST, { keys: source.test.keys })).status).toBe(401);
  }
  expect(killed).toBe(KILLS);
  const restored = await run('restore', [file, '--yes']);
  expect(restored.code, restored.output).toBe(0);
  // That a pair is unknown is remembered for some seconds.
  await expect
    .poll(async () => (await service.ask('GET', LIST, { keys: source.test.keys })).status)
    .toBe(200);
}

/** Nothing is left of the killed ones, and all holds. */
async function expectWhole(): Promise<void> {
  const { rows } = await service.pool.query(`select from workspaces where state = 'restoring'`);
  expect(rows).toEqual([]);
  const limits = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 120_000 };
  const opened = openDatabase({ ...service.database.poolConfig, ...limits });
  try {
    expect(await findBroken(opened.db, [])).toEqual([]);
  } finally {
    await opened.close();
  }
}

/** `resume` and a second `restore`, as an operator types them. */
async function expectOperatorsWord(): Promise<void> {
  const { workspaceId } = source.test.scope;
  const other = source.other.scope.workspaceId;
  const again = await run('restore', [file, '--yes']);
  expect(again).toMatchObject({
    code: 3,
    output: expect.stringContaining('is here already: nothing was restored.'),
  });
  const changed = await changePart(file, 'rows/orders.jsonl', (text) => text.replace('PAID', 'FREE'));
  const refused = await run('restore', [changed, '--yes']);
  expect(refused.code).toBe(3);
  expect(refused.output).toContain('The part rows/orders.jsonl is not what the manifest says.');
  expect((await run('resume', ['--workspace', workspaceId])).code).toBe(2);
  expect((await run('resume', ['--workspace', workspaceId, '--copy'])).output).toContain(
    'leave --workspace out',
  );
  const held = async () => {
    const text = 'select workspace_id as id from stores where held_since is not null';
    return (await service.pool.query<{ id: string }>(text)).rows.map(({ id }) => id);
  };
  expect((await held()).sort()).toEqual([workspaceId, other].sort());
  const resumed = await run('resume', ['--workspace', workspaceId, '--restored']);
  expect(resumed.code, resumed.output).toBe(0);
  expect(await held()).toEqual([other]);
  const twice = await run('resume', ['--workspace', workspaceId, '--same']);
  expect(twice).toMatchObject({ code: 3, output: 'Nothing of that is held.\n' });
  expect((await run('resume', ['--workspace', other, '--same'])).code).toBe(0);
  expect(await held()).toEqual([]);
}

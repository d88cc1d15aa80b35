/** A store that moves to an empty server by a command that is killed on the way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openForStart } from '../../src/flows/moves/closed-store.ts';
import { compareStore } from '../../src/main/compare-store.ts';
import { wire } from '../../src/main/wire.ts';
import { listMovedTables, readMove, sumTable } from '../../src/resources/installation/moving.queries.ts';
import { buy } from '../support/buying.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { makeFolder } from '../support/restoring.ts';
import { toProxied, toStoreAddress } from '../support/swallowing-proxy.ts';
import { buildService } from './service-process.ts';

const MOVE = fileURLToPath(new URL('../../dist/run/move.js', import.meta.url));
const SALES = 3;

let app: TestApp;
let url: string;
let dataDir: string;
let target: TestDatabase;
let way: Watched;

beforeAll(async () => {
  dataDir = makeFolder();
  const through = async (own: string) => {
    url = own;
    return own;
  };
  app = await createTestApp({ DATA_DIR: dataDir }, undefined, { through });
  const offersIds = [await makeOffer(app.test)];
  for (let n = 0; n < SALES; n += 1) expect((await buy(app.test, { offersIds })).status).toBe(200);
  // As the embedded store knows itself, which would hold it anywhere else.
  await app.service.pool.query("update installation_state set system_identifier = '1', data_dir_id = 'here'");
  await app.wired.close();
  await buildService();
  target = await createEmptyDatabase();
  way = await watch(target.url);
}, 600_000);
afterAll(async () => {
  await way?.close();
  await target?.drop();
  await app?.close();
});

/** A way to the target that is told each packet before it passes. */
interface Watched {
  url: string;
  /** True = the command is killed over it. */
  onPacket: ((text: string) => boolean) | null;
  kill: () => void;
  close(): Promise<void>;
}

async function watch(connectionString: string): Promise<Watched> {
  const sockets = new Set<net.Socket>();
  const watched: Watched = { url: '', onPacket: null, kill: () => {}, close: async () => {} };
  const server = net.createServer((client) => {
    const store = net.connect(toStoreAddress(connectionString));
    for (const socket of [client, store]) sockets.add(socket.on('error', () => {}));
    client.on('data', (bytes) => {
      if (watched.onPacket?.(bytes.toString('latin1'))) watched.kill();
      store.write(bytes);
    });
    store.on('data', (bytes) => client.write(bytes));
    client.once('close', () => store.destroy());
    store.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  watched.url = toProxied(connectionString, server);
  watched.close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return watched;
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

async function run(args: string[], onPacket: Watched['onPacket'] = null): Promise<Ended> {
  const { NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const env = { ...inherited, ENV_FILE: '', DATABASE_URL: url, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [MOVE, ...args, '--yes'], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  way.kill = () => child.kill('SIGKILL');
  way.onPacket = onPacket;
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  way.onPacket = null;
  return { code, signal, output };
}

const move = (onPacket: Watched['onPacket'] = null) => run(['--to', way.url], onPacket);

async function withStore<T>(connectionString: string, work: Parameters<typeof inTransaction<T>>[1]) {
  const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
  const database = openDatabase({ connectionString, ...limits });
  try {
    return await inTransaction(database.db, work);
  } finally {
    await database.close();
  }
}

/** Which of the two a start would go on with; asking opens what a killed move has left as it was. */
async function listOpen(): Promise<string[]> {
  const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
  const open: string[] = [];
  for (const [name, connectionString] of [
    ['source', url],
    ['target', target.url],
  ] as const) {
    const database = openDatabase({ connectionString, ...limits });
    try {
      const { refused } = await openForStart(database.db, { connectionString });
      // An empty database is no store.
      if (refused === null && (name === 'source' || (await readMove(database.db)).stage !== null))
        open.push(name);
    } finally {
      await database.close();
    }
  }
  return open;
}

/** Once it has come to this text, at the n-th time. */
function at(text: string, n = 1): (packet: string) => boolean {
  let count = 0;
  return (packet) => packet.includes(text) && ++count === n;
}

it('O53 killed at ten moments it is begun anew, and one of the two is open each time', async () => {
  const moments = [
    at('create table schema_migrations ('),
    at('create table orders'),
    at('set local counterfoil.restore'),
    // It has the schema and no rows yet.
    at('exists (select from "webhooks")'),
    at('insert into "stores"'),
    at('insert into "orders"'),
    at('insert into "payments"'),
    at('update "installation_state"'),
    at('bit(60)', 60),
  ];
  for (const [index, isMoment] of moments.entries()) {
    const { signal, output } = await move(isMoment);
    expect([index, signal, output]).toEqual([index, 'SIGKILL', output]);
    // PostgreSQL lets go of what the killed process had locked once it has seen that nobody is there.
    await expect.poll(async () => [index, await listOpen()]).toEqual([index, ['source']]);
  }
}, 600_000);

it('O53 killed as the other opens, only that can tell, and the same command ends it', async () => {
  // The commit that opens it passes, and its answer reaches nobody.
  const { signal, output } = await move(at('comment on table schema_migrations is null'));
  expect([signal, output]).toEqual(['SIGKILL', expect.stringContaining('sums of all tables are equal')]);
  const open = await listOpen();
  expect(open).not.toContain('source');
  expect((await run(['--reopen'])).output).toContain('add that as --to');
  const { code, output: told } = await move();
  expect([code, told]).toEqual([0, expect.stringContaining('This store is closed for good.')]);
  expect(await listOpen()).toEqual(['target']);
}, 600_000);

it('O53 what was moved is the same, sells at once, and is no longer where it was', async () => {
  const sums = async (connectionString: string) =>
    withStore(connectionString, async (tx) => {
      const names = (await listMovedTables(tx)).filter((name) => name !== 'account_audit');
      const all: Record<string, unknown> = {};
      for (const name of names) all[name] = await sumTable(tx, name);
      return all;
    });
  const there = await sums(target.url);
  expect(there).toEqual(await sums(url));
  expect(there.orders).toMatchObject({ rows: SALES });

  const config = parseConfig({ DATA_DIR: dataDir, DATABASE_URL: target.url });
  const log = pino({ level: 'silent' });
  const wired = await wire({ config, store: { connectionString: target.url }, log, realNowMs: Date.now });
  try {
    expect(await compareStore(wired.service, config, null)).toBeNull();
  } finally {
    await wired.close();
  }
  const again = await move();
  expect([again.code, again.output]).toEqual([3, expect.stringContaining('moved to')]);
  expect((await run(['--reopen'])).code).toBe(3);
}, 600_000);

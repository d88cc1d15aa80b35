/**
 * The disk is full: under the embedded store and the files of merchants, and under the tables of a PostgreSQL of the
 * operator's own. Writes are refused, reads are served, and all goes on by itself once there is room.
 */
import { chown, mkdir, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../src/db/embedded/store.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import {
  buildService,
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from '../faults/service-process.ts';

const MIB = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 1);
/** So many writes at most until one does not fit any more. */
const WRITES_MAX = 20_000;
const BESIDE = 8;
/** From when there is room again. */
const WELL_WITHIN_MS = 60_000;

let small: string;
beforeAll(async () => {
  const { COUNTERFOIL_SMALL_DISK } = process.env;
  if (!COUNTERFOIL_SMALL_DISK)
    throw new Error('There is no small disk here: run npm run test:disk, as root.');
  small = COUNTERFOIL_SMALL_DISK;
  await buildService();
}, 300_000);

const ends: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Running {
  service: ServiceProcess;
  credentials: Credentials;
  productId: string;
}

async function start(dataDir: string, databaseUrl: string | null): Promise<Running> {
  const service = spawnService({
    port: await findFreePort(),
    dataDir,
    databaseUrl,
    env: { SEED_DEMO: 'off' },
  });
  ends.push(async () => {
    service.signal('SIGTERM');
    await service.exited;
  });
  await service.ready();
  const running = { service, credentials: await readCredentials(dataDir), productId: '' };
  const made = await ask(running, 'POST', '/v0/products/create', { type: 'SoftwareKey', name: 'First' });
  expect(made.status).toBe(200);
  return { ...running, productId: made.body.data.product.id };
}

interface Said {
  status: number;
  retryAfter: number;
  // Of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

async function ask(
  { service, credentials }: Pick<Running, 'service' | 'credentials'>,
  method: string,
  target: string,
  body?: unknown,
): Promise<Said> {
  const isBytes = Buffer.isBuffer(body);
  const response = await fetch(`${service.baseUrl}${target}`, {
    method,
    headers: {
      'x-svc-public-key': credentials.test.publicKey,
      'x-svc-secret-key': credentials.test.secretKey,
      ...(isBytes
        ? { 'content-type': 'application/octet-stream', 'x-file-name': 'big.bin' }
        : body
          ? { 'content-type': 'application/json' }
          : {}),
    },
    ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    body: await response.json(),
  };
}

/** Leaves no byte; answers how to make room again. */
async function fill(): Promise<() => Promise<void>> {
  const file = path.join(small, 'filler');
  const handle = await open(file, 'w');
  try {
    for (;;) await handle.write(CHUNK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    await handle.close();
  }
  return () => rm(file);
}

/** Makes products until one is refused; answers the names of those that were acknowledged. */
async function writeUntilRefused(running: Running): Promise<string[]> {
  const acknowledged: string[] = [];
  const description = 'x'.repeat(2_000);
  for (let n = 0; n < WRITES_MAX / BESIDE; n += 1) {
    const names = Array.from({ length: BESIDE }, (_, i) => `Full ${n}-${i}`);
    const answers = await Promise.all(
      names.map((name) =>
        ask(running, 'POST', '/v0/products/create', { type: 'SoftwareKey', name, description }),
      ),
    );
    answers.forEach(({ status }, i) => {
      if (status === 200) acknowledged.push(names[i] ?? '');
    });
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, retryAfter, body } of refused) {
      expect([status, body.error.code, retryAfter > 0]).toEqual([503, 'unavailable', true]);
    }
    if (refused.length > 0) return acknowledged;
  }
  throw new Error('the disk did not become full');
}

/** What a buyer and a merchant read meanwhile. */
async function expectReads(running: Running): Promise<void> {
  for (const target of [`/v0/products/${running.productId}`, '/v0/orders/list', '/v0/products/list']) {
    expect([target, (await ask(running, 'GET', target)).status]).toEqual([target, 200]);
  }
}

async function expectWell(running: Running, databaseUrl: string, acknowledged: string[]): Promise<void> {
  const fromMs = performance.now();
  const product = { type: 'SoftwareKey', name: 'After' };
  while ((await ask(running, 'POST', '/v0/products/create', product)).status !== 200) {
    expect(performance.now() - fromMs).toBeLessThan(WELL_WITHIN_MS);
    await wait(50);
  }
  const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
  const database = openDatabase({ connectionString: databaseUrl, ...limits });
  try {
    const { rows } = await database.pool.query('select name from products');
    const kept = new Set(rows.map(({ name }) => name));
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
    expect(await findViolations(database.db)).toEqual([]);
  } finally {
    await database.close();
  }
}

/** The server that a service beside it uses, as a command of ours would. */
async function attach(dataDir: string): Promise<EmbeddedStore> {
  const store = await openEmbeddedStore({ dataDir, log: () => {}, purpose: 'attach' });
  ends.push(() => store.stop());
  return store;
}

describe('T47 a full disk', () => {
  it('under the embedded store and the files: writes are refused, reads served, and it recovers', async () => {
    const dataDir = path.join(small, 'data');
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const running = await start(dataDir, null);
    const store = await attach(dataDir);
    const makeRoom = await fill();
    const acknowledged = await writeUntilRefused(running);
    await expectReads(running);
    const upload = await ask(running, 'POST', '/v0/files/upload', Buffer.alloc(8 * 1024 * 1024, 2));
    expect([upload.status, upload.body.error?.code]).toEqual([503, 'unavailable']);
    expect(upload.body.error.message).toContain('no room for the file');
    await expectReads(running);
    expect(running.service.output()).not.toContain('PostgreSQL went away');
    await makeRoom();
    await expectWell(running, store.url, acknowledged);
  });

  it('under the embedded store when it is started: reads are served all the same', async () => {
    const dataDir = path.join(small, 'started');
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const { service: first, productId } = await start(dataDir, null);
    first.signal('SIGTERM');
    await first.exited;
    const makeRoom = await fill();
    // The server itself needs the next file of its log.
    await truncate(path.join(small, 'filler'), (await stat(path.join(small, 'filler'))).size - 48 * MIB);
    const service = spawnService({ port: await findFreePort(), dataDir, databaseUrl: null });
    ends.push(async () => {
      service.signal('SIGTERM');
      await service.exited;
    });
    await service.ready();
    const running = { service, productId, credentials: await readCredentials(dataDir) };
    await expectReads(running);
    const write = () => ask(running, 'POST', '/v0/products/create', { type: 'SoftwareKey', name: 'After' });
    expect((await write()).status).toBe(503);
    await makeRoom();
    await expect.poll(async () => (await write()).status).toBe(200);
  });

  it('under the embedded store, to the last byte: a start says so in its line, and loses nothing', async () => {
    const dataDir = path.join(small, 'last-byte');
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const running = await start(dataDir, null);
    const makeRoom = await fill();
    running.service.signal('SIGTERM');
    await running.service.exited;
    const refused = spawnService({ port: await findFreePort(), dataDir, databaseUrl: null });
    expect((await refused.exited).code).not.toBe(0);
    expect(refused.output()).toContain('its disk is full: make room, and start it again');
    await makeRoom();
    const again = await start(dataDir, null);
    expect((await ask(again, 'GET', `/v0/products/${running.productId}`)).status).toBe(200);
  });

  it('under the tables of a PostgreSQL of its own: the same', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-full-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const store = await openEmbeddedStore({ dataDir: path.join(dataDir, 'server'), log: () => {} });
    ends.push(() => store.stop());
    const databaseUrl = await makeDatabaseOnSmallDisk(store);
    const running = await start(path.join(dataDir, 'service'), databaseUrl);
    const makeRoom = await fill();
    const acknowledged = await writeUntilRefused(running);
    await expectReads(running);
    await makeRoom();
    await expectWell(running, databaseUrl, acknowledged);
  });
});

/** Its tables lie there; the server's log does not. */
async function makeDatabaseOnSmallDisk(store: EmbeddedStore): Promise<string> {
  const location = path.join(small, 'tables');
  await mkdir(location, { mode: 0o700 });
  await chown(location, store.place.uid, store.place.uid);
  const admin = new pg.Client({ ...store.poolConfig, user: 'postgres', database: 'postgres' });
  await admin.connect();
  await admin.query(`create tablespace small location '${location}'`);
  await admin.query('create database shop owner counterfoil tablespace small');
  await admin.end();
  return store.url.replace('/counterfoil?', '/shop?');
}

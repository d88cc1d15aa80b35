import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  buildService,
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceOptions,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const running: ServiceProcess[] = [];
const folders: string[] = [];
let database: TestDatabase;

beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
}, 300_000);

afterEach(async () => {
  for (const service of running.splice(0)) {
    service.signal('SIGTERM');
    await service.exited;
  }
});

afterAll(async () => {
  await database?.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-start-'));
  folders.push(folder);
  return folder;
}

function spawn(options: ServiceOptions): ServiceProcess {
  const service = spawnService({ ...options, env: { DATABASE_CONNECTIONS_MAX: '10', ...options.env } });
  running.push(service);
  return service;
}

async function start(options: ServiceOptions): Promise<ServiceProcess> {
  const service = spawn(options);
  await service.ready();
  return service;
}

async function isServed({ baseUrl }: ServiceProcess, { test }: Credentials): Promise<boolean> {
  const headers = { 'x-svc-public-key': test.publicKey, 'x-svc-secret-key': test.secretKey };
  return (await fetch(`${baseUrl}/v0/offers/list`, { headers })).status === 200;
}

/** Y08 What the public keys of the first pairs are answered by themselves. */
async function readsAlone({ baseUrl }: ServiceProcess, { test, live }: Credentials) {
  const read = async ({ publicKey }: { publicKey: string }) =>
    (await fetch(`${baseUrl}/v0/offers/list`, { headers: { 'x-svc-public-key': publicKey } })).status;
  return { test: await read(test), live: await read(live) };
}

describe('credentials.json', { timeout: 240_000 }, () => {
  it('is whole before the service is ready, is the owner’s alone, and outlives kill -9 and another port', async () => {
    const dataDir = await makeFolder();
    const file = path.join(dataDir, 'credentials.json');
    const port = await findFreePort();
    const first = spawn({ port, dataDir, databaseUrl: null });
    await first.ready();
    const written = await readCredentials(dataDir);
    expect(written).toEqual({
      baseUrl: `http://localhost:${port}`,
      owner: { email: expect.stringContaining('@'), password: expect.stringMatching(/^.{8,72}$/) },
      test: {
        publicKey: expect.stringMatching(/^pub_test_\w{32,}$/),
        secretKey: expect.stringMatching(/^sec_test_\w{32,}$/),
      },
      live: {
        publicKey: expect.stringMatching(/^pub_live_\w{32,}$/),
        secretKey: expect.stringMatching(/^sec_live_\w{32,}$/),
      },
      checkoutUrl: expect.stringMatching(new RegExp(`^http://localhost:${port}/checkout`)),
      dashboardUrl: `http://localhost:${port}/dashboard`,
      setupUrl: expect.stringMatching(new RegExp(`^http://localhost:${port}/dashboard/setup#[\\w-]{43}$`)),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await isServed(first, written)).toBe(true);
    expect(await readsAlone(first, written)).toEqual({ test: 200, live: 401 });
    expect((await fetch(String(written.checkoutUrl).replace('localhost', '127.0.0.1'))).status).toBe(200);

    first.signal('SIGKILL');
    await first.exited;
    const other = await findFreePort();
    const second = await start({ port: other, dataDir, databaseUrl: null });
    const kept = await readCredentials(dataDir);
    expect(kept.test).toEqual(written.test);
    expect(kept.live).toEqual(written.live);
    expect(kept.owner).toEqual(written.owner);
    expect(kept.baseUrl).toBe(`http://localhost:${other}`);
    expect(kept.checkoutUrl).toBe(String(written.checkoutUrl).replace(String(port), String(other)));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await isServed(second, kept)).toBe(true);
  });

  it('of an empty PostgreSQL store has keys and no demo', async () => {
    const own = await createTestDatabase();
    const dataDir = await makeFolder();
    const service = await start({ port: await findFreePort(), dataDir, databaseUrl: own.url });
    const written = await readCredentials(dataDir);
    expect(written.checkoutUrl).toBeNull();
    expect(await isServed(service, written)).toBe(true);
    expect(service.output()).not.toContain(written.live.secretKey);
    service.signal('SIGTERM');
    await service.exited;
    await own.drop();
  });
});

describe('a second start on a folder in use', { timeout: 240_000 }, () => {
  it('ends by itself with one clear line, and the first goes on', async () => {
    const dataDir = await makeFolder();
    const first = await start({ port: await findFreePort(), dataDir, databaseUrl: null });
    const before = await readFile(path.join(dataDir, 'credentials.json'), 'utf8');
    const second = spawn({ port: await findFreePort(), dataDir, databaseUrl: null });
    const { code, afterMs } = await second.exited;
    expect(code).toBe(EXIT.refused);
    expect(afterMs).toBeLessThan(60_000);
    const lines = second.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/in use|already/i);
    expect(await isServed(first, await readCredentials(dataDir))).toBe(true);
    expect(await readFile(path.join(dataDir, 'credentials.json'), 'utf8')).toBe(before);
  });
});

describe('a setting that cannot be', { timeout: 180_000 }, () => {
  it.each([
    ['PORT', '70000'],
    ['ROLE', 'boss'],
    ['RATE_LIMIT_TEST', '-1'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['PUBLIC_URL', 'localhost'],
    ['EGRESS_ALLOW_CIDRS', 'nonsense'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1'],
  ])('%s=%s stops the start with one line that names it', async (name, value) => {
    const dataDir = await makeFolder();
    const service = spawn({ port: await findFreePort(), dataDir, databaseUrl: null, env: { [name]: value } });
    expect((await service.exited).code).toBe(EXIT.usage);
    const lines = service.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
  });

  it('and a store that is not there stop it too', async () => {
    const dataDir = await makeFolder();
    const nobody = `postgres://x:x@127.0.0.1:${await findFreePort()}/x`;
    const service = spawn({ port: await findFreePort(), dataDir, databaseUrl: nobody });
    expect((await service.exited).code).toBe(EXIT.unreachable);
    expect(service.output().trim().split('\n')).toHaveLength(1);
    expect(service.output()).toContain('DATABASE_URL');
  });
});

describe('a DATA_DIR that cannot be', { timeout: 60_000 }, () => {
  it('is told in one line by its name, as a wrong setting', async () => {
    const file = path.join(await makeFolder(), 'a-file');
    await writeFile(file, '');
    for (const dataDir of [file, path.join(file, 'below')]) {
      const service = spawn({ port: await findFreePort(), dataDir, databaseUrl: null });
      expect((await service.exited).code).toBe(EXIT.usage);
      expect(service.output().trim().split('\n')).toEqual([
        expect.stringContaining(`DATA_DIR (${dataDir}) cannot be used`),
      ]);
    }
  });

  it.each(['DATA_DIR', 'BACKUP_DIR'])('and so is %s where nothing can be made', async (name) => {
    const at = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: null };
    const service = spawn({ ...at, env: { [name]: '/proc/nope' } });
    expect((await service.exited).code).toBe(EXIT.usage);
    const line = `Counterfoil cannot start: ${name} (/proc/nope) cannot be used`;
    expect(service.output().trim().split('\n')).toEqual([expect.stringContaining(line)]);
  });
});

describe('a stop before the start has ended', { timeout: 60_000 }, () => {
  it('is a stop in good order, and no failed start', async () => {
    const own = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: own.url });
    const held = await pool.connect();
    try {
      await held.query('begin; lock table installation_state in access exclusive mode');
      const at = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: own.url };
      const service = spawn(at);
      const waits = `select 1 from pg_locks where not granted and relation = 'installation_state'::regclass`;
      await expect.poll(async () => (await pool.query(waits)).rowCount, { timeout: 30_000 }).toBe(1);
      service.signal('SIGTERM');
      expect(await service.exited).toMatchObject({ code: 0, signal: null });
      expect(service.output()).not.toContain('cannot start');
    } finally {
      held.release(true);
      await pool.end();
      await own.drop();
    }
  });
});

describe('a place that cannot be listened at', { timeout: 180_000 }, () => {
  // It is looked at after the first start has written its keys, which the shared store's are for others.
  let own: TestDatabase;
  beforeAll(async () => {
    own = await createTestDatabase();
  });
  afterAll(() => own?.drop());

  it.each([
    ['HOST', { HOST: 'a..b' }],
    ['HOST', { HOST: '203.0.113.1' }],
    ['METRICS_HOST', { METRICS_HOST: '203.0.113.9', METRICS_PORT: '9464' }],
  ])('is told in one line by its setting: %s', async (name, env) => {
    const at = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: own.url };
    const service = spawn({ ...at, env });
    expect((await service.exited).code).toBe(EXIT.usage);
    expect(service.output().trim().split('\n')).toEqual([
      expect.stringContaining(`cannot start: ${name} and`),
    ]);
  });
});

describe('a port in use', { timeout: 180_000 }, () => {
  it.each(['PORT', 'METRICS_PORT'])('is told by its setting, %s, and no store runs on', async (name) => {
    const [port, inUse] = [await findFreePort(), await findFreePort()];
    const taken = net.createServer().listen(inUse, '127.0.0.1');
    await once(taken, 'listening');
    const dataDir = await makeFolder();
    const service = spawn({ port, dataDir, databaseUrl: null, env: { [name]: String(inUse) } });
    const { code } = await service.exited;
    const told = expect.stringContaining(`port is in use already, set ${name} to another`);
    expect([code, ...service.output().trim().split('\n')]).toEqual([EXIT.refused, told]);
    await expect(readFile(path.join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
    taken.close();
  });
});

interface Tally {
  answered: number;
  statuses: Set<number>;
  errors: string[];
}

/** `agent` false = a connection for each request. */
function request(url: string, { test }: Credentials, agent: http.Agent | false): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-svc-public-key': test.publicKey };
    http
      .get(url, { agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      })
      .on('error', reject);
  });
}

/** A client that tries again only when it is refused; anything else is a failed request. */
async function requestUntil(
  stop: AbortSignal,
  url: string,
  to: { credentials: Credentials; tally: Tally; agent: http.Agent | false },
): Promise<void> {
  while (!stop.aborted) {
    try {
      to.tally.statuses.add(await request(url, to.credentials, to.agent));
      to.tally.answered += 1;
      await wait(10);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (code !== 'ECONNREFUSED') to.tally.errors.push(code);
      await wait(20);
    }
  }
}

async function restartUnderLoad(agent: http.Agent | false, restarts: number): Promise<Tally> {
  const options = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: database.url };
  let service = await start(options);
  const credentials = await readCredentials(dataDirOfKeys ?? options.dataDir);
  dataDirOfKeys ??= options.dataDir;
  const tally: Tally = { answered: 0, statuses: new Set(), errors: [] };
  const stop = new AbortController();
  const url = `${service.baseUrl}/v0/discounts/list`;
  const to = { credentials, tally, agent };
  const clients = Array.from({ length: 6 }, () => requestUntil(stop.signal, url, to));
  for (let round = 0; round < restarts; round += 1) {
    await wait(700);
    const askedMs = performance.now();
    service.signal('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - askedMs).toBeLessThan(120_000);
    service = await start(options);
  }
  stop.abort();
  await Promise.all(clients);
  return tally;
}

/** The first start on the shared store writes the keys. */
let dataDirOfKeys: string | null = null;

describe('SIGTERM under load', { timeout: 240_000 }, () => {
  it('T43 fails no request of a client that keeps its connections, and ends by itself', async () => {
    const agent = new http.Agent({ keepAlive: true });
    const tally = await restartUnderLoad(agent, 3);
    agent.destroy();
    expect(tally.errors).toEqual([]);
    expect(tally.statuses).toEqual(new Set([200]));
    expect(tally.answered).toBeGreaterThan(50);
  });

  it('T43 of clients that connect anew each time resets at most what the system had not handed over yet', async () => {
    const restarts = 3;
    const tally = await restartUnderLoad(false, restarts);
    expect(tally.statuses).toEqual(new Set([200]));
    // How many depends on the machine; Node's own close cuts about three each time under this load.
    expect(tally.errors.length).toBeLessThan(3 * restarts + tally.answered / 10);
    expect(tally.answered).toBeGreaterThan(50);
  });
});

describe('told to stop', () => {
  it('by a terminal that is closed it ends in good order, and its PostgreSQL with it', async () => {
    const dataDir = await makeFolder();
    const service = await start({ port: await findFreePort(), dataDir, databaseUrl: null });
    service.signal('SIGHUP');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    await expect(stat(path.join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('O03 goes on serving for DRAIN_DELAY_MS while it says that it stops, then ends with exit code 0', async () => {
    const env = { DRAIN_DELAY_MS: '5000' };
    const service = await start({
      port: await findFreePort(),
      dataDir: await makeFolder(),
      databaseUrl: database.url,
      env,
    });
    const ask = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).status;
    service.signal('SIGTERM');
    await expect.poll(() => ask('/readyz'), { interval: 20 }).toBe(503);
    expect([await ask('/startz'), await ask('/docs')]).toEqual([200, 200]);
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
  });

  it('O03 cuts off what has not ended by DRAIN_TIMEOUT_MS, says so, and ends with exit code 0', async () => {
    const port = await findFreePort();
    const env = { DRAIN_TIMEOUT_MS: '200' };
    const service = await start({ port, dataDir: await makeFolder(), databaseUrl: database.url, env });
    // A body of which the most never comes.
    const slow = net.connect(port, '127.0.0.1');
    slow.write('POST /v0/products/create HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    slow.write('content-length: 100\r\n\r\n{');
    slow.on('error', () => {});
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
    const askedMs = performance.now();
    service.signal('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - askedMs).toBeLessThan(20_000);
    expect(service.output()).toContain('"event":"stop_cut_short"');
    slow.destroy();
  });

  it('O04 ends at once at a second signal', async () => {
    const env = { DRAIN_DELAY_MS: '60000' };
    const service = await start({
      port: await findFreePort(),
      dataDir: await makeFolder(),
      databaseUrl: database.url,
      env,
    });
    service.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status).toBe(503);
    // The first is told twice by npm; what comes later is meant.
    const again = setInterval(() => service.signal('SIGTERM'), 300);
    const ended = await service.exited;
    clearInterval(again);
    expect(ended).toMatchObject({ code: 1, signal: null });
  });
});

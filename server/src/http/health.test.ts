import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { openDatabase } from '../db/database.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../db/embedded/store.ts';
import { migrate } from '../db/migrate.ts';
import { serveHealth } from '../main/health-port.ts';
import { createHealth } from './health.ts';

const TOKEN = 'who-watches';
let dataDir: string;
let store: EmbeddedStore;
let app: TestApp;
/** By how much the clock that durations are measured by has jumped. */
let jumpedMs = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-halted-'));
  store = await openEmbeddedStore({ dataDir, log: () => {}, durable: false });
  await migrate({ connectionString: store.url });
  app = await createTestApp({ METRICS_TOKEN: TOKEN }, undefined, {
    through: async () => store.url,
    monotonicMs: () => performance.now() + jumpedMs,
  });
}, 120_000);
afterAll(async () => {
  await app?.close();
  await store?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = async (url: string) => {
  const answer = await app.app.inject(url);
  return { code: answer.statusCode, body: answer.json() };
};

const isUp = async () => {
  const { body } = await app.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  return /^counterfoil_store_up (\d)$/m.exec(body)?.[1];
};

/** The server and the processes of its connections. */
async function signalStore(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const file = await readFile(path.join(store.place.cluster, 'postmaster.pid'), 'utf8');
  const server = Number(file.split('\n')[0]);
  for (const pid of [server, ...(await listChildren(server))]) process.kill(pid, signal);
}

async function listChildren(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // Behind the name, which may hold anything, come the state and the parent.
  const isChild = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
  return pids.filter((_pid, place) => isChild(stats[place] ?? ''));
}

const READY = {
  status: 'ready',
  version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  schema: expect.stringMatching(/^\d{4}_/),
  role: 'all',
  held: false,
  store: { reachable: true, timeline: 1 },
  since: expect.stringMatching(/^\d{4}-.*Z$/),
};

it('tells what a ready service is, and that nothing changed', async () => {
  const first = await ask('/readyz');
  expect(first).toEqual({ code: 200, body: READY });
  jumpedMs += 1_000;
  expect(await ask('/readyz')).toEqual(first);
});

it('O52 of a workspace that is held alone says so', async () => {
  const { pool } = app.service;
  await pool.query("update stores set held_since = 1, held_reason = 'restored' where not test_mode");
  jumpedMs += 1_000;
  expect(await ask('/readyz')).toEqual({ code: 200, body: { ...READY, held: true } });
  await pool.query('update stores set held_since = null, held_reason = null');
  jumpedMs += 1_000;
  expect((await ask('/readyz')).body).toEqual(READY);
});

it('O06 of a store that is halted says so, while a probe of the process asks nothing', async () => {
  const before = (await ask('/readyz')).body;
  // A busy machine may have held the start of this process up for longer than the loop may be late.
  await expect.poll(async () => (await ask('/healthz')).code).toBe(200);
  expect(await isUp()).toBe('1');
  await signalStore('SIGSTOP');
  try {
    const haltedMs = performance.now();
    const up = isUp();
    jumpedMs += 1_000;
    let isAnswered = false;
    const ready = ask('/readyz').finally(() => {
      isAnswered = true;
    });
    expect(await ask('/healthz')).toEqual({ code: 200, body: { status: 'ok' } });
    expect(isAnswered).toBe(false);
    const { code, body } = await ready;
    expect(code).toBe(503);
    expect(body).toEqual({
      ...READY,
      status: 'unavailable',
      store: { reachable: false, timeline: 1 },
    });
    expect(body.since >= before.since).toBe(true);
    expect(await up).toBe('0');
    // Not the 30 s that a statement may take; on a busy machine more than the two seconds that the store is given.
    expect(performance.now() - haltedMs).toBeLessThan(25_000);
    // It was ready once: nobody is to start it again.
    expect((await ask('/startz')).code).toBe(200);
  } finally {
    await signalStore('SIGCONT');
  }
  await expect
    .poll(async () => {
      jumpedMs += 1_000;
      return (await ask('/readyz')).code;
    })
    .toBe(200);
});

it('asks the store once in a second, however many want to know', async () => {
  const asked: string[] = [];
  const watch = { waited() {}, ran: (verb: string) => void asked.push(verb), retried() {}, committed() {} };
  const limits = { maxConnections: 1, acquireTimeoutMs: 10_000, statementTimeoutMs: 10_000 };
  const database = openDatabase({ connectionString: store.url, ...limits, watch });
  const readiness = { isReady: true, isStopping: false };
  const monotonicMs = () => jumpedMs;
  const health = createHealth({ role: 'api', readiness, db: database.db, realNowMs: Date.now, monotonicMs });
  const askMany = () => Promise.all(Array.from({ length: 20 }, () => health.answer('/readyz')));
  expect(new Set((await askMany()).map((answer) => answer?.status))).toEqual(new Set([200]));
  expect(asked).toEqual(['select']);
  jumpedMs += 1_000;
  await askMany();
  expect(asked).toEqual(['select', 'select']);
  health.stop();
  await database.close();
});

describe('a process that turns too late', () => {
  it('is no use, until it turns in time again', async () => {
    let lateMs = 0;
    const health = createHealth({
      role: 'api',
      readiness: { isReady: true, isStopping: false },
      db: app.service.db,
      realNowMs: Date.now,
      monotonicMs: () => performance.now(),
      loopMs: () => performance.now() + lateMs,
    });
    const read = async () => (await health.answer('/healthz'))?.status;
    lateMs += 6_000;
    await expect.poll(read, { timeout: 10_000 }).toBe(503);
    await expect.poll(read, { timeout: 10_000 }).toBe(200);
    health.stop();
  });
});

it('serves the same to a worker, which listens nowhere else', async () => {
  const { url, close } = await serveHealth(app.wired.health, { port: 0, host: '127.0.0.1' });
  try {
    const answers = ['/healthz', '/readyz', '/startz', '/v0/products/list'].map((one) =>
      fetch(`${url}${one}`),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    app.wired.readiness.isStopping = true;
    const stopping = await fetch(`${url}/readyz`);
    expect([stopping.status, ((await stopping.json()) as { status: string }).status]).toEqual([
      503,
      'stopping',
    ]);
  } finally {
    app.wired.readiness.isStopping = false;
    close();
  }
});

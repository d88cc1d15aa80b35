/** PostgreSQL is stopped, or killed, under a service that sells: what it acknowledged is there, and it goes on by itself. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedStore, openEmbeddedStore } from '../../src/db/embedded/store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

const TIMES = 20;
/** Fifty in a second. */
const PACE_MS = 20;
/** From when the store is there again until sales go through. */
const NORMAL_WITHIN_MS = 5_000;

let dataDir: string;
let store: EmbeddedStore;
let app: TestApp;
/** When the store was there again, each time. */
const backs: number[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-restarted-'));
  const log = (line: string) => {
    if (line === 'PostgreSQL is back') backs.push(performance.now());
  };
  store = await openEmbeddedStore({ dataDir, log });
  await migrate({ connectionString: store.url });
  app = await createTestApp({}, undefined, { through: async () => store.url });
});
afterAll(async () => {
  await app?.close();
  await store?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const readServerPid = async () =>
  Number((await readFile(path.join(store.place.cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** Products are made at a steady pace, whatever becomes of the store; answers how to end it. */
function sell(prefix: string) {
  const told = { acknowledged: [] as string[], refused: 0, odd: [] as string[], lastGoodMs: 0 };
  const running = new Set<Promise<void>>();
  let isOver = false;
  const make = async (name: string) => {
    const { status, headers } = await app.test.post('/v0/products/create', { name, type: 'SoftwareKey' });
    if (status === 200) {
      told.acknowledged.push(name);
      told.lastGoodMs = performance.now();
    } else if (status === 503 && Number(headers['retry-after']) > 0) told.refused += 1;
    else told.odd.push(`${status} without a word of when to try again`);
  };
  const loop = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const one: Promise<void> = make(`${prefix} ${n}`).finally(() => running.delete(one));
      running.add(one);
      await wait(PACE_MS);
    }
    await Promise.all(running);
  })();
  const end = () => {
    isOver = true;
    return loop;
  };
  return { told, end };
}

async function disturb(signal: 'SIGINT' | 'SIGKILL') {
  const { told, end } = sell(signal);
  const waits: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const before = told.acknowledged.length;
    while (told.acknowledged.length < before + 5) await wait(PACE_MS);
    const count = backs.length;
    process.kill(await readServerPid(), signal);
    while (backs.length === count) await wait(PACE_MS);
    const backMs = backs.at(-1) ?? 0;
    while (told.lastGoodMs < backMs) await wait(PACE_MS);
    waits.push(told.lastGoodMs - backMs);
  }
  await end();
  expect(told.odd).toEqual([]);
  expect(told.refused).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThan(NORMAL_WITHIN_MS);
  const rows = await app.service.db.selectFrom('products').select('name').execute();
  const names = new Set(rows.map(({ name }) => name));
  expect(told.acknowledged.filter((name) => !names.has(name))).toEqual([]);
  await expectInvariants(app);
}

it('T44 a store that is stopped and started 20 times loses nothing that was acknowledged', () =>
  disturb('SIGINT'));

it('T45 a store that is killed 20 times loses nothing that was acknowledged', () => disturb('SIGKILL'));

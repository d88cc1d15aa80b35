/** A PostgreSQL of the operator's own that shows less than it had acknowledged. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openBeatFile, readBeat } from '../../src/main/beat-file.ts';
import { compareStore } from '../../src/main/compare-store.ts';
import { beatOnce, keepBeating } from '../../src/main/process-beat.ts';
import { refuseStale } from '../../src/main/refuse-stale.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { findSystemIdentifier, isInstallationHeld } from '../../src/resources/installation/held.queries.ts';
import {
  copyTestDatabase,
  createTestDatabase,
  openPool,
  STORE_FORM,
  type TestDatabase,
} from '../support/database.ts';

const DAY_MS = 24 * 3_600_000;

let dataDir: string;
let database: TestDatabase;
const databases: TestDatabase[] = [];
const folders: string[] = [];
const running: Running[] = [];
const lines: string[] = [];

beforeEach(async () => {
  // Beats are told by hand.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  lines.length = 0;
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-witness-'));
  folders.push(dataDir);
  database = await createTestDatabase();
  databases.push(database);
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  vi.useRealTimers();
});
afterAll(async () => {
  for (const one of databases) await one.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

interface Running {
  wired: Wired;
  reason: string | null;
  beat(): Promise<void>;
  isHeld(): Promise<boolean>;
  stop(): Promise<void>;
}

/** As a process begins, but that it listens nowhere. */
async function start({ url }: Pick<TestDatabase, 'url'>, folder = dataDir): Promise<Running> {
  const config = parseConfig({
    STORE_FORM,
    DATABASE_URL: url,
    DATA_DIR: folder,
    VIES_URL: 'http://127.0.0.1:9',
  });
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const wired = await wire({ config, store: { connectionString: url }, log, realNowMs: Date.now });
  const reason = await compareStore(wired.service, config, null);
  const end = await keepBeating(wired.service, wired.witness);
  const file = await openBeatFile(folder, await findSystemIdentifier(wired.service.db));
  const one: Running = {
    wired,
    reason,
    beat: () => beatOnce(wired.service, { witness: wired.witness, file }),
    isHeld: () => isInstallationHeld(wired.service.db),
    async stop() {
      if (running.includes(one)) running.splice(running.indexOf(one), 1);
      await end();
      await file.close();
      await wired.close();
    },
  };
  running.push(one);
  return one;
}

it('O51 holds a store whose volume was put back, and no store that was only stopped', async () => {
  const first = await start(database);
  await first.beat();
  await first.stop();
  const kept = await copyTestDatabase(database);
  databases.push(kept);
  const again = await start(database);
  expect(again.reason).toBeNull();
  await again.beat();
  await again.stop();
  const back = await start(kept);
  expect([back.reason, await back.isHeld()]).toEqual(['witness', true]);
});

it('O51 holds no store that stood still for a week, or for longer than its processes are remembered', async () => {
  const first = await start(database);
  await first.beat();
  await first.stop();
  for (const days of [7, 40]) {
    const last = await readBeat(dataDir);
    const older = { ...last, atMs: (last?.atMs ?? 0) - days * DAY_MS };
    await writeFile(path.join(dataDir, 'beat'), JSON.stringify(older));
    await withPool(async (pool) => {
      await pool.query('update processes set seen_at = seen_at - $1::bigint', [days * DAY_MS]);
      // As the beat of any other process would.
      await pool.query('delete from processes where seen_at < real_now_ms() - $1::bigint', [30 * DAY_MS]);
    });
    const next = await start(database);
    expect(next.reason).toBeNull();
    await next.beat();
    await next.stop();
  }
});

it('takes a store that is new for no loss of another one', async () => {
  const first = await start(database);
  await first.beat();
  await first.stop();
  const other = await createTestDatabase();
  databases.push(other);
  expect((await start(other)).reason).toBeNull();
});

async function withPool(run: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = openPool(database);
  await run(pool).finally(() => pool.end());
}

/** Another machine's folder, in which nobody remembers. */
function another(name: number): string {
  const other = `${dataDir}-${name}`;
  folders.push(other);
  return other;
}

it('holds a store that comes back with less before a connection to it is used', async () => {
  const one = await start(database);
  const { db, pool, holds } = one.wired.service;
  await one.beat();
  await one.beat();
  const live = { workspaceId: processIdOf(one), testMode: false };
  await expect(holds.refuseHeld(live)).resolves.toBeUndefined();
  await db
    .updateTable('processes')
    .set((eb) => ({ beat: eb('beat', '-', 1) }))
    .execute();
  // What was connected before has seen nothing.
  expect(await one.isHeld()).toBe(false);
  await pool
    .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
    .catch(() => {});
  await expect.poll(() => one.isHeld().catch(() => null)).toBe(true);
  // It begins anew, and is not held again by what it remembers from before.
  await one.beat();
  await db.updateTable('installationState').set({ heldSince: null, heldReason: null }).execute();
  await one.beat();
  expect(await one.isHeld()).toBe(false);
});

const processIdOf = ({ wired }: Running) => wired.service.processId;

it('holds a store that shows less at a beat, and beats on', async () => {
  const one = await start(database);
  await one.beat();
  await one.wired.service.db.deleteFrom('processes').execute();
  await one.beat();
  expect(await one.isHeld()).toBe(true);
  expect(lines.filter((line) => line.includes('store_lost_writes'))).toHaveLength(1);
  await one.beat();
  expect(lines.filter((line) => line.includes('store_lost_writes'))).toHaveLength(1);
});

it('goes on over another primary that shows all, and says so', async () => {
  const one = await start(database);
  await one.beat();
  const last = one.wired.witness.last();
  if (last) one.wired.witness.remember({ ...last, timeline: 0 });
  await one.beat();
  expect(lines.filter((line) => line.includes('store_failover'))).toHaveLength(1);
  expect(await one.isHeld()).toBe(false);
});

it('O11 refuses a server of a lower timeline than was written to, and writes nothing there', async () => {
  const one = await start(database);
  const { db, pool } = one.wired.service;
  await one.beat();
  one.wired.witness.atLeast(99);
  await pool
    .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
    .catch(() => {});
  await expect.poll(() => one.beat().catch((error: Error) => error.name)).toBe('StalePrimary');
  await expect(db.selectFrom('workspaces').selectAll().execute()).rejects.toThrow(
    'timeline 99 was written to',
  );
  expect(lines.some((line) => line.includes('"store_stale_primary"'))).toBe(true);
  one.wired.readiness.isReady = true;
  const probe = await one.wired.app.inject('/readyz');
  expect([probe.statusCode, probe.json().store]).toEqual([
    503,
    { reachable: true, timeline: 1, refused: 'store_stale_primary' },
  ]);
  await withPool(async (other) => {
    const { rows } = await other.query('select beat::int from processes');
    expect(rows).toEqual([{ beat: 2 }]);
  });
});

it('O11 takes no timeline of another server for its own', async () => {
  const first = await start(database);
  await first.beat();
  await first.stop();
  const kept = { ...(await readBeat(dataDir)), timeline: 99 };
  const file = path.join(dataDir, 'beat');
  await writeFile(file, JSON.stringify(kept));
  await expect(refuseStale(database.url, dataDir)).rejects.toThrow('timeline 99 was written to');
  await writeFile(file, JSON.stringify({ ...kept, systemIdentifier: '1' }));
  expect(await refuseStale(database.url, dataDir)).toBeNull();
  expect(await refuseStale(database.url, another(3))).toBeNull();
});

it('holds a store that was promoted if nobody remembers what it should show', async () => {
  const first = await start(database);
  const { db } = first.wired.service;
  await first.beat();
  const promoted = () => db.updateTable('installationState').set({ timeline: 0 }).execute();
  await promoted();
  // One that lives remembers for all.
  const beats = again(() => first.beat());
  const beside = await start(database, another(1));
  await beats.end();
  expect(beside.reason).toBeNull();
  await beside.stop();
  await promoted();
  const alone = await start(database, another(2));
  expect(alone.reason).toBe('witness');
});

/** Again and again, until the end. */
function again(run: () => Promise<void>): { end(): Promise<void> } {
  let isOver = false;
  const loop = (async () => {
    while (!isOver) await run();
  })();
  return {
    end: () => {
      isOver = true;
      return loop;
    },
  };
}

it('keeps in DATA_DIR what it remembers, and takes what is none for nothing', async () => {
  const one = await start(database);
  expect(await readBeat(dataDir)).toBeNull();
  await one.beat();
  const kept = await readBeat(dataDir);
  expect(kept).toMatchObject({ processId: processIdOf(one), count: 2, timeline: expect.any(Number) });
  await writeFile(
    path.join(dataDir, 'beat'),
    (await readFile(path.join(dataDir, 'beat'), 'utf8')).slice(0, 20),
  );
  expect(await readBeat(dataDir)).toBeNull();
});

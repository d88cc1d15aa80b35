import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import {
  buildService,
  findFreePort,
  type ServiceOptions,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const running: ServiceProcess[] = [];
const folders: string[] = [];

beforeAll(() => buildService(), 300_000);
afterEach(async () => {
  for (const service of running.splice(0)) {
    service.signal('SIGTERM');
    await service.exited;
  }
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-first-'));
  folders.push(folder);
  return folder;
}

function spawn(options: ServiceOptions): ServiceProcess {
  const service = spawnService(options);
  running.push(service);
  return service;
}

describe('MIGRATE=off', { timeout: 120_000 }, () => {
  it('changes nothing of an empty store either, and says what waits', async () => {
    const empty = await createEmptyDatabase();
    const pool = new pg.Pool({ connectionString: empty.url });
    try {
      const at = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: empty.url };
      const service = spawn({ ...at, env: { MIGRATE: 'off' } });
      expect((await service.exited).code).toBe(EXIT.refused);
      expect(service.output().trim().split('\n')).toEqual([
        expect.stringMatching(/\d+ migration\(s\) wait, and MIGRATE is off/),
      ]);
      const { rows } = await pool.query("select from pg_tables where schemaname = 'public'");
      expect(rows).toEqual([]);
    } finally {
      await pool.end();
      await empty.drop();
    }
  });
});

describe('a start that fails', { timeout: 120_000 }, () => {
  it('leaves no process behind that seems to live', async () => {
    const own = await createTestDatabase();
    const client = new pg.Client(own.url);
    await client.connect();
    try {
      const at = { port: await findFreePort(), dataDir: await makeFolder(), databaseUrl: own.url };
      const service = spawn({ ...at, env: { HOST: '203.0.113.1' } });
      expect((await service.exited).code).toBe(EXIT.usage);
      const { rows } = await client.query('select ended_at is null as "seemsToLive" from processes');
      expect(rows).toEqual([{ seemsToLive: false }]);
    } finally {
      await client.end();
      await own.drop();
    }
  });
});

describe('PORT=0', { timeout: 120_000 }, () => {
  it('tells the port that was free, wherever an address is told', async () => {
    const own = await createTestDatabase();
    const service = spawn({ port: 0, dataDir: await makeFolder(), databaseUrl: own.url });
    await service.said('is ready');
    const [, url = ''] = /API reference +(\S+)\/docs$/m.exec(service.output()) ?? [];
    expect(url).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
    expect((await fetch(`${url.replace('localhost', '127.0.0.1')}/readyz`)).status).toBe(200);
    service.signal('SIGTERM');
    await service.exited;
    await own.drop();
  });
});

/** The processes whose command line names a folder, ours apart. */
async function listProcessesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(folder));
}

describe('a stop while the store is only being made', { timeout: 60_000 }, () => {
  it('leaves no PostgreSQL, and no half of one', async () => {
    const dataDir = await makeFolder();
    const service = spawn({ port: await findFreePort(), dataDir, databaseUrl: null });
    const isBegun = async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-'));
    await expect.poll(isBegun, { timeout: 30_000 }).toBe(true);
    service.signal('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    expect(await listProcessesOf(dataDir)).toEqual([]);
    expect(await isBegun()).toBe(false);
    expect(service.output()).not.toContain('cannot start');
  });
});

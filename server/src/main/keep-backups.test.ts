import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../test/support/run-command.ts';
import { listBases } from '../db/embedded/backups/manifest.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../db/embedded/store.ts';
import { findDue, keepBases } from './keep-backups.ts';
import { readBackupAges } from './watching/backup-ages.ts';

const HOUR_MS = 3_600_000;
const THREE = 180;

let folder: string;
let store: EmbeddedStore;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'keep-backups-test-')));
  store = await openEmbeddedStore({
    dataDir: path.join(folder, 'data'),
    backups: { backupDir: path.join(folder, 'backups'), sameDisk: true },
    log: () => {},
    durable: false,
  });
}, 120_000);
afterAll(async () => {
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

it('finds the last moment at which a day is due', () => {
  const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);
  expect(findDue(at('03:00:00'), THREE)).toBe(at('03:00:00'));
  expect(findDue(at('02:59:59'), THREE)).toBe(at('03:00:00') - 24 * HOUR_MS);
  expect(findDue(at('23:00:00'), THREE)).toBe(at('03:00:00'));
});

it('takes a base where there is none and one a day after that, and says how old the last one is', async () => {
  if (store.backups === null) throw new Error('it is backed up');
  const { backups } = store;
  const count = async () => (await listBases(backups.backups.bases)).length;
  const keep = (nowMs: number) =>
    keepBases({ backups, config: { atMinute: THREE, keepDays: 14 }, nowMs: () => nowMs });
  const nowMs = Date.now();
  expect((await readBackupAges(backups, nowMs)).baseMs).toBeNull();
  await keep(nowMs);
  expect(await count()).toBe(1);
  await keep(nowMs);
  expect(await count()).toBe(1);
  const { baseMs } = await readBackupAges(backups, Date.now() + HOUR_MS);
  expect(baseMs).toBeGreaterThanOrEqual(HOUR_MS);
  await keep(findDue(Date.now(), THREE) + 24 * HOUR_MS);
  expect(await count()).toBe(2);
});

it('lets go of old ones although the next one fails, since they may be what takes its room', async () => {
  if (store.backups === null) throw new Error('it is backed up');
  const { backups } = store;
  const other = new pg.Client({ ...store.poolConfig, user: 'postgres', database: 'postgres' });
  await other.connect();
  await other.query('select pg_advisory_lock(20303, 3)');
  const nowMs = () => Date.now() + 30 * 24 * HOUR_MS;
  const kept = keepBases({ backups, config: { atMinute: THREE, keepDays: 14 }, nowMs });
  await expect(kept).rejects.toThrow('just now');
  await other.end();
  expect(await listBases(backups.backups.bases)).toHaveLength(1);
});

it('O23 takes one of now on demand, after the one that is being taken', async () => {
  expect((await runCommand('backup', ['--help'], {})).code).toBe(0);
  const other = new pg.Client({ ...store.poolConfig, user: 'postgres', database: 'postgres' });
  await other.connect();
  await other.query('select pg_advisory_lock(20303, 3)');
  const program = fileURLToPath(new URL('../../dist/run/backup.js', import.meta.url));
  const { VITEST: _vitest, NODE_ENV: _test, ...inherited } = process.env;
  const child = spawn(process.execPath, [program, '--base', '--json'], {
    env: {
      ...{ ...inherited, ENV_FILE: '', DATABASE_URL: '', DATA_DIR: path.join(folder, 'data') },
      ...{ BACKUP_DIR: path.join(folder, 'backups'), BACKUP_SAME_DISK: 'true' },
    },
  });
  const [exited, told] = [once(child, 'close'), text(child.stdout)];
  await once(child.stderr, 'data');
  expect(child.exitCode).toBeNull();
  await other.end();
  expect((await exited)[0]).toBe(0);
  expect(JSON.parse(await told)).toMatchObject({ folder: expect.any(String), files: expect.any(Number) });
});

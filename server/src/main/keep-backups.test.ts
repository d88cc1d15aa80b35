import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listBases } from '../db/embedded/backups/manifest.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../db/embedded/store.ts';
import { readBackupAges } from './backup-ages.ts';
import { findDue, keepBases } from './keep-backups.ts';

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

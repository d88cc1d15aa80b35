import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  realpath,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedStore, openEmbeddedStore } from '../store.ts';
import { findBackups } from './backup-place.ts';
import { forgetOldBases } from './forget-old.ts';
import { compressLog } from './log-segments.ts';
import { type Base, listBases } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeBase } from './take-base.ts';
import { verifyBackups } from './verify-backups.ts';

const DAY_MS = 24 * 3_600_000;

let folder: string;
let store: EmbeddedStore;
let backups: NonNullable<EmbeddedStore['backups']>;
let first: Base;
let moments: number[];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'backups-test-')));
  store = await openEmbeddedStore({
    dataDir: path.join(folder, 'data'),
    backups: { backupDir: path.join(folder, 'backups'), sameDisk: true },
    log: () => {},
    durable: false,
  });
  if (store.backups === null) throw new Error('it is backed up');
  backups = store.backups;
  await ask(store, 'create table kept (n int, at timestamptz)');
  first = await takeBase(backups);
  moments = [];
  for (let n = 1; n <= 3; n += 1) moments.push(await note(n));
  await archive();
}, 120_000);
afterAll(async () => {
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ask(of: Pick<EmbeddedStore, 'poolConfig'>, statement: string) {
  const client = new pg.Client(of.poolConfig);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A row, and a whole second by the end of which nothing else has happened. */
async function note(n: number): Promise<number> {
  await ask(store, `insert into kept select ${n}, clock_timestamp()`);
  const [row] = await ask(store, 'select ceil(extract(epoch from clock_timestamp()))::text as second');
  await ask(
    store,
    `select pg_sleep(extract(epoch from to_timestamp(${row.second}) - clock_timestamp()) + 0.01)`,
  );
  return Number(row.second) * 1000;
}

/** Until all that was written so far lies in the archive. */
async function archive(): Promise<void> {
  const admin = new pg.Client({ ...store.poolConfig, user: 'postgres', database: 'postgres' });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
  await admin.end();
  const name = rows[0]?.name;
  await vi.waitFor(async () => expect(await readdir(backups.backups.log)).toContain(name), {
    timeout: 60_000,
  });
}

const rowsOf = async (dataDir: string): Promise<number[]> => {
  const restored = await openEmbeddedStore({ dataDir, log: () => {}, purpose: 'attach', durable: false });
  try {
    return (await ask(restored, 'select n from kept order by n')).map(({ n }) => n);
  } finally {
    await restored.stop();
  }
};

const restore = (to: string, atMs: number | null = null) =>
  restoreBackup({
    from: path.join(folder, 'backups'),
    atMs,
    to,
    durable: false,
    prepare: async () => {},
  });

const verify = () => verifyBackups({ backups: backups.backups, durable: false, ask: async () => [] });

/** Changes one byte in the middle of a file, and answers how to put it back. */
async function flip(file: string): Promise<() => Promise<void>> {
  const handle = await openFile(file, 'r+');
  const { size } = await handle.stat();
  const at = Math.floor(size / 2);
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  const put = (byte: number) => handle.write(Buffer.from([byte]), 0, 1, at);
  await put((buffer[0] ?? 0) ^ 1);
  return async () => {
    await put(buffer[0] ?? 0);
    await handle.close();
  };
}

describe('the backups of the embedded store', () => {
  it('O24 bring back the second that was asked for, or all there is, whatever is compressed', async () => {
    const [second, all, later] = ['second', 'all', 'later'].map((name) => path.join(folder, name));
    const { reached } = await restore(String(second), moments[1]);
    expect(await rowsOf(String(second))).toEqual([1, 2]);
    expect(Date.parse(reached)).toBeLessThanOrEqual(moments[1] ?? 0);
    expect(await compressLog(backups.backups.log)).toBeGreaterThan(0);
    await restore(String(all));
    expect(await rowsOf(String(all))).toEqual([1, 2, 3]);
    // Nothing was written after it, as far as anybody knows.
    await restore(String(later), (moments[2] ?? 0) + DAY_MS);
    expect(await rowsOf(String(later))).toEqual([1, 2, 3]);
  });

  it('are found beside the place of a store that has none yet', async () => {
    const empty = path.join(path.dirname(backups.backups.root), 'store-restored');
    await mkdir(path.join(empty, 'bases'), { recursive: true });
    await expect(findBackups(path.dirname(empty))).resolves.toEqual(backups.backups);
    await mkdir(path.join(empty, 'bases', path.basename(first.folder)));
    await expect(findBackups(path.dirname(empty))).rejects.toThrow('backups of several stores');
    await rm(empty, { recursive: true });
  });

  it('keep nothing of what could not be archived at first', async () => {
    const { log } = backups.backups;
    const [segment] = (await readdir(log)).filter((name) => /^[0-9A-F]{24}(\.gz)?$/.test(name));
    const name = String(segment).slice(0, 24);
    const left = [`archtemp.${name}.1.1`, `archtemp.${'F'.repeat(24)}.1.1`];
    for (const file of left) await writeFile(path.join(log, file), '');
    await compressLog(log);
    // The other may be one that is being written.
    expect((await readdir(log)).filter((file) => file.startsWith('archtemp'))).toEqual([left[1]]);
    await rm(path.join(log, String(left[1])));
  });

  it('O24 refuse a folder that is there, and a moment before the first of them; nothing is left behind', async () => {
    const before = await readdir(folder);
    await expect(restore(path.join(folder, 'data'))).rejects.toThrow('is there already');
    const early = Date.parse(first.manifest.startedAt) - 1;
    await expect(restore(path.join(folder, 'early'), early)).rejects.toThrow('and no further');
    expect(await readdir(folder)).toEqual(before);
  });

  it('hold no password, no key and nothing of the folder that they were taken of', async () => {
    const names = await readdir(first.folder, { recursive: true });
    expect(
      names.filter((name) => /secrets\.key|password|credentials|data-dir-id|postmaster/.test(name)),
    ).toEqual([]);
  });

  it('O25 are sound, and a flipped byte of a base, of its manifest or of the log is found', async () => {
    await compressLog(backups.backups.log);
    expect(await verify()).toMatchObject({ bases: 1, findings: [], reached: expect.any(String) });
    // What was looked at is gone.
    expect((await readdir(backups.backups.root)).sort()).toEqual(['bases', 'log']);
    const [largest] = first.manifest.cluster.toSorted((a, b) => b.bytes - a.bytes);
    const log = (await readdir(backups.backups.log)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort();
    const damaged = {
      base: path.join(first.folder, 'postgres', String(largest?.path)),
      manifest: path.join(first.folder, 'manifest.json'),
      log: path.join(backups.backups.log, String(log.at(-1))),
    };
    for (const file of Object.values(damaged)) {
      const mend = await flip(file);
      const { findings } = await verify();
      expect(findings.join()).toContain(file.replace(/\/manifest\.json$/, ''));
      await mend();
    }
  });

  it('leave nothing of a verification or a restore that was killed, nor its server', async () => {
    const gone = `${os.hostname()}-${spawnSync(process.execPath, ['-e', '']).pid}`;
    const { root } = backups.backups;
    const left = [path.join(root, `verify-${gone}-copy`), path.join(folder, `again.partial-${gone}-copy`)];
    const others = await Promise.all(
      left.map((dataDir) => openEmbeddedStore({ dataDir, log: () => {}, purpose: 'attach', durable: false })),
    );
    // Its session ends with a killed process; its server goes on.
    expect((await verify()).findings).toEqual([]);
    expect((await readdir(root)).sort()).toEqual(['bases', 'log']);
    await restore(path.join(folder, 'again'));
    expect((await readdir(folder)).filter((name) => name.startsWith('again'))).toEqual(['again']);
    for (const other of others) {
      await expect(ask(other, 'select 1')).rejects.toThrow();
      await other.stop();
    }
  });

  it('O25 miss no segment of the log unnoticed', async () => {
    const { log } = backups.backups;
    const names = (await readdir(log)).filter((name) => /^[0-9A-F]{24}(\.gz)?$/.test(name)).sort();
    const needed = names.find((name) => name.startsWith(first.manifest.lastSegment));
    if (needed === undefined) throw new Error('the base needs it');
    await rename(path.join(log, needed), path.join(folder, 'aside'));
    expect((await verify()).findings.join()).toContain(first.manifest.lastSegment);
    await rename(path.join(folder, 'aside'), path.join(log, needed));
  });

  it('O25 say so where a restore ends at a segment that is missing, although later ones are there', async () => {
    for (const n of [4, 5, 6]) {
      await note(n);
      await archive();
    }
    const { log } = backups.backups;
    const names = (await readdir(log)).filter((name) => /^[0-9A-F]{24}(\.gz)?$/.test(name)).sort();
    const lost = String(names.at(-2));
    await rename(path.join(log, lost), path.join(folder, 'aside'));
    expect((await restore(path.join(folder, 'cut'))).gap).toBe(lost.slice(0, 24));
    expect(await rowsOf(path.join(folder, 'cut'))).not.toContain(6);
    // What came before is whole.
    expect((await restore(path.join(folder, 'earlier'), moments[1])).gap).toBeNull();
    await rename(path.join(folder, 'aside'), path.join(log, lost));
    expect((await restore(path.join(folder, 'uncut'))).gap).toBeNull();
  });

  it('O25 bring back what comes before a segment that is torn, and refuse a base whose own log is', async () => {
    const { log } = backups.backups;
    await compressLog(log);
    const names = (await readdir(log)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort();
    const tear = async (name: string) => {
      await copyFile(path.join(log, name), path.join(folder, 'aside'));
      await truncate(path.join(log, name), 100);
    };
    const last = String(names.at(-1));
    await tear(last);
    expect((await restore(path.join(folder, 'untorn'))).gap).toBe(last.slice(0, 24));
    expect(await rowsOf(path.join(folder, 'untorn'))).toEqual(expect.arrayContaining([1, 2, 3]));
    expect((await restore(path.join(folder, 'before'), moments[1])).gap).toBeNull();
    await rename(path.join(folder, 'aside'), path.join(log, last));
    const own = `${first.manifest.lastSegment}.gz`;
    await tear(own);
    await expect(restore(path.join(folder, 'unfounded'))).rejects.toThrow('the base before it');
    await rename(path.join(folder, 'aside'), path.join(log, own));
  });

  it('O26 go when they are old, with their log, but for the last good one', async () => {
    const inDays = (days: number) => Date.parse(first.manifest.endedAt) + days * DAY_MS;
    const forget = (days: number) => forgetOldBases(backups.backups, { keepDays: 14, nowMs: inDays(days) });
    expect(await forget(400)).toEqual([]);
    const second = await takeBase(backups);
    // One that lost a file is no good, and neither is one that was begun and killed.
    const [lost] = second.manifest.cluster.filter(({ bytes }) => bytes > 0);
    const file = path.join(second.folder, 'postgres', String(lost?.path));
    await rename(file, path.join(folder, 'aside'));
    expect(await forget(400)).toEqual([second.folder]);
    expect((await listBases(backups.backups.bases)).map((base) => base.folder)).toEqual([first.folder]);
    const third = await takeBase(backups);
    expect(await forget(13)).toEqual([]);
    expect(await forget(400)).toEqual([first.folder]);
    expect(existsSync(third.folder)).toBe(true);
    const kept = (await readdir(backups.backups.log)).filter((name) => /^[0-9A-F]{24}/.test(name));
    expect(kept.every((name) => name.slice(0, 24) >= third.manifest.firstSegment)).toBe(true);
    expect((await verify()).findings).toEqual([]);
  });

  it('are refused on the disk of the store, and within its folder', async () => {
    const dataDir = path.join(folder, 'refused');
    const open = (backupDir: string, sameDisk: boolean) =>
      openEmbeddedStore({ dataDir, backups: { backupDir, sameDisk }, log: () => {}, durable: false });
    await expect(open(path.join(folder, 'beside'), false)).rejects.toThrow('BACKUP_SAME_DISK=true');
    await expect(open(path.join(dataDir, 'within'), true)).rejects.toThrow('lies within');
  });
});

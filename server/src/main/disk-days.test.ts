import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysUntilFull, measureDisk, noteDiskDay, readDiskDays } from './disk-days.ts';

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;
const NOW_MS = 1_900_000_000_000;

describe('O46 the days until a disk is full', () => {
  const now = { atMs: NOW_MS, usedBytes: 17 * GIB, freeBytes: 6 * GIB };
  const ago = (days: number, usedBytes: number) => ({ atMs: NOW_MS - days * DAY_MS, usedBytes });

  it('are those that the last week’s growth leaves', () => {
    expect(daysUntilFull([ago(7, 10 * GIB), ago(1, 16 * GIB)], now)).toBe(6);
    expect(daysUntilFull([ago(20, 0), ago(7, 10 * GIB)], now)).toBe(6);
    expect(daysUntilFull([ago(2, 16 * GIB)], now)).toBe(12);
  });

  it('are unknown of a disk that does not grow, and of less than a day', () => {
    for (const noted of [[], [ago(0.9, 10 * GIB)], [ago(7, 17 * GIB)], [ago(7, 18 * GIB)], [ago(30, GIB)]])
      expect(daysUntilFull(noted, now)).toBeNull();
  });
});

describe('O46 the disk of DATA_DIR', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'disk-days-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('is noted once a day, for a week and a day', async () => {
    for (let hours = 0; hours <= 24 * 20; hours += 6) await noteDiskDay(dataDir, NOW_MS + hours * 3_600_000);
    const noted = await readDiskDays(dataDir);
    expect(noted.map(({ atMs }) => (atMs - NOW_MS) / DAY_MS)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(noted.every(({ usedBytes }) => usedBytes > 0)).toBe(true);
    expect(JSON.parse(await readFile(path.join(dataDir, 'disk-days.json'), 'utf8'))).toEqual(noted);
  });

  it('is nobody’s where there is no such folder', async () => {
    const nowhere = path.join(dataDir, 'nowhere');
    expect(await measureDisk(nowhere, NOW_MS)).toBeNull();
    await noteDiskDay(nowhere, NOW_MS);
    expect(await readDiskDays(nowhere)).toEqual([]);
  });
});

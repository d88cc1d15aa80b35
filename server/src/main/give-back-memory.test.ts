import { describe, expect, test } from 'vitest';
import { createQuietWatch, giveBackMemory } from './give-back-memory.ts';

const MIB = 1024 * 1024;
const busy = (activeMs: number) => ({ activeMs, share: activeMs / 2_000 });

describe('memory is given back', () => {
  test('once after a start, as soon as it is quiet, and not again while it stays so', () => {
    const isTime = createQuietWatch();
    const looks = [busy(1_900), busy(400), busy(10), busy(60), busy(10), busy(0)];
    expect(looks.map(isTime)).toEqual([false, false, true, false, false, false]);
  });

  test('again after work that is worth it, and not after each request', () => {
    const isTime = createQuietWatch();
    isTime(busy(0));
    const requests = Array.from({ length: 12 }, () => [busy(150), busy(10)]).flat();
    expect(requests.map(isTime)).not.toContain(true);
    expect([busy(900), busy(10)].map(isTime)).toEqual([false, true]);
  });

  test('never for what a quiet process does by itself', () => {
    const isTime = createQuietWatch();
    isTime(busy(0));
    expect(Array.from({ length: 5_000 }, () => busy(80)).some(isTime)).toBe(false);
  });

  test('to the last of what nobody holds', async () => {
    let held: unknown = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `a row ${n}` }));
    const before = process.memoryUsage().heapUsed;
    expect(held).toHaveLength(400_000);
    held = null;
    await giveBackMemory();
    expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(20 * MIB);
  });
});

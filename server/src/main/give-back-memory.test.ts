import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createQuietWatch } from './give-back-memory.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const LOADER = new URL('../../../scripts/typescript.mjs', import.meta.url).href;
const LOADED = ['--import', LOADER, '--input-type=module'];
/** What has halted takes no other signal. */
const HALTED = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
const STORY = `
  import { giveBackMemory } from ${JSON.stringify(new URL('./give-back-memory.ts', import.meta.url).href)};
  const given = [];
  for (const round of [1, 2]) {
    let held = Array.from({ length: 400_000 }, (_, n) => ({ n, text: 'row ' + round + n }));
    const before = process.memoryUsage().heapUsed;
    held = null;
    await giveBackMemory();
    given.push(before - process.memoryUsage().heapUsed);
  }
  console.log(given.join(' '));
`;
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

  // A process of its own: the debugger of Node.js 20 halts one that parts from it too early, and no test could say so then.
  test('to the last of what nobody holds, twice, and the process goes on', async () => {
    const { stdout } = await run(process.execPath, [...LOADED, '--eval', STORY], HALTED);
    const [first = 0, second = 0] = stdout.trim().split(' ').map(Number);
    expect(first).toBeGreaterThan(20 * MIB);
    expect(second).toBeGreaterThan(20 * MIB);
  });
});

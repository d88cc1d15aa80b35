import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const LOADER = new URL('../../../scripts/typescript.mjs', import.meta.url).href;
const MIB = 1024 * 1024;

/** Lots that grow old before they are let go, and the largest that the old part of the heap ever was. */
const STORY = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { collectingOften } from ${JSON.stringify(new URL('./collect-often.ts', import.meta.url).href)};
  const readOldBytes = () => getHeapSpaceStatistics().find((one) => one.space_name === 'old_space').space_used_size;
  const carry = async () => {
    let most = 0;
    const held = [];
    for (let lot = 0; lot < 3_000; lot += 1) {
      held.push(Array.from({ length: 500 }, (_, n) => ({ n, text: 'row ' + lot + n })));
      // About as much as several lots together: who is let go has been looked at twice.
      if (held.length > 100) held.shift();
      most = Math.max(most, readOldBytes());
      await new Promise(setImmediate);
    }
    return most;
  };
  const often = await collectingOften(carry)();
  const byItself = await carry();
  console.log(often + ' ' + byItself);
`;

describe('work that carries many rows', () => {
  test('is collected after sooner than other work, and what follows it as ever', async () => {
    const args = ['--import', LOADER, '--input-type=module', '--eval', STORY];
    const { stdout } = await run(process.execPath, args, { timeout: 120_000 });
    const [often = 0, byItself = 0] = stdout.trim().split(' ').map(Number);
    expect(often / MIB).toBeLessThan(byItself / MIB);
  });
});

import { expect, it } from 'vitest';
import { runEach } from './run-each.ts';

it('does all, four at a time, and names what failed', async () => {
  let running = 0;
  let most = 0;
  const result = await runEach([1, 2, 3, 4, 5, 6, 7, 8, 9], new AbortController().signal, {
    work: async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      if (item === 5) throw new Error('five');
    },
    moved: () => {},
  });
  expect([result.done.length, result.failed.map(({ item }) => item), most]).toEqual([8, [5], 4]);
});

it('begins nothing more once it is stopped', async () => {
  const stop = new AbortController();
  const result = await runEach([1, 2, 3, 4, 5, 6, 7, 8, 9], stop.signal, {
    work: async (item) => {
      if (item === 1) stop.abort();
    },
    moved: () => {},
  });
  expect(result.done.length).toBeLessThan(9);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRounds } from './rounds.ts';

const EVERY = { everyMs: 1_000 };

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

/** A round that waits for the outside, such as for what a processor holds. */
function hang() {
  const ways = { resolve: () => {}, reject: (_error: Error) => {} };
  const hanging = new Promise<void>((resolve, reject) => Object.assign(ways, { resolve, reject }));
  return { run: vi.fn((_ending: AbortSignal) => hanging), ...ways };
}

it('begins each again and again, one at a time, and tells of those that fail', async () => {
  const rounds = createRounds();
  const failed = vi.fn();
  const { run, reject } = hang();
  rounds.every({ everyMs: 1_000, firstMs: 100 }, run, failed);
  await vi.advanceTimersByTimeAsync(100);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(run).toHaveBeenCalledTimes(1);
  reject(new Error('the store is away'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failed).toHaveBeenCalledWith(new Error('the store is away'));
  expect(run).toHaveBeenCalledTimes(2);
  await rounds.end();
});

it('O03 waits at a stop for those that run, before the store is closed, and begins none any more', async () => {
  const rounds = createRounds();
  const { run, resolve } = hang();
  const later = vi.fn(async () => {});
  rounds.once(run);
  rounds.every(EVERY, later);
  let isEnded = false;
  const ended = rounds.end().then(() => {
    isEnded = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(isEnded).toBe(false);
  expect(run.mock.calls[0]?.[0].aborted).toBe(true);
  resolve();
  await ended;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(later).not.toHaveBeenCalled();
});

it('O03 does not tell as a failure that the stop closed the store below a round', async () => {
  const rounds = createRounds();
  const failed = vi.fn();
  const { run, reject } = hang();
  rounds.every(EVERY, run, failed);
  await vi.advanceTimersByTimeAsync(1_000);
  const ended = rounds.end();
  reject(new Error('Cannot use a pool after calling end on the pool'));
  await ended;
  expect(failed).not.toHaveBeenCalled();
});

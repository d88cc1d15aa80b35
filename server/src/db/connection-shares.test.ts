import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionShares, NoPlaceFree, type Share } from './connection-shares.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SHOP: Share = { name: 'shop', waitMs: 2_000, waitMaxMs: 6_000 };
const OTHER: Share = { ...SHOP, name: 'other' };

/** Asks for a place, and notes what becomes of it. */
function ask(shares: ConnectionShares, share: Share) {
  const asked: { leave: (() => void) | null; error: unknown } = { leave: null, error: null };
  shares.enter(share).then(
    (leave) => (asked.leave = leave),
    (error: unknown) => (asked.error = error),
  );
  return asked;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('who waits for a place', () => {
  it('is refused after its time where nobody of its share gets in', async () => {
    const shares = new ConnectionShares({ all: 4, each: 1 });
    ask(shares, SHOP);
    const waits = ask(shares, SHOP);
    await pass(1_999);
    expect(waits.error).toBeNull();
    await pass(1);
    expect(waits.error).toBeInstanceOf(NoPlaceFree);
    expect(waits.error).toMatchObject({ isOwnShare: true });
  });

  it('waits on behind others of its share that get in, and gets in after them', async () => {
    const shares = new ConnectionShares({ all: 4, each: 1 });
    const queue = Array.from({ length: 4 }, () => ask(shares, SHOP));
    for (let at = 0; at < 3; at += 1) {
      await pass(1_500);
      queue[at]?.leave?.();
    }
    await pass(0);
    expect(queue.map(({ leave }) => leave !== null)).toEqual([true, true, true, true]);
  });

  it('is refused at last, however the others move', async () => {
    const shares = new ConnectionShares({ all: 4, each: 1 });
    const queue = Array.from({ length: 9 }, () => ask(shares, SHOP));
    for (let at = 0; at < 5; at += 1) {
      await pass(1_000);
      queue[at]?.leave?.();
    }
    await pass(999);
    expect(queue[8]?.error).toBeNull();
    await pass(1);
    expect(queue[8]?.error).toBeInstanceOf(NoPlaceFree);
  });

  it('is not kept waiting by those of another share', async () => {
    const shares = new ConnectionShares({ all: 4, each: 1 });
    const others = [ask(shares, OTHER), ask(shares, OTHER)];
    ask(shares, SHOP);
    const waits = ask(shares, SHOP);
    await pass(1_000);
    others[0]?.leave?.();
    await pass(1_000);
    expect(others[1]?.leave).not.toBeNull();
    expect(waits.error).toBeInstanceOf(NoPlaceFree);
  });
});

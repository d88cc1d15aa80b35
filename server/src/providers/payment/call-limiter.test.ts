import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallGate, createCallLimiter, toEndpoint } from './call-limiter.ts';
import { createTimeLimit, type TimeLimit, withinLimit } from './time-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const NEVER = Number.POSITIVE_INFINITY;

interface Rates {
  all?: number | null;
  endpoint?: number | null;
  processes?: number;
}

function open({ all = 20, endpoint = 20, processes = 1 }: Rates = {}) {
  const limiter = createCallLimiter({
    ratesOf: () => ({ all, endpoint }),
    countProcesses: async () => processes,
    timeoutMs: 8_000,
    realNowMs: () => Date.now(),
  });
  const gate = (isAwaited: boolean) => limiter.gateOf({ id: 'one', testMode: true, isAwaited });
  const gateWithin = (limit: TimeLimit) =>
    limiter.gateOf({ id: 'one', testMode: true, isAwaited: true, limit });
  return { buyers: gate(true), background: gate(false), gateWithin };
}

/** Notes when each call was made, in ms from now. */
function askFor(gate: CallGate, count: number, endpoint = 'POST /v1/a'): number[] {
  const startMs = performance.now();
  const made: number[] = [];
  for (let n = 0; n < count; n += 1)
    void gate.send(endpoint, NEVER, async () => void made.push(performance.now() - startMs));
  return made;
}

describe('P31 calls over a connection', () => {
  it('are no more than its rate in any second, however many processes share it', async () => {
    for (const [processes, perSecond] of [
      [1, 20],
      [4, 5],
    ] as const) {
      const { buyers } = open({ processes });
      const made = askFor(buyers, 60);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(made).toHaveLength(60);
      for (const from of made)
        expect(made.filter((atMs) => atMs >= from && atMs < from + 999).length).toBeLessThanOrEqual(
          perSecond,
        );
    }
  });

  it('to one endpoint wait, and others go on', async () => {
    const { buyers } = open({ all: 80, endpoint: 20 });
    const confirms = askFor(buyers, 40, 'POST /v1/payment_intents/*/confirm');
    const reads = askFor(buyers, 20, 'GET /v1/payment_intents/*');
    await vi.advanceTimersByTimeAsync(500);
    expect([confirms.length, reads.length]).toEqual([20, 20]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(confirms).toHaveLength(40);
  });

  it('of buyers come before a thousand that nobody waits for, which leave a quarter free', async () => {
    const { buyers, background } = open();
    const due = askFor(background, 1_000);
    await vi.advanceTimersByTimeAsync(5_500);
    // Fifteen a second.
    expect(due.length).toBeGreaterThanOrEqual(75);
    expect(due.length).toBeLessThanOrEqual(90);
    const checkouts = askFor(buyers, 20);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(checkouts).toHaveLength(20);
    // Some find a place at once.
    expect(checkouts.filter((atMs) => atMs < 250).length).toBeGreaterThanOrEqual(1);
  });

  it('that nobody waits for are ten at once', async () => {
    const { background, buyers } = open({ all: 1_000, endpoint: 1_000 });
    let under = 0;
    let most = 0;
    const slow = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((done) => setTimeout(done, 500));
      under -= 1;
    };
    const all = Promise.all(Array.from({ length: 40 }, () => background.send('POST /v1/a', NEVER, slow)));
    await vi.advanceTimersByTimeAsync(100);
    const made = askFor(buyers, 5);
    await vi.advanceTimersByTimeAsync(100);
    expect(made).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(10_000);
    await all;
    expect(most).toBe(10);
  });

  it('that were turned away halve the rate, and are sent again until it is too late', async () => {
    const { background, buyers } = open();
    const begunMs = performance.now();
    await vi.advanceTimersByTimeAsync(10);
    expect(await background.mayAgain(begunMs, Date.now() + 600_000, 1)).toBe(true);
    expect(await background.mayAgain(begunMs, Date.now(), 1)).toBe(false);
    // Who waits for an answer has one within its time.
    expect(await buyers.mayAgain(begunMs, NEVER, 1)).toBe(true);
    const made = askFor(buyers, 30);
    await vi.advanceTimersByTimeAsync(990);
    expect(made).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await buyers.mayAgain(begunMs, NEVER, 2)).toBe(false);
  });

  it('that are turned away for ever are sent ever more seldom where there is no rate to halve', async () => {
    const { buyers } = open({ all: null, endpoint: null });
    const begunMs = performance.now();
    const sentMs: number[] = [];
    const asking = (async () => {
      do sentMs.push(performance.now() - begunMs);
      while (await buyers.mayAgain(begunMs, NEVER, sentMs.length));
    })();
    await vi.advanceTimersByTimeAsync(20_000);
    await asking;
    expect(sentMs).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
    // There is no use in a pause that ends too late.
    expect(await buyers.mayAgain(performance.now(), Date.now() + 200, 1)).toBe(false);
  });

  it('whose time goes by in the queue are not sent', async () => {
    const { background } = open({ all: 1, endpoint: 1 });
    const sendByRealMs = Date.now() + 3_000;
    const ends = Array.from({ length: 10 }, () =>
      background.send('POST /v1/a', sendByRealMs, async () => 'sent').catch((error) => error.name),
    );
    await vi.advanceTimersByTimeAsync(20_000);
    const told = await Promise.all(ends);
    expect(told.filter((end) => end === 'sent').length).toBeLessThanOrEqual(4);
    expect(told.at(-1)).toBe('NotSent');
  });

  it('have their whole time for the processor, whatever they have waited for their turn', async () => {
    const { buyers, gateWithin } = open({ all: 1, endpoint: 1 });
    askFor(buyers, 20);
    const limit = createTimeLimit(2_000);
    const answer = withinLimit(limit, () =>
      gateWithin(limit).send(
        'POST /v1/a',
        NEVER,
        () => new Promise((done) => setTimeout(done, 1_500, 'answered')),
      ),
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await answer).toBe('answered');
    const short = createTimeLimit(2_000);
    const late = withinLimit(short, () =>
      gateWithin(short).send(
        'POST /v1/a',
        NEVER,
        () => new Promise((done) => setTimeout(done, 2_500, 'answered')),
      ),
    ).catch((error) => error.message);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await late).toBe('the processor took too long');
  });
});

it('an endpoint is the same for all objects', () => {
  expect(toEndpoint('POST', '/v1/payment_intents/pi_R3LxsVOMyegljM5dA78Ro7S3/confirm')).toBe(
    'POST /v1/payment_intents/*/confirm',
  );
  expect(toEndpoint('GET', '/v2/checkout/orders/5O190127TN364715T?x=1')).toBe('GET /v2/checkout/orders/*');
  expect(toEndpoint('GET', '/v1/balance_transactions?limit=100')).toBe('GET /v1/balance_transactions');
});
